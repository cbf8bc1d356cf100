#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/line_report.hpp"
#include "slipset/scenario/line_systems.hpp"
#include "slipset/scenario/run_report.hpp"
#include "slipset/scenario/run_scenario.hpp"

namespace slipset::app {
namespace {

struct RunOptions {
  CommonOptions common;
  std::string file;
};

using Figures = std::vector<std::function<Figure()>>;

// Files, figures and text of a run.
void leave(const RunOptions& options, const nlohmann::ordered_json& json, const Trajectory& trajectory,
           const std::string& text, const Figures& figures) {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> problems;
  if (!options.common.json || !options.common.out.empty()) {
    const std::filesystem::path folder =
        options.common.out.empty() ? "out/" + std::filesystem::path(options.file).stem().string() : options.common.out;
    write_file(folder / "run.csv", csv_text(trajectory));
    write_file(folder / "run.json", json.dump(2) + "\n");
    files = {folder / "run.csv", folder / "run.json"};
    for (const auto& make : figures) {
      const Figure figure = make();
      const Figure::Saved saved = figure.save(folder);
      files.push_back(folder / (figure.name() + ".png"));
      if (!saved.problem.empty()) problems.push_back(saved.problem);
    }
  }
  if (options.common.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.common.quiet) {
    fmt::print("{}\n", text);
    for (const auto& file : files) fmt::print("wrote {}\n", file.string());
  }
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
}

int run_line(const RunOptions& options, LineScenario& scenario) {
  Progress progress(!options.common.quiet && !options.common.json);
  scenario.options.progress = scenario.event_options.progress = [&](double done, double all) {
    progress.show(done, scenario.event_options.until_stick ? 0 : all, "simulated seconds");
    return true;
  };
  const LineSimulation run = simulate(scenario);
  progress.end();
  auto json = line_json(run);
  json["title"] = scenario.title;
  Figures figures;
  for (const std::string& name : scenario.figures)
    figures.push_back([&scenario, &run, name] {
      return (name == "time" ? line_time_figure : line_force_figure)(scenario.system, run, scenario.title);
    });
  leave(options, json, run.trajectory, line_text(run), figures);
  return run.report.finished && run.report.not_converged == 0 ? 0 : 3;
}

int run_run(const RunOptions& options) {
  if (std::optional<LineScenario> line = read_line_scenario(options.file)) return run_line(options, *line);
  RunScenario scenario = read_run_scenario(options.file);
  Progress progress(!options.common.quiet && !options.common.json);
  scenario.options.progress = [&](double done, double all) {
    progress.show(done, scenario.options.until_stick ? 0 : all, "simulated seconds");
    return true;
  };
  const Simulation run = simulate(*scenario.system, scenario.start, scenario.options);
  progress.end();

  auto json = run_json(run);
  json["title"] = scenario.title;
  Figures figures;
  for (const std::string& name : scenario.figures)
    figures.push_back([&scenario, &run, name] {
      const auto figure = name == "path" ? path_figure : name == "force" ? force_figure : time_figure;
      return figure(*scenario.system, run, scenario.title);
    });
  leave(options, json, run.trajectory, run_text(run), figures);
  return run.report.not_converged > 0 ? 3 : 0;
}

}  // namespace

Work add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate: the motion, its forces and energies, as a table and pictures");
  command->add_option("FILE", options->file, "Scenario file (TOML) with [law], [system] and [integrator]")->required();
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset run examples/scenarios/belt-limit-cycle.toml\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_run(*options); };
}

}  // namespace slipset::app
