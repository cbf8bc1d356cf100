#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/scenario_option.hpp"
#include "app/standard_output.hpp"
#include "app/threads.hpp"
#include "app/watch.hpp"
#include "slipset/io/file_series.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/report/any_run_report.hpp"

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

void check_options(const RunCommandOptions& options, const AnyRun& run) {
  if (!options.problems.empty())
    if (const std::string why = why_no_problems(run); !why.empty()) throw InvalidInput("--save-problems: " + why);
  if (!options.resume && options.checkpoint.empty()) return;
  if (!has_checkpoints(run))
    throw InvalidInput("--resume and --checkpoint: this run has no checkpoints; remove the options");
  if (options.common.json && options.common.out.empty())
    throw InvalidInput("--resume and --checkpoint need a folder for the files; with --json, give --out");
}

std::optional<Checkpoint> starting_point(const RunCommandOptions& options, CheckpointStore& store) {
  const auto say = [&](const std::string& what) {
    if (!options.common.quiet) tell(what);
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

// As a POSIX shell reads it back.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// The command as it was given, with --resume.
std::string resume_command(const RunCommandOptions& options) {
  const CommonOptions& common = options.common;
  std::string command = "slipset run " + shell_word(options.file) + " --resume";
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", flag, shell_word(value));
  };
  add("--out", common.out);
  for (const std::string& setting : common.set) add("--set", setting);
  add("--checkpoint", options.checkpoint);
  add("--save-problems", options.problems);
  add("--every", options.problems_every == 1 ? "" : std::to_string(options.problems_every));
  add("--format", common.format == PictureFormat::png ? "" : ending_of(common.format).substr(1));
  add("--threads", common.threads == 0 ? "" : std::to_string(common.threads));
  if (common.json) command += " --json";
  if (common.quiet) command += " --quiet";
  return command;
}

int report_stop(const RunCommandOptions& options, const StoppedRun& run, bool with_files) {
  const std::string where = run.t ? fmt::format(" at t = {} s", *run.t) : "";
  if (run.saved)
    tell(fmt::format("stopped{}; resume with: {}", where, resume_command(options)));
  else
    tell(fmt::format("stopped{}; {}", where,
                     with_files ? "no checkpoint was written" : "nothing is saved without a folder; give --out"));
  return Interrupt::exit_code();
}

int run_run(const RunCommandOptions& options) {
  const Scenario scenario = scenario_of(options.common, options.file, tables_of_runs());
  AnyRun run = scenario.located([&] { return read_any_run(scenario); });
  const double seconds = parse_checkpoint(options.checkpoint);
  const int threads = threads_of(options.common);
  check_options(options, run);
  Output output(options.common, folder_of(options.file), "run", result_names(run, options.common.format));
  output.of_files({options.file});
  const std::filesystem::path& folder = output.folder();

  RunControl control;
  CheckpointStore store(folder, {kProgram, scenario.fingerprint()});
  if (!folder.empty() && has_checkpoints(run)) {
    control.from = starting_point(options, store);
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
  add_set_option(*command, options->common);
  command->footer(
      "Example: slipset run examples/scenarios/belt-limit-cycle.toml\n"
      "After Ctrl-C, a crash or a power cut, the same command with --resume ends with the same results.\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_run(*options); };
}

}  // namespace slipset::app
