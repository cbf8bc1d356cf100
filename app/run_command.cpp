#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/resume.hpp"
#include "app/scenario_option.hpp"
#include "app/standard_output.hpp"
#include "app/threads.hpp"
#include "app/watch.hpp"
#include "slipset/io/file_series.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/report/any_run_report.hpp"

namespace slipset::app {
namespace {

struct RunCommandOptions {
  CommonOptions common;
  std::string file;
  ResumeOptions resume;
  std::string problems;    // folder; empty: none are saved
  int problems_every = 1;  // steps
};

void check_options(const RunCommandOptions& options, const AnyRun& run) {
  if (!options.problems.empty())
    if (const std::string why = why_no_problems(run); !why.empty()) throw InvalidInput("--save-problems: " + why);
  require_obeyed(options.resume, options.common, has_checkpoints(run) ? "" : "this run has no checkpoints");
}

int report_stop(const RunCommandOptions& options, const StoppedRun& run, bool with_files) {
  const std::string where = run.t ? fmt::format(" at t = {} s", *run.t) : "";
  if (run.saved)
    tell(fmt::format(
        "stopped{}; resume with: {}", where,
        resume_command("run", options.file, options.common, options.resume,
                       {{"--save-problems", options.problems},
                        {"--every", options.problems_every == 1 ? "" : std::to_string(options.problems_every)}})));
  else
    tell(fmt::format("stopped{}; {}", where,
                     with_files ? "no checkpoint was written" : "nothing is saved without a folder; give --out"));
  return Interrupt::exit_code();
}

int run_run(const RunCommandOptions& options) {
  const Scenario scenario = scenario_of(options.common, options.file, tables_of_runs());
  AnyRun run = scenario.located([&] { return read_any_run(scenario); });
  const int threads = threads_of(options.common);
  check_options(options, run);
  const double seconds = options.resume.seconds();
  Output output(options.common, folder_of(options.file), "run", result_names(run, options.common.format));
  output.of_files({options.file});
  const std::filesystem::path& folder = output.folder();

  RunControl control;
  CheckpointStore store(folder, {kProgram, scenario.fingerprint()});
  if (!folder.empty() && has_checkpoints(run)) {
    control.from = starting_point(options.resume, options.common, store);
    if (control.from && !options.common.quiet)
      tell(fmt::format("resuming from t = {} s, with {} rows", control.from->t, control.from->rows.size()));
    if (seconds >= 0) control.checkpoints = &store;
  }

  std::optional<FileSeries> problems;
  if (!options.problems.empty()) problems.emplace(options.problems, "step-", ".hdf5", control.from.has_value());

  Watch watch(options.common);
  control.threads = threads;
  const char* const unit = std::holds_alternative<PulledBlockSetup>(run.scenario) ? "increments" : "simulated seconds";
  control.progress = [&](double done, double all) { watch.show(done, all, unit); };
  control.stop = Watch::stopped;
  control.checkpoint_seconds = seconds;
  control.trouble = [&](const std::string& why) {
    watch.end();
    tell(why + "; the run continues");
  };
  std::size_t saved = 0;
  if (problems)
    control.save_problem = [&](const ContactProblem& problem, long step) {
      if (step % options.problems_every != 0) return;
      write_problem(problems->path(step), problem, fmt::format("{}, step {}", scenario.title(), step));
      ++saved;
    };
  auto ended = scenario.located([&] { return simulate(run, control); });
  watch.end();
  if (const auto* stopped = std::get_if<StoppedRun>(&ended)) return report_stop(options, *stopped, !folder.empty());

  AnyOutcome& outcome = std::get<AnyOutcome>(ended);
  if (!options.problems.empty()) outcome.saved_problems = saved;
  Results results = run_results(run, outcome, {scenario.title(), kProgram, scenario.text()});
  if (!options.problems.empty())
    results.last_line = fmt::format("wrote {} contact problems to {}", saved, options.problems);
  const int code = output.write(results, was_stopped(outcome) ? Interrupt::exit_code() : succeeded(outcome) ? 0 : 3);
  if (!folder.empty()) store.remove();
  if (was_stopped(outcome))
    tell(fmt::format("stopped at t = {} s; the results are those up to there", std::get<Run>(outcome.run).end.t));
  return code;
}

}  // namespace

Work add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate: the motion, its forces and energies, as a table and pictures");
  command->add_option("FILE", options->file, "Scenario file (TOML) with [law], [system] and [integrator]")->required();
  add_resume_options(*command, options->resume, "row");
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
  add_set_option(*command, options->common);
  command->footer(
      "Example: slipset run examples/scenarios/belt-limit-cycle.toml\n"
      "After Ctrl-C, a crash or a power cut, the same command with --resume ends with the same results.\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_run(*options); };
}

}  // namespace slipset::app
