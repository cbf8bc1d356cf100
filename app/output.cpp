#include "app/output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset::app {
namespace {

struct Written {
  std::vector<std::filesystem::path> files;  // worth naming: not the scripts and data of figures
  std::vector<std::string> problems;
};

Written write_files(const Results& results, const std::filesystem::path& folder) {
  Written written;
  StagedFolder staged(folder);
  for (const auto& [name, content] : results.files) write_file(staged.path() / name, content);
  write_file(staged.path() / (results.name + ".json"), results.json + "\n");
  for (const Figure& figure : results.figures)
    if (const auto saved = figure.save(staged.path()); !saved.problem.empty())
      written.problems.push_back(saved.problem);
  for (const auto& path : staged.publish())
    if (path.extension() != ".gp" && path.extension() != ".dat") written.files.push_back(path);
  for (const Figure& figure : results.figures) figure.remove_old_data(folder);
  return written;
}

}  // namespace

std::filesystem::path output_folder(const CommonOptions& options, const std::filesystem::path& input) {
  if (!options.out.empty()) return options.out;
  if (options.json) return {};
  const std::filesystem::path plain = input.lexically_normal();
  const bool inside = std::distance(plain.begin(), plain.end()) > 2 && *plain.begin() == "out";
  return inside ? plain.parent_path() / plain.stem() : "out" / input.stem();
}

void require_same_files(const CommonOptions& options, const std::filesystem::path& folder, const std::string& result,
                        const std::vector<std::string>& files) {
  const std::filesystem::path old = folder / (result + ".json");
  if (!options.out.empty() || folder.empty() || !std::filesystem::is_regular_file(old)) return;
  const nlohmann::json json = nlohmann::json::parse(read_file(old), nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) return;
  std::vector<std::string> others;
  for (const auto& file : json["files"])
    if (file.is_string()) others.push_back(file.get<std::string>());
  const auto resolved = [](const std::vector<std::string>& names) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) paths.push_back(std::filesystem::weakly_canonical(name));
    return paths;
  };
  if (resolved(files) == resolved(others)) return;
  throw InvalidInput(fmt::format("{} holds the results of {}, not of {}; name another folder", folder.string(),
                                 fmt::join(others, ", "), fmt::join(files, ", ")),
                     "output folder");
}

void require_writable(const std::filesystem::path& folder) {
  if (!folder.empty()) const StagedFolder probe(folder);
}

void write_results(const Results& results, const std::filesystem::path& folder, const CommonOptions& options) {
  Written written;
  if (!folder.empty()) written = write_files(results, folder);
  if (options.json) {
    fmt::print("{}\n", results.json);
  } else if (!options.quiet) {
    fmt::print("{}\n", results.text);
    for (const auto& path : written.files) fmt::print("wrote {}\n", path.string());
    if (!results.last_line.empty()) fmt::print("{}\n", results.last_line);
  }
  warn_about_figures(written.problems);
}

void warn_about_figures(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: could not draw the figure: {}\n", problem);
}

}  // namespace slipset::app
