#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/commands.hpp"
#include "app/find_modes.hpp"
#include "app/output.hpp"
#include "app/ranks.hpp"
#include "app/resume.hpp"
#include "app/scenario_option.hpp"
#include "app/standard_output.hpp"
#include "app/threads.hpp"
#include "app/watch.hpp"
#include "slipset/report/stability_report.hpp"
#include "slipset/report/structure_report.hpp"
#include "slipset/report/sweep_run.hpp"
#include "slipset/scenario/sweep_checkpoint.hpp"
#include "slipset/stability/mode_scan.hpp"

namespace slipset::app {
namespace {

struct StabilityCommandOptions {
  CommonOptions common;
  ResumeOptions resume;
  std::string file;
};

// The checkpoints of a structure's sweep: on disk where the first rank writes, its lists on every rank.
class SweepStore {
 public:
  SweepStore(const Scenario& file, const StabilityCommandOptions& options, const Output* output, Watch& watch) {
    const bool has_folder = output && !output->folder().empty();
    if (has_folder) store_.emplace(output->folder(), CheckpointOwner{kProgram, file.fingerprint()}, "stability");
    const double seconds = options.resume.seconds();
    checkpoint_.emplace(store_ && seconds >= 0 ? &*store_ : nullptr, seconds, [&watch](const std::string& why) {
      watch.end();
      tell(why + "; the sweep continues");
    });
    const auto lists = from_first_rank([&] {
      if (!store_) return std::vector<std::vector<double>>{};
      const std::optional<Checkpoint> from = starting_point(options.resume, options.common, *store_);
      if (from && !options.common.quiet) tell(fmt::format("resuming with {} solved points", from->t));
      return from ? SweepCheckpoint::lists_of(*from) : std::vector<std::vector<double>>{};
    });
    for (const std::vector<double>& list : lists) checkpoint_->put(list);
  }

  SweepCheckpoint& lists() { return *checkpoint_; }
  void remove() {
    if (store_) store_->remove();
  }
  // After Ctrl-C; the exit code.
  int report_stop(const StabilityCommandOptions& options, Watch& watch) {
    if (!checkpoint_->save()) return watch.report_stop();
    watch.end();
    tell("stopped; resume with: " + resume_command("stability", options.file, options.common, options.resume));
    return Interrupt::exit_code();
  }

 private:
  std::optional<CheckpointStore> store_;
  std::optional<SweepCheckpoint> checkpoint_;
};

// On every rank; the first one writes.
int run_structure(const Scenario& file, const StabilityCommandOptions& options) {
  const StructureSetup setup = file.located([&] { return StructureSetup(file); });
  require_obeyed(options.resume, options.common, setup.sweep() ? "" : "a structure without [sweep] has no checkpoints");
  std::optional<Output> output;
  if (ranks().first()) {
    output.emplace(options.common, folder_of(options.file), "stability");
    output->of_files({options.file});
  }
  Watch watch(options.common);
  SpectrumOptions search;
  search.threads = options.common.threads;
  search.progress = [&](const SpectrumProgress& p) {
    if (p.determinants > 0)
      watch.show(p.determinants, 0, fmt::format("determinants of the count, {} modes", p.found));
    else
      watch.show(p.shifts, p.shifts_known, fmt::format("shifts, {} modes", p.found));
  };
  search.stop = [] { return Watch::stopped(); };
  std::optional<SweepStore> store;
  if (setup.sweep()) store.emplace(file, options, output ? &*output : nullptr, watch);
  Spectrum modes = file.located([&] { return find_modes(setup.sliding().problem(), setup.box(), search); });
  Swept swept;
  if (setup.sweep() && !modes.report.stopped)
    swept = file.located([&] {
      search.progress = {};
      search.around = 0.25;  // modes that come into the box are then known before they do
      const int threads = ranks().all > 1 ? 1 : threads_of(options.common);
      const auto show = [&](double done, double all, const char* unit) {
        return first_rank_says(watch.show(done, all, unit));
      };
      return run_sweep(*setup.sweep(), threads, show,
                       [&](const ScanOptions& options_of_scan, std::optional<double> second) {
                         return scan_modes_on_ranks([&](double value) { return setup.at(value, second).problem(); },
                                                    [&](double at, const QuadraticProblem& problem, Counting counting) {
                                                      search.prove = counting == Counting::counted;
                                                      if (!search.prove)
                                                        return find_modes(problem, setup.box(), search);
                                                      if (auto known = store->lists().take({at, second}))
                                                        return *std::move(known);
                                                      Spectrum solved = find_modes(problem, setup.box(), search);
                                                      store->lists().keep({at, second}, solved);
                                                      return solved;
                                                    },
                                                    setup.box(), options_of_scan);
                       });
    });
  if (!output) return 0;
  if (modes.report.stopped || (swept.scan && swept.scan->ended_early) || watch.stopped())
    return store ? store->report_stop(options, watch) : watch.report_stop();
  const StructureAnswer answer = file.located([&] { return answer_structure(setup, std::move(modes), ranks().all); });
  watch.end();
  bool answered = answer.spectrum.report.complete;
  if (swept.scan)
    answered = answered && swept.scan->critical_unknown.empty() &&
               std::find(swept.scan->answered.begin(), swept.scan->answered.end(), false) == swept.scan->answered.end();
  if (swept.map) answered = answered && swept.map->unanswered == 0 && swept.map->boundary_unknown.empty();
  const int code =
      output->write(structure_results(setup, answer, swept.scan_or_null(), swept.map_or_null()), answered ? 0 : 3);
  if (store) store->remove();
  return code;
}

int run_stability(const StabilityCommandOptions& options) {
  const Scenario file = scenario_of(options.common, options.file, {"title", "law", "laws", "system", "modes", "sweep"});
  if (system_kind_of(file.root()).structure) return run_structure(file, options);
  require_one_rank("stability of this kind of system");
  require_obeyed(options.resume, options.common, "only sweeps of structures have checkpoints");
  const StabilitySetup scenario = file.located([&] { return StabilitySetup(file); });
  Output output(options.common, folder_of(options.file), "stability");
  output.of_files({options.file});
  const StabilityAnswer answer = file.located([&] { return answer_stability(scenario.base()); });
  const int threads = scenario.sweep() ? threads_of(options.common) : 1;
  Watch watch(options.common);
  Swept swept;
  if (scenario.sweep())
    swept = file.located([&] {
      return run_sweep(
          *scenario.sweep(), threads,
          [&](double done, double all, const char* unit) { return watch.show(done, all, unit); },
          [&](const ScanOptions& options_of_scan, std::optional<double> second) {
            return scan_stability([&](double value) { return scenario.at(value, second); }, options_of_scan);
          });
    });
  if (watch.stopped() && !swept.has_points()) return watch.report_stop();
  watch.end();
  const int code = swept.ended_early ? Interrupt::exit_code() : is_answered(answer, swept) ? 0 : 3;
  const int written =
      output.write(stability_results(scenario, answer, swept.scan_or_null(), swept.map_or_null()), code);
  if (swept.ended_early) tell("stopped; the results are those up to there");
  return written;
}

}  // namespace

Work add_stability_command(CLI::App& app) {
  auto options = std::make_shared<StabilityCommandOptions>();
  CLI::App* command = app.add_subcommand("stability",
                                         "Is steady sliding stable? Equilibrium, eigenvalues, which mechanisms supply "
                                         "energy; with [sweep] critical values");
  command
      ->add_option("FILE", options->file,
                   "Scenario file (TOML) with [law] and [system]; [sweep] is optional; a structure has [modes]")
      ->required();
  add_resume_options(*command, options->resume, "point that is solved");
  add_common_options(*command, options->common);
  add_set_option(*command, options->common);
  command->footer(
      "Example: slipset stability examples/scenarios/belt-stability.toml\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given. Exit code 3: no "
      "steady sliding was found, a structure's list of modes is not proven complete, or a sweep has points or critical "
      "values without an answer; what is known is written. After Ctrl-C, a crash or a power cut, a structure's sweep "
      "is "
      "continued with --resume.");
  return [options] { return run_stability(*options); };
}

}  // namespace slipset::app
