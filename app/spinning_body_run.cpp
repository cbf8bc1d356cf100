// `slipset run` for [system] kind = "spinning-body".
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/run_report.hpp"
#include "slipset/scenario/spinning_body_scenario.hpp"

namespace slipset::app {

int run_spinning_body_file(const std::string& file, const CommonOptions& options) {
  SpinningBodyScenario scenario = read_spinning_body(file);
  std::filesystem::path folder = options.out;
  if (options.out.empty() && !options.json) folder = "out/" + std::filesystem::path(file).stem().string();
  if (!folder.empty()) const StagedFolder probe(folder);  // a folder that cannot be written is told before the work

  Progress progress(!options.quiet && !options.json);
  scenario.options.progress = [&](double done, double all) {
    progress.show(done, scenario.options.until_stick ? 0 : all, "simulated seconds");
    return true;
  };
  const Simulation run = simulate(scenario.body, scenario.start, scenario.options);
  progress.end();
  auto json = run_json(run);
  json["law"] = scenario.body.law().description();
  json["title"] = scenario.title;
  std::vector<std::string> problems;
  std::vector<std::filesystem::path> files;
  if (!folder.empty()) {
    StagedFolder staged(folder);
    write_file(staged.path() / "run.csv", csv_text(run.trajectory));
    write_file(staged.path() / "run.json", json.dump(2) + "\n");
    std::vector<Figure> figures;
    for (const std::string& name : scenario.figures)
      figures.push_back(name == "path"    ? spinning_path_figure(run, scenario.title)
                        : name == "force" ? spinning_force_figure(scenario.body, run, scenario.title)
                                          : spinning_time_figure(scenario.body, run, scenario.title));
    for (const Figure& figure : figures)
      if (const auto saved = figure.save(staged.path()); !saved.problem.empty()) problems.push_back(saved.problem);
    for (const auto& path : staged.publish())
      if (path.extension() != ".gp" && path.extension() != ".dat") files.push_back(path);
    for (const Figure& figure : figures) figure.remove_old_data(folder);
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.quiet) {
    fmt::print("{}\n", run_text(run));
    for (const auto& path : files) fmt::print("wrote {}\n", path.string());
  }
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return run.report.not_converged > 0 || !run.report.finished ? 3 : 0;
}

}  // namespace slipset::app
