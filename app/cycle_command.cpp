#include <fmt/format.h>

#include <filesystem>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/cycle_sweep.hpp"

namespace slipset::app {
namespace {

struct CycleCommandOptions {
  CommonOptions common;
  std::string file;
};

std::filesystem::path folder_of(const CycleCommandOptions& options) {
  return options.common.out.empty() ? "out/" + std::filesystem::path(options.file).stem().string() : options.common.out;
}

// [sweep]: branches of cycles.
int run_branches(const CycleCommandOptions& options) {
  const CycleSweep sweep{std::filesystem::path(options.file)};
  CycleDiagram diagram;
  {
    const Interrupt interrupt;
    Progress progress(!options.common.quiet && !options.common.json);
    diagram = sweep.compute(options.common.threads, [&](double done, double all, const char* what) {
      progress.show(done, all, what);
      return !Interrupt::asked();
    });
    progress.end();
    if (Interrupt::asked()) {
      fmt::print(stderr, "slipset: stopped; nothing was written\n");
      return Interrupt::exit_code();
    }
  }
  const auto json = diagram_json(sweep, diagram);
  std::vector<std::filesystem::path> files;
  std::string problem;
  if (!options.common.json || !options.common.out.empty()) {
    const std::filesystem::path folder = folder_of(options);
    StagedFolder staged(folder);
    write_file(staged.path() / "branches.json", json.dump(2) + "\n");
    write_file(staged.path() / "branches.csv", branches_csv(sweep, diagram));
    write_file(staged.path() / "simulations.csv", motions_csv(sweep, diagram));
    const Figure figure = diagram_figure(sweep, diagram);
    problem = figure.save(staged.path()).problem;
    for (const auto& file : staged.publish())
      if (file.extension() != ".gp" && file.extension() != ".dat") files.push_back(file);
    figure.remove_old_data(folder);
  }
  if (options.common.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.common.quiet) {
    fmt::print("{}\n", diagram_text(sweep, diagram));
    for (const auto& file : files) fmt::print("wrote {}\n", file.string());
  }
  if (!problem.empty()) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return diagram.branches.empty() ? 3 : 0;
}

int run_cycle(const CycleCommandOptions& options) {
  if (CycleSweep::is_in(options.file)) return run_branches(options);
  const CycleScenario scenario = read_cycle_scenario(options.file);
  const Cycle cycle = find_cycle(*scenario.system, scenario.options);
  const auto json = cycle_json(scenario, cycle);
  std::vector<std::filesystem::path> files;
  std::string problem;
  if (!options.common.json || !options.common.out.empty()) {
    const std::filesystem::path folder = folder_of(options);
    StagedFolder staged(folder);
    write_file(staged.path() / "cycle.json", json.dump(2) + "\n");
    std::optional<Figure> figure;
    if (cycle.found) {
      write_file(staged.path() / "cycle.csv", csv_text(cycle.rows));
      figure = cycle_figure(scenario, cycle);
      problem = figure->save(staged.path()).problem;
    }
    for (const auto& file : staged.publish())
      if (file.extension() != ".gp" && file.extension() != ".dat") files.push_back(file);
    if (figure) figure->remove_old_data(folder);
  }
  if (options.common.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.common.quiet) {
    fmt::print("{}\n", cycle_text(scenario, cycle));
    for (const auto& file : files) fmt::print("wrote {}\n", file.string());
  }
  if (!problem.empty()) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return cycle.found ? 0 : 3;
}

}  // namespace

Work add_cycle_command(CLI::App& app) {
  auto options = std::make_shared<CycleCommandOptions>();
  CLI::App* command =
      app.add_subcommand("cycle", "The periodic motion that sliding ends on: period, stick, Floquet multipliers");
  command
      ->add_option("FILE", options->file,
                   "Scenario file (TOML) with [law] and [system]; [initial] and [integrator] lead to the cycle; "
                   "[sweep]: branches of cycles in a parameter")
      ->required();
  add_common_options(*command, options->common);
  command->footer(
      "Examples: slipset cycle examples/scenarios/belt-limit-cycle.toml\n"
      "          slipset cycle examples/scenarios/belt-cycle-branches.toml\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given. Exit code 3: no "
      "cycle was found.");
  return [options] { return run_cycle(*options); };
}

}  // namespace slipset::app
