// `slipset run` for [system] kind = "pulled-block".
#include <fmt/format.h>

#include "app/commands.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/pulled_block_scenario.hpp"
#include "slipset/scenario/run_report.hpp"

namespace slipset::app {

int run_pulled_block_file(const std::string& file, const CommonOptions& options) {
  const PulledBlockScenario scenario = read_pulled_block(file);
  std::filesystem::path folder = options.out;
  if (options.out.empty() && !options.json) folder = "out/" + std::filesystem::path(file).stem().string();
  if (!folder.empty()) const StagedFolder probe(folder);  // a folder that cannot be written is told before the work

  const InterfaceRun run = run_pulled_block(scenario);
  auto json = pulled_block_json(scenario, run);
  json["title"] = scenario.title;
  std::vector<std::string> problems;
  std::vector<std::filesystem::path> files;
  if (!folder.empty()) {
    StagedFolder staged(folder);
    write_file(staged.path() / "run.csv", csv_text(pulled_block_table(run)));
    write_file(staged.path() / "run.json", json.dump(2) + "\n");
    const std::vector<Figure> figures = {hysteresis_figure(run, scenario.title), interface_force_figure(scenario, run)};
    for (const Figure& figure : figures)
      if (const auto saved = figure.save(staged.path()); !saved.problem.empty()) problems.push_back(saved.problem);
    for (const auto& path : staged.publish())
      if (path.extension() != ".gp" && path.extension() != ".dat") files.push_back(path);
    for (const Figure& figure : figures) figure.remove_old_data(folder);
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.quiet) {
    fmt::print("{}\n", pulled_block_text(scenario, run));
    for (const auto& path : files) fmt::print("wrote {}\n", path.string());
  }
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return run.not_found > 0 ? 3 : 0;
}

}  // namespace slipset::app
