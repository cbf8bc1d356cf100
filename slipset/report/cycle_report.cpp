#include "slipset/report/cycle_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/csv.hpp"
#include "slipset/report/json.hpp"
#include "slipset/report/run_report.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json cycle_json(const CycleSetup& scenario, const Cycle& cycle) {
  Json json;
  json["title"] = scenario.title;
  json["found"] = cycle.found;
  json["why"] = cycle.why;
  if (!cycle.found) return json;
  json["period"] = cycle.period;
  json["stick_time"] = cycle.stick_time;
  json["stick_fraction"] = cycle.stick_fraction();
  auto& multipliers = json["multipliers"] = Json::array();
  for (const auto& m : cycle.multipliers)
    multipliers.push_back(m.imag() == 0 ? Json(m.real()) : Json({m.real(), m.imag()}));
  if (!cycle.note.empty()) json["note"] = cycle.note;
  json["stable"] = cycle.is_stable();
  json["stability"] = kCycleStabilityNames[static_cast<std::size_t>(cycle.stability())];
  json["min"] = json_of(cycle.smallest);
  json["max"] = json_of(cycle.largest);
  json["position"] = json_of(cycle.at.q);
  json["velocity"] = json_of(cycle.at.u);
  json["closing"] = cycle.closing;
  return json;
}

std::string cycle_text(const CycleSetup& scenario, const Cycle& cycle) {
  if (!cycle.found) return "no cycle found: " + cycle.why + "\n";
  std::string text = fmt::format("cycle: {}\n  period          {:.10g} s\n  stick           {:.10g} s, {:.4g} of it\n",
                                 kCycleStabilityNames[static_cast<std::size_t>(cycle.stability())], cycle.period,
                                 cycle.stick_time, cycle.stick_fraction());
  text += "  multipliers    ";
  if (!cycle.note.empty()) text += fmt::format(" ({})", cycle.note);
  for (const auto& m : cycle.multipliers)
    text += m.imag() == 0 ? fmt::format(" {:.8g}", m.real()) : fmt::format(" {:.8g}{:+.8g}i", m.real(), m.imag());
  text += "\n";
  const std::vector<std::string> names = scenario.system->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("  {:<15} {:.10g} to {:.10g}\n", names[i], cycle.smallest[static_cast<Eigen::Index>(i)],
                        cycle.largest[static_cast<Eigen::Index>(i)]);
  return text + "  found " + cycle.why + "\n";
}

Figure cycle_figure(const CycleSetup& scenario, const Cycle& cycle) {
  const Eigen::Index n = scenario.system->dofs();
  const std::vector<std::string> names = scenario.system->coordinates();
  std::vector<std::vector<double>> rows;
  const std::size_t step = std::max<std::size_t>(1, cycle.rows.rows().size() / 4000);
  for (std::size_t i = 0; i < cycle.rows.rows().size(); i += step) {
    const auto& row = cycle.rows.rows()[i];
    rows.push_back(row.numbers());
    rows.back().resize(static_cast<std::size_t>(1 + 2 * n));
  }
  // To where it began: straight while sticking.
  std::vector<double> last(static_cast<std::size_t>(1 + 2 * n), cycle.period);
  for (std::size_t k = 1; k < last.size(); ++k) last[k] = rows.front()[k];
  rows.push_back(last);
  Figure figure("cycle", 800, 760);
  const std::string data = figure.add_data("rows", rows);
  const bool planar = n >= 2;
  figure.add(fmt::format(
      "set title {} noenhanced\n{}set "
      "xlabel '{} [m]' noenhanced\nset ylabel '{}' noenhanced\nplot '{}' using {} with lines lw 2 lc rgb '#1f4e79' "
      "title 'cycle, period {:.6g} s'",
      gnuplot_string(scenario.title), planar ? "set size ratio -1\n" : "", names[0],
      planar ? names[1] + " [m]" : "d" + names[0] + " [m/s]", data, planar ? "2:3" : fmt::format("2:{}", 2 + n),
      cycle.period));
  return figure;
}

Results cycle_results(const CycleSetup& scenario, const Cycle& cycle) {
  Results results{"cycle", cycle_json(scenario, cycle).dump(2), cycle_text(scenario, cycle)};
  if (!cycle.found) return results;
  results.files.emplace_back("cycle.csv", csv_text(cycle.rows));
  results.figures.push_back(cycle_figure(scenario, cycle));
  return results;
}

}  // namespace slipset
