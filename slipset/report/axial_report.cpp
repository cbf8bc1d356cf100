#include "slipset/report/axial_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/report/run_report.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

constexpr std::size_t kMostCurves = 8;

const char* colour(std::size_t k) {
  constexpr const char* all[kMostCurves] = {"#1f4e79", "#c0392b", "#2e8b57", "#e67e22",
                                            "#8e44ad", "#16a085", "#9aa7b4", "#7f6000"};
  return all[k % kMostCurves];
}

// About 8000 rows with the columns wanted, the first and the last among them.
Rows chosen(const Table& table, const std::vector<std::size_t>& columns) {
  Rows rows;
  const std::size_t count = table.rows().size(), step = std::max<std::size_t>(1, count / 8000);
  for (std::size_t i = 0; i < count; i = i + step < count || i + 1 == count ? i + step : count - 1) {
    std::vector<double> row;
    for (const std::size_t c : columns) row.push_back(table.rows()[i][c]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string curves(const std::string& file, const std::vector<std::string>& names, std::size_t first_column) {
  std::string plot = "plot ";
  for (std::size_t k = 0; k < names.size(); ++k)
    plot += fmt::format("{}'{}' using 1:{} with lines lw 2 lc rgb '{}' title '{}'", k ? ", " : "", file,
                        first_column + k, colour(k), names[k]);
  return plot;
}

std::vector<std::string> first_few(std::vector<std::string> names) {
  if (names.size() > kMostCurves) names.resize(kMostCurves);
  return names;
}

}  // namespace

Json axial_json(const Run& run) {
  Json json = run_json(run);
  json["path_length"] = nullptr;  // the coordinates are along one line
  Json& report = json["report"];
  report.emplace("law", "coulomb");
  report.emplace("epsilon", nullptr);
  return json;
}

std::string axial_text(const Run& run) { return run_text(run, {kMostCurves, false}); }

Figure axial_time_figure(const AxialSystem& system, const Run& run, const std::string& title) {
  const std::vector<std::string> coordinates = first_few(system.coordinates()),
                                 contacts = first_few(system.contact_names()),
                                 energies = {"kinetic", "potential", "dissipated", "input"};
  std::vector<std::size_t> columns{0};
  for (const std::string& q : coordinates) columns.push_back(run.table.column(q));
  for (const std::string& c : contacts) columns.push_back(run.table.column(c + ".slip_1"));
  for (const std::string& e : energies) columns.push_back(run.table.column(e));
  Figure figure("time", 1000, 900);
  const std::string file = figure.add_data("rows", chosen(run.table, columns));
  figure.add("set key noenhanced");
  figure.add(fmt::format("set multiplot layout 3,1 title {} noenhanced\nset lmargin 12", gnuplot_string(title)));
  figure.add("set ylabel 'position [m]'\n" + curves(file, coordinates, 2));
  figure.add("set ylabel 'slip velocity [m/s]'\n" + curves(file, contacts, 2 + coordinates.size()));
  figure.add("set ylabel 'energy [J]'\nset xlabel 'time [s]'\n" +
             curves(file, energies, 2 + coordinates.size() + contacts.size()) + "\nunset multiplot");
  return figure;
}

Figure axial_force_figure(const AxialSystem& system, const Run& run, const std::string& title) {
  Figure figure("force", 900, 700);
  figure.add("set key noenhanced");
  figure.add(
      fmt::format("set title {} noenhanced\nset offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05\nset xlabel "
                  "'slip velocity [m/s]'\nset ylabel 'friction force on the body [N]'",
                  gnuplot_string(title)));
  std::string plot = "plot ";
  const std::vector<std::string> contacts = first_few(system.contact_names());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const std::string file = figure.add_data(
        contacts[k],
        chosen(run.table, {run.table.column(contacts[k] + ".slip_1"), run.table.column(contacts[k] + ".friction_1")}));
    plot += fmt::format("{}'{}' using 1:2 with points pt 7 ps 0.4 lc rgb '{}' title '{}'", k ? ", " : "", file,
                        colour(k), contacts[k]);
  }
  figure.add(plot);
  return figure;
}

}  // namespace slipset
