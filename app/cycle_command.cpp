#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/scenario_option.hpp"
#include "app/standard_output.hpp"
#include "app/threads.hpp"
#include "app/watch.hpp"
#include "slipset/report/cycle_report.hpp"
#include "slipset/report/cycle_scan_report.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset::app {
namespace {

struct CycleCommandOptions {
  CommonOptions common;
  std::string file;
};

// [sweep]: branches of cycles.
int run_branches(const CycleCommandOptions& options, const Scenario& file) {
  const CycleScan scan = file.located([&] { return CycleScan(file); });
  const int threads = threads_of(options.common);
  Output output(options.common, folder_of(options.file), "cycle", {"branches.json", "branches.csv"});
  output.of_files({options.file});
  Watch watch(options.common);
  const CycleDiagram diagram = file.located([&] {
    return scan.compute(
        threads, [&](double done, double all, const char* what) { return watch.show(done, all, what); },
        [] { return !Watch::stopped(); });
  });
  if (diagram.ended_early && diagram.branches.empty()) return watch.report_stop();
  watch.end();
  const int code = diagram.ended_early ? Interrupt::exit_code() : diagram.branches.empty() ? 3 : 0;
  const int written = output.write(cycle_scan_results(scan, diagram), code);
  if (diagram.ended_early) tell("stopped; the results are those up to there");
  return written;
}

int run_cycle(const CycleCommandOptions& options) {
  const Scenario file =
      scenario_of(options.common, options.file, {"title", "law", "laws", "system", "initial", "integrator", "sweep"});
  require_tables_of(system_kind_of(file.root()), file.root());
  if (file.root().has("sweep")) return run_branches(options, file);
  CycleSetup scenario = file.located([&] { return read_cycle(file.root()); });
  Output output(options.common, folder_of(options.file), "cycle");
  output.of_files({options.file});
  Watch watch(options.common);
  scenario.options.progress = [&](double done, double all, const char* what) { return watch.show(done, all, what); };
  const Cycle cycle = file.located([&] { return find_cycle(*scenario.system, scenario.options); });
  if (Watch::stopped() && !cycle.found) return watch.report_stop();
  watch.end();
  return output.write(cycle_results(scenario, cycle), cycle.found ? 0 : 3);
}

}  // namespace

Work add_cycle_command(CLI::App& app) {
  auto options = std::make_shared<CycleCommandOptions>();
  CLI::App* command =
      app.add_subcommand("cycle", "The periodic motion that sliding settles on: period, stick, Floquet multipliers");
  command
      ->add_option("FILE", options->file,
                   "Scenario file (TOML) with [law] and [system]; [initial] and [integrator] lead to the cycle; "
                   "[sweep]: branches of cycles in a parameter")
      ->required();
  add_common_options(*command, options->common);
  add_set_option(*command, options->common);
  command->footer(
      "Examples: slipset cycle examples/scenarios/belt-limit-cycle.toml\n"
      "          slipset cycle examples/scenarios/belt-cycle-branches.toml\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given. Exit code 3: no "
      "cycle was found.");
  return [options] { return run_cycle(*options); };
}

}  // namespace slipset::app
