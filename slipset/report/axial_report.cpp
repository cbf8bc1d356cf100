#include "slipset/report/axial_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/report/json.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

constexpr std::size_t kMostCurves = 8, kMostEvents = 200;

std::string law_of(const RunReport& r) { return r.law.empty() ? "coulomb" : r.law; }
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

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
  const RunReport& r = run.report;
  Json json;
  json["t"] = run.end.t;
  json["position"] = json_of(run.end.q);
  json["velocity"] = json_of(run.end.u);
  json["path_length"] = Json();
  json["stop_time"] = run.stop_time ? Json(*run.stop_time) : Json();
  json["stick_time"] = run.stick_time;
  json["dissipated"] = number(run.energy.dissipated);
  json["energy_residual"] = number(run.energy.residual());
  json["cycle_dissipation"] = run.cycle_dissipation;
  json["steps"] = r.steps;
  json["seconds"] = r.seconds;
  json["report"] = {{"integrator", r.integrator},
                    {"law", law_of(r)},
                    {"epsilon", number(r.epsilon)},
                    {"step", r.step},
                    {"evaluations", r.evaluations},
                    {"error_test_failures", r.error_test_failures},
                    {"nonlinear_iterations", r.nonlinear_iterations},
                    {"not_converged", r.not_converged},
                    {"events", r.events},
                    {"ties", r.ties},
                    {"degenerate", r.degenerate},
                    {"deepest_derivative", r.deepest_derivative},
                    {"finished", r.finished()},
                    {"warnings", r.warnings},
                    {"why", r.stop_reason}};
  Json events = Json::array();
  for (std::size_t k = 0; k < std::min(run.events.size(), kMostEvents); ++k) {
    const FrictionEvent& e = run.events[k];
    events.push_back({{"t", e.t},
                      {"contact", e.contact + 1},
                      {"kind", kFrictionEventNames[static_cast<std::size_t>(e.kind)]},
                      {"slip", e.slip},
                      {"tied", e.tied},
                      {"derivative", e.derivative}});
  }
  json["events"] = std::move(events);
  return json;
}

std::string axial_text(const Run& run) {
  const RunReport& r = run.report;
  const auto few = [](const VectorX& v) {
    const auto count =
        static_cast<std::ptrdiff_t>(std::min<std::size_t>(kMostCurves, static_cast<std::size_t>(v.size())));
    return fmt::format("{:.12g}{}", fmt::join(v.begin(), v.begin() + count, ", "), count < v.size() ? ", ..." : "");
  };
  std::string text = fmt::format("end               t = {:.10g} s ({})\n", run.end.t, r.stop_reason);
  text += fmt::format("integrator        {}, law {}{}\n", r.integrator, law_of(r),
                      std::isfinite(r.epsilon) ? fmt::format(", epsilon {:g} m/s", r.epsilon) : "");
  text += fmt::format("position          {}\nvelocity          {}\n", few(run.end.q), few(run.end.u));
  text += run.stop_time ? fmt::format("sticking since    {:.10g} s\n", *run.stop_time)
                        : "sticking since    still slipping at the end\n";
  text += fmt::format("stick             {:.6g} s in total\n", run.stick_time);
  text += fmt::format("energy            {:.6g} J dissipated, {:.6g} J input, residual {:.3g} J\n",
                      run.energy.dissipated, run.energy.input, run.energy.residual());
  if (!run.cycle_dissipation.empty())
    text += fmt::format("last cycle        {:.13g} J dissipated, cycle {}\n", run.cycle_dissipation.back(),
                        run.cycle_dissipation.size());
  if (r.integrator == "event-driven")
    text +=
        fmt::format("events            {}, {} of them at the same time as another, {} decided by a higher derivative\n",
                    r.events, r.ties, r.degenerate);
  text += fmt::format("steps             {} in {:.3g} s, {} evaluations, {} tried again\n", r.steps, r.seconds,
                      r.evaluations, r.error_test_failures);
  if (r.not_converged > 0) text += fmt::format("not converged     {} times\n", r.not_converged);
  for (const std::string& warning : r.warnings) text += fmt::format("warning           {}\n", warning);
  return text;
}

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
