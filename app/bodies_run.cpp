// `slipset run` for [system] kind = "rigid-bodies".
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/scenario/bodies_report.hpp"
#include "slipset/scenario/run_report.hpp"

namespace slipset::app {

int run_bodies_file(const std::string& file, const CommonOptions& options, const SavedProblems& problems) {
  BodiesScenario scenario = read_bodies_scenario(file);
  std::filesystem::path folder = options.out;
  if (options.out.empty() && !options.json) folder = "out/" + std::filesystem::path(file).stem().string();
  if (!folder.empty()) const StagedFolder probe(folder);  // a folder that cannot be written is told before the work
  if (!problems.folder.empty()) const StagedFolder probe(problems.folder);

  Progress progress(!options.quiet && !options.json);
  scenario.options.with.contact.threads = options.threads;
  scenario.options.progress = [&](double done, double all) {
    progress.show(done, all, "simulated seconds");
    return true;
  };
  std::vector<std::filesystem::path> files;
  std::size_t saved = 0;
  if (!problems.folder.empty())
    scenario.options.after_step = [&](const BodyStepper& stepper, long step) {
      if (step % problems.every != 0 || stepper.contacts().empty()) return;
      write_problem(std::filesystem::path(problems.folder) / fmt::format("step-{:06}.hdf5", step), stepper.problem(),
                    fmt::format("{}, step {}", scenario.title, step));
      ++saved;
    };
  const BodyRun run = run_bodies(scenario.world, scenario.options);
  progress.end();

  auto json = bodies_json(scenario, run);
  if (!problems.folder.empty()) json["saved_problems"] = saved;
  std::vector<std::string> troubles;
  if (!folder.empty()) {
    StagedFolder staged(folder);
    write_file(staged.path() / "run.csv", csv_text(bodies_table(run)));
    write_file(staged.path() / "run.json", json.dump(2) + "\n");
    std::vector<Figure> figures;
    for (const std::string& name : scenario.figures) {
      const auto figure = name == "path"        ? bodies_path_figure
                          : name == "snapshots" ? snapshots_figure
                                                : bodies_time_figure;
      figures.push_back(figure(scenario, run));
    }
    for (const Figure& figure : figures)
      if (const auto made = figure.save(staged.path()); !made.problem.empty()) troubles.push_back(made.problem);
    for (const auto& path : staged.publish())
      if (path.extension() != ".gp" && path.extension() != ".dat") files.push_back(path);
    for (const Figure& figure : figures) figure.remove_old_data(folder);
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.quiet) {
    fmt::print("{}\n", bodies_text(scenario, run));
    for (const auto& path : files) fmt::print("wrote {}\n", path.string());
    if (!problems.folder.empty()) fmt::print("wrote {} contact problems to {}\n", saved, problems.folder);
  }
  for (const std::string& trouble : troubles) fmt::print(stderr, "slipset: no picture: {}\n", trouble);
  return run.report.not_converged > 0 || !run.report.finished ? 3 : 0;
}

}  // namespace slipset::app
