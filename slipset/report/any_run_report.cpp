#include "slipset/report/any_run_report.hpp"

#include <nlohmann/json.hpp>

#include "slipset/io/csv.hpp"
#include "slipset/report/axial_report.hpp"
#include "slipset/report/bodies_report.hpp"
#include "slipset/report/pulled_block_report.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/report/spinning_figures.hpp"
#include "slipset/systems/axial_system.hpp"
#include "slipset/systems/bodies/body_world.hpp"
#include "slipset/systems/spinning_body.hpp"

namespace slipset {
namespace {

std::string table_name(const std::string& format) { return format == "csv" ? "run.csv" : "run.h5"; }

void add_table(const std::vector<std::string>& formats, const Run& run, const Hdf5Notes& notes, Results& results) {
  for (const std::string& format : formats)
    results.files.emplace_back(table_name(format), format == "csv" ? csv_text(run.table) : hdf5_bytes(run, notes));
}

// What the kind of system adds to the JSON and the text, and its figures by name.
struct RunView {
  nlohmann::ordered_json json;
  std::string text;
  std::function<Figure(const std::string&)> figure;
};

RunView view_of(const RunSetup& s, const AnyOutcome& outcome) {
  const Run& run = std::get<Run>(outcome.run);
  const std::string& title = s.title;
  if (const auto* const axial = dynamic_cast<const AxialSystem*>(s.system.get()))
    return {axial_json(run), axial_text(run), [&run, &title, axial](const std::string& name) {
              return (name == "time" ? axial_time_figure : axial_force_figure)(*axial, run, title);
            }};
  if (const auto* const body = dynamic_cast<const SpinningBody*>(s.system.get())) {
    RunView view{run_json(run), run_text(run), [&run, &title, body](const std::string& name) {
                   return name == "path"    ? spinning_path_figure(run, title)
                          : name == "force" ? spinning_force_figure(*body, run, title)
                                            : spinning_time_figure(*body, run, title);
                 }};
    view.json["law"] = body->law().description();
    return view;
  }
  if (const auto* const world = dynamic_cast<const BodyWorld*>(s.system.get())) {
    RunView view{bodies_json(*world, run, title), bodies_text(*world, run, title),
                 [&run, &title, world](const std::string& name) {
                   const auto figure = name == "path"        ? bodies_path_figure
                                       : name == "snapshots" ? snapshots_figure
                                                             : bodies_time_figure;
                   return figure(*world, run, title);
                 }};
    if (outcome.saved_problems) view.json["saved_problems"] = *outcome.saved_problems;
    return view;
  }
  return {run_json(run), run_text(run), [&run, &title, &s](const std::string& name) {
            return (name == "path" ? path_figure : name == "force" ? force_figure : time_figure)(*s.system, run, title);
          }};
}

Results results_of(const RunSetup& s, const AnyOutcome& outcome, const Hdf5Notes& notes) {
  RunView view = view_of(s, outcome);
  view.json["title"] = s.title;
  Results results{"run", view.json.dump(2), view.text};
  add_table(s.formats, std::get<Run>(outcome.run), notes, results);
  if (std::get<Run>(outcome.run).table.rows().empty()) return results;  // it left the range of numbers at once
  for (const std::string& name : s.figures) results.figures.push_back(view.figure(name));
  return results;
}

Results results_of(const PulledBlockSetup& s, const AnyOutcome& outcome, const Hdf5Notes&) {
  const InterfacePath& run = std::get<InterfacePath>(outcome.run);
  auto json = pulled_block_json(s, run);
  json["title"] = s.title;
  return {"run",
          json.dump(2),
          pulled_block_text(s, run),
          {{"run.csv", csv_text(pulled_block_table(run))}},
          {hysteresis_figure(run, s.title), interface_force_figure(s, run)}};
}

std::vector<std::string> tables_of(const RunSetup& s) {
  std::vector<std::string> names;
  for (const std::string& format : s.formats) names.push_back(table_name(format));
  return names;
}
std::vector<std::string> tables_of(const PulledBlockSetup&) { return {"run.csv"}; }

std::vector<std::string> figures_of(const RunSetup& s) { return s.figures; }
std::vector<std::string> figures_of(const PulledBlockSetup&) { return {"hysteresis", "force"}; }

}  // namespace

std::vector<std::string> result_names(const AnyRun& run, PictureFormat format) {
  return std::visit(
      [&](const auto& scenario) {
        std::vector<std::string> names = tables_of(scenario);
        for (const std::string& figure : figures_of(scenario)) {
          names.push_back(figure + ".gp");
          names.push_back(figure + ending_of(format));
        }
        return names;
      },
      run.scenario);
}

Results run_results(const AnyRun& run, const AnyOutcome& outcome, const Hdf5Notes& notes) {
  return std::visit([&](const auto& scenario) { return results_of(scenario, outcome, notes); }, run.scenario);
}

}  // namespace slipset
