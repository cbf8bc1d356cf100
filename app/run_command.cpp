#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/watch.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/report/any_run_report.hpp"
#include "slipset/scenario/scenario.hpp"

namespace slipset::app {
namespace {

constexpr const char* kProgram = "slipset " SLIPSET_VERSION;

struct RunCommandOptions {
  CommonOptions common;
  std::string file;
  bool resume = false;
  std::string checkpoint;  // empty: every 5 s
  std::string problems;    // folder; empty: none are saved
  int problems_every = 1;  // steps
};

// Seconds between checkpoints; negative: never.
double parse_checkpoint(const std::string& text) {
  if (text.empty()) return 5;
  if (text == "never") return -1;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds >= 0 && seconds <= 1e9))
    throw InvalidInput(
        fmt::format("--checkpoint: found \"{}\"; expected seconds, as in --checkpoint 60, or never", text));
  return seconds;
}

void check_options(const RunCommandOptions& options, const AnyRun& run, const std::filesystem::path& folder) {
  if (!options.problems.empty())
    if (const std::string why = why_no_problems(run); !why.empty()) throw InvalidInput("--save-problems: " + why);
  if (!options.resume && options.checkpoint.empty()) return;
  if (!has_checkpoints(run))
    throw InvalidInput("--resume and --checkpoint: this run has no checkpoints; remove the options");
  if (folder.empty())
    throw InvalidInput("--resume and --checkpoint need a folder for the files; with --json, give --out");
}

std::optional<Checkpoint> starting_point(const RunCommandOptions& options, CheckpointStore& store) {
  const auto say = [&](const std::string& what) {
    if (!options.common.quiet) fmt::print(stderr, "slipset: {}\n", what);
  };
  if (!store.exists()) {
    if (options.resume)
      say(fmt::format("no checkpoint in {}; starting from the beginning", store.path().parent_path().string()));
    return std::nullopt;
  }
  if (!options.resume) {
    say(fmt::format("ignoring checkpoint {}; use --resume to continue from it", store.path().string()));
    return std::nullopt;
  }
  Checkpoint checkpoint = store.load();
  say(fmt::format("resuming from t = {} s, with {} rows", checkpoint.t, checkpoint.rows.size()));
  return checkpoint;
}

int report_stop(const RunCommandOptions& options, const StoppedRun& run, bool with_files) {
  std::string command = fmt::format("slipset run {} --resume", options.file);
  if (!options.common.out.empty()) command += " --out " + options.common.out;
  const std::string where = run.t ? fmt::format(" at t = {} s", *run.t) : "";
  if (run.saved)
    fmt::print(stderr, "slipset: stopped{}; resume with: {}\n", where, command);
  else
    fmt::print(stderr, "slipset: stopped{}; {}\n", where,
               with_files ? "no checkpoint was written" : "nothing is saved without a folder; give --out");
  return Interrupt::exit_code();
}

int run_run(const RunCommandOptions& options) {
  const Scenario scenario{std::filesystem::path(options.file)};
  AnyRun run = read_any_run(scenario);
  const std::filesystem::path folder = output_folder(options.common, options.file);
  const double seconds = parse_checkpoint(options.checkpoint);
  check_options(options, run, folder);

  RunControl control;
  CheckpointStore store(folder, {kProgram, scenario.fingerprint()});
  if (!folder.empty() && has_checkpoints(run)) {
    control.from = starting_point(options, store);
    if (seconds >= 0) control.checkpoints = &store;
  }
  require_writable(folder);
  require_writable(options.problems);

  Watch watch(options.common);
  control.threads = options.common.threads;
  const char* const unit = std::holds_alternative<PulledBlockSetup>(run.scenario) ? "increments" : "simulated seconds";
  control.progress = [&](double done, double all) { watch.show(done, all, unit); };
  control.stop = Watch::stopped;
  control.checkpoint_seconds = seconds;
  control.trouble = [&](const std::string& why) {
    watch.end();
    std::fprintf(stderr, "slipset: %s; the run continues\n", why.c_str());  // does not throw where stderr is full, too
  };
  std::size_t saved = 0;
  if (!options.problems.empty())
    control.save_problem = [&](const ContactProblem& problem, long step) {
      if (step % options.problems_every != 0) return;
      write_problem(std::filesystem::path(options.problems) / fmt::format("step-{:06}.hdf5", step), problem,
                    fmt::format("{}, step {}", scenario.title(), step));
      ++saved;
    };
  auto ended = simulate(run, control);
  watch.end();
  if (const auto* stopped = std::get_if<StoppedRun>(&ended)) return report_stop(options, *stopped, !folder.empty());

  AnyOutcome& outcome = std::get<AnyOutcome>(ended);
  if (!options.problems.empty()) outcome.saved_problems = saved;
  Results results = run_results(run, outcome, {scenario.title(), kProgram, scenario.text()});
  if (!options.problems.empty())
    results.last_line = fmt::format("wrote {} contact problems to {}", saved, options.problems);
  write_results(results, folder, options.common);
  if (!folder.empty()) store.remove();
  if (was_stopped(outcome)) {
    fmt::print(stderr, "slipset: stopped at t = {} s; the results are those up to there\n",
               std::get<Run>(outcome.run).end.t);
    return Interrupt::exit_code();
  }
  return succeeded(outcome) ? 0 : 3;
}

}  // namespace

Work add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate: the motion, its forces and energies, as a table and pictures");
  command->add_option("FILE", options->file, "Scenario file (TOML) with [law], [system] and [integrator]")->required();
  command->add_flag("--resume", options->resume, "Continue from the checkpoint that an earlier run left in the folder");
  command
      ->add_option(
          "--checkpoint", options->checkpoint,
          "Seconds between checkpoints (default 5; 0: after every row), or never. Removed when the run is done")
      ->type_name("SECONDS");
  CLI::Option* const save =
      command
          ->add_option("--save-problems", options->problems,
                       "Rigid bodies: save the contact problem of each step as DIR/step-N.hdf5, for slipset solve")
          ->type_name("DIR");
  command->add_option("--every", options->problems_every, "Steps between saved problems; default 1")
      ->needs(save)
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000));
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset run examples/scenarios/belt-limit-cycle.toml\n"
      "After Ctrl-C, a crash or a power cut, the same command with --resume ends with the same results.\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_run(*options); };
}

}  // namespace slipset::app
