// `slipset run` for [system] kind = "rigid-bodies".
#include <fmt/format.h>

#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "app/run_results.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/scenario/bodies_report.hpp"
#include "slipset/scenario/run_report.hpp"

namespace slipset::app {

int run_bodies_file(const std::string& file, const CommonOptions& options, const SavedProblems& problems) {
  BodiesScenario scenario = read_bodies_scenario(file);
  if (!problems.folder.empty() && scenario.world.has_rolling_laws())
    throw InvalidInput("--save-problems: the files hold planar laws; take drilling and rolling out of the scenario");
  const std::filesystem::path folder = results_folder(file, options);
  if (!problems.folder.empty()) const StagedFolder probe(problems.folder);

  Progress progress(!options.quiet && !options.json);
  scenario.options.with.contact.threads = options.threads;
  scenario.options.progress = [&](double done, double all) {
    progress.show(done, all, "simulated seconds");
    return !Interrupt::asked();  // the rows so far are kept
  };
  std::size_t saved = 0;
  if (!problems.folder.empty())
    scenario.options.after_step = [&](const BodyStepper& stepper, long step) {
      if (step % problems.every != 0 || stepper.contacts().empty()) return;
      write_problem(std::filesystem::path(problems.folder) / fmt::format("step-{:06}.hdf5", step), stepper.problem(),
                    fmt::format("{}, step {}", scenario.title, step));
      ++saved;
    };
  const Interrupt interrupt;
  const BodyRun run = run_bodies(scenario.world, scenario.options);
  progress.end();

  RunResults results{csv_text(bodies_table(run)), bodies_text(scenario, run), bodies_json(scenario, run), {}, {}, {}};
  if (!problems.folder.empty()) {
    results.json["saved_problems"] = saved;
    results.last_line = fmt::format("wrote {} contact problems to {}", saved, problems.folder);
  }
  for (const std::string& name : scenario.figures) {
    const auto figure = name == "path"        ? bodies_path_figure
                        : name == "snapshots" ? snapshots_figure
                                              : bodies_time_figure;
    results.figures.push_back(figure(scenario, run));
  }
  leave(results, folder, options);
  return run.report.not_converged > 0 || !run.report.finished ? 3 : 0;
}

}  // namespace slipset::app
