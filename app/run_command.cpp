#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/checkpointed_run.hpp"
#include "slipset/scenario/pulled_block_scenario.hpp"
#include "slipset/scenario/run_hdf5.hpp"
#include "slipset/scenario/run_report.hpp"

namespace slipset::app {
namespace {

constexpr const char* kProgram = "slipset " SLIPSET_VERSION;

struct RunOptions {
  CommonOptions common;
  std::string file;
  bool resume = false;
  std::string checkpoint;  // empty: every 5 s
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

struct Written {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> problems;  // pictures that could not be drawn
};

Written write_results(const RunOptions& options, const RunScenario& scenario, const Simulation& run,
                      const std::string& json) {
  const std::filesystem::path folder = folder_of(options);
  StagedFolder staged(folder);
  Written written;
  for (const std::string& format : scenario.formats)
    if (format == "csv")
      write_file(staged.path() / "run.csv", csv_text(run.trajectory));
    else
      write_file(staged.path() / "run.h5", hdf5_bytes(run, {scenario.title, kProgram, read_file(options.file)}));
  write_file(staged.path() / "run.json", json);
  std::vector<Figure> figures;
  for (const std::string& name : scenario.figures) {
    const auto figure = name == "path" ? path_figure : name == "force" ? force_figure : time_figure;
    figures.push_back(figure(*scenario.system, run, scenario.title));
    const Figure::Saved saved = figures.back().save(staged.path());
    if (!saved.problem.empty()) written.problems.push_back(saved.problem);
  }
  for (const auto& file : staged.publish())
    if (file.extension() != ".gp" && file.extension() != ".dat") written.files.push_back(file);
  for (const Figure& figure : figures) figure.remove_old_data(folder);
  return written;
}

int run_run(const RunOptions& options) {
  if (is_pulled_block(options.file)) return run_pulled_block_file(options.file, options.common);
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
  auto json = run_json(run);
  json["title"] = scenario.title;
  Written written;
  if (!folder.empty()) {
    written = write_results(options, scenario, run, json.dump(2) + "\n");
    store.remove();
  }
  if (options.common.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.common.quiet) {
    fmt::print("{}\n", run_text(run));
    for (const auto& file : written.files) fmt::print("wrote {}\n", file.string());
  }
  for (const std::string& problem : written.problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return run.report.not_converged > 0 ? 3 : 0;
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
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset run examples/scenarios/belt-limit-cycle.toml\n"
      "After Ctrl-C, a crash or a power cut, the same command with --resume ends with the same results.\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_run(*options); };
}

}  // namespace slipset::app
