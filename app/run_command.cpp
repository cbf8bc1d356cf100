#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <functional>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "app/run_results.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/bodies_scenario.hpp"
#include "slipset/scenario/checkpointed_run.hpp"
#include "slipset/scenario/line_report.hpp"
#include "slipset/scenario/line_systems.hpp"
#include "slipset/scenario/pulled_block_scenario.hpp"
#include "slipset/scenario/run_hdf5.hpp"
#include "slipset/scenario/run_report.hpp"
#include "slipset/scenario/spinning_body_scenario.hpp"

namespace slipset::app {
namespace {

constexpr const char* kProgram = "slipset " SLIPSET_VERSION;

struct RunOptions {
  CommonOptions common;
  std::string file;
  bool resume = false;
  std::string checkpoint;  // empty: every 5 s
  SavedProblems problems;
};

// Empty with --json alone: then there are no files.
std::filesystem::path folder_of(const RunOptions& options) {
  if (!options.common.out.empty()) return options.common.out;
  return options.common.json ? "" : "out/" + std::filesystem::path(options.file).stem().string();
}

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

std::optional<Checkpoint> starting_point(const RunOptions& options, CheckpointStore& store) {
  const auto say = [&](const std::string& what) {
    if (!options.common.quiet) fmt::print(stderr, "slipset: {}\n", what);
  };
  if (!store.exists()) {
    if (options.resume)
      say(fmt::format("no checkpoint in {}: starts from the beginning", store.path().parent_path().string()));
    return std::nullopt;
  }
  if (!options.resume) {
    say(fmt::format("{} is not used, and will be replaced; --resume would go on from it", store.path().string()));
    return std::nullopt;
  }
  Checkpoint checkpoint = store.load();
  say(fmt::format("resumes from t = {} s, with {} rows", checkpoint.t, checkpoint.rows.size()));
  return checkpoint;
}

int stopped(const RunOptions& options, const CheckpointedRun& run, bool with_files) {
  std::string command = fmt::format("slipset run {} --resume", options.file);
  if (!options.common.out.empty()) command += " --out " + options.common.out;
  if (run.saved)
    fmt::print(stderr, "slipset: stopped at t = {} s; this goes on from there: {}\n", run.t, command);
  else
    fmt::print(stderr, "slipset: stopped at t = {} s; {}\n", run.t,
               with_files ? "no checkpoint of this moment" : "nothing is kept without a folder: give --out");
  return Interrupt::exit_code();
}

// What a run leaves behind.
int run_line(const RunOptions& options, LineScenario& scenario) {
  if (options.resume || !options.checkpoint.empty())
    throw InvalidInput("--resume and --checkpoint are not for systems along one line, whose runs are short");
  Progress progress(!options.common.quiet && !options.common.json);
  scenario.options.progress = scenario.event_options.progress = [&](double done, double all) {
    progress.show(done, scenario.event_options.until_stick ? 0 : all, "simulated seconds");
    return true;
  };
  const LineSimulation run = simulate(scenario);
  progress.end();
  RunResults results{csv_text(run.trajectory), line_text(run), line_json(run), {}, {}, {}};
  results.json["title"] = scenario.title;
  for (const std::string& name : scenario.figures) {
    const auto figure = name == "time" ? line_time_figure : line_force_figure;
    results.figures.push_back(figure(scenario.system, run, scenario.title));
  }
  leave(results, folder_of(options), options.common);
  return run.report.finished && run.report.not_converged == 0 ? 0 : 3;
}

int run_run(const RunOptions& options) {
  if (is_bodies_scenario(options.file)) {
    if (options.resume || !options.checkpoint.empty())
      throw InvalidInput("--resume and --checkpoint are not for rigid bodies, whose state is not kept");
    return run_bodies_file(options.file, options.common, options.problems);
  }
  if (!options.problems.folder.empty()) throw InvalidInput("--save-problems is for [system] kind = \"rigid-bodies\"");
  if (std::optional<LineScenario> line = read_line_scenario(options.file)) return run_line(options, *line);
  if (is_pulled_block(options.file)) return run_pulled_block_file(options.file, options.common);
  if (is_spinning_body(options.file)) {
    if (options.resume || !options.checkpoint.empty())
      throw InvalidInput("--resume and --checkpoint are not for a spinning-body, whose runs are short");
    return run_spinning_body_file(options.file, options.common);
  }
  const std::string scenario_text = read_file(options.file);
  RunScenario scenario = read_run_scenario(options.file);
  const std::filesystem::path folder = folder_of(options);
  const double seconds = parse_checkpoint(options.checkpoint);
  if (folder.empty() && (options.resume || !options.checkpoint.empty()))
    throw InvalidInput("--resume and --checkpoint need a folder for the files; with --json, give --out");

  CheckpointStore store(folder, {kProgram, scenario_fingerprint(options.file)});
  std::optional<Checkpoint> from;
  if (!folder.empty()) {
    from = starting_point(options, store);
    const StagedFolder probe(folder);  // a folder that cannot be written is told before the work
  }
  Progress progress(!options.common.quiet && !options.common.json);
  scenario.options.progress = [&](double done, double all) {
    progress.show(done, scenario.options.until_stick ? 0 : all, "simulated seconds");
    return true;
  };
  CheckpointOptions checkpoints;
  checkpoints.seconds = seconds;
  checkpoints.stop = Interrupt::asked;
  checkpoints.trouble = [&](const std::string& why) {
    progress.end();
    std::fprintf(stderr, "slipset: %s; the run goes on\n", why.c_str());  // does not throw where stderr is full, too
  };
  CheckpointedRun done;
  {
    const Interrupt interrupt;
    done = run_with_checkpoints(scenario, from, folder.empty() || seconds < 0 ? nullptr : &store, checkpoints);
  }
  progress.end();
  if (!done.simulation) return stopped(options, done, !folder.empty());

  const Simulation& run = *done.simulation;
  RunResults results{{}, run_text(run), run_json(run), {}, {}, {}};
  results.json["title"] = scenario.title;
  for (const std::string& format : scenario.formats)
    if (format == "csv")
      results.csv = csv_text(run.trajectory);
    else
      results.hdf5 = hdf5_bytes(run, {scenario.title, kProgram, scenario_text});
  for (const std::string& name : scenario.figures) {
    const auto figure = name == "path" ? path_figure : name == "force" ? force_figure : time_figure;
    results.figures.push_back(figure(*scenario.system, run, scenario.title));
  }
  leave(results, folder_of(options), options.common);
  if (!folder.empty()) store.remove();
  return run.report.not_converged > 0 || !run.report.finished ? 3 : 0;
}

}  // namespace

Work add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate: the motion, its forces and energies, as a table and pictures");
  command->add_option("FILE", options->file, "Scenario file (TOML) with [law], [system] and [integrator]")->required();
  command->add_flag("--resume", options->resume, "Go on from the checkpoint that an earlier run left in the folder");
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "Seconds between checkpoints: 5; 0 after every row; or never. Removed when the run is done")
      ->type_name("SECONDS");
  command
      ->add_option("--save-problems", options->problems.folder,
                   "Of rigid bodies: the contact problem of each step as DIR/step-N.hdf5, for slipset solve")
      ->type_name("DIR");
  command->add_option("--every", options->problems.every, "Steps between saved problems; 1")
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
