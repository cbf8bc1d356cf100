#include "app/run_results.hpp"

#include <fmt/format.h>

#include "slipset/io/files.hpp"

namespace slipset::app {

std::filesystem::path results_folder(const std::string& file, const CommonOptions& options) {
  std::filesystem::path folder = options.out;
  if (options.out.empty() && !options.json) folder = "out/" + std::filesystem::path(file).stem().string();
  if (!folder.empty()) const StagedFolder probe(folder);
  return folder;
}

void leave(const RunResults& results, const std::filesystem::path& folder, const CommonOptions& options) {
  std::vector<std::string> problems;
  std::vector<std::filesystem::path> files;
  if (!folder.empty()) {
    StagedFolder staged(folder);
    if (!results.csv.empty()) write_file(staged.path() / "run.csv", results.csv);
    if (!results.hdf5.empty()) write_file(staged.path() / "run.h5", results.hdf5);
    write_file(staged.path() / "run.json", results.json.dump(2) + "\n");
    for (const Figure& figure : results.figures)
      if (const auto saved = figure.save(staged.path()); !saved.problem.empty()) problems.push_back(saved.problem);
    for (const auto& path : staged.publish())
      if (path.extension() != ".gp" && path.extension() != ".dat") files.push_back(path);
    for (const Figure& figure : results.figures) figure.remove_old_data(folder);
  }
  if (options.json) {
    fmt::print("{}\n", results.json.dump(2));
  } else if (!options.quiet) {
    fmt::print("{}\n", results.text);
    for (const auto& path : files) fmt::print("wrote {}\n", path.string());
    if (!results.last_line.empty()) fmt::print("{}\n", results.last_line);
  }
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
}

}  // namespace slipset::app
