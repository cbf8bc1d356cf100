#include "app/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/standard_output.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset::app {

std::filesystem::path folder_of(const std::filesystem::path& input) {
  const std::filesystem::path plain = input.lexically_normal();
  const bool inside = std::distance(plain.begin(), plain.end()) > 2 && *plain.begin() == "out";
  return inside ? plain.parent_path() / plain.stem() : "out" / input.stem();
}

Output::Output(const CommonOptions& options, const std::filesystem::path& otherwise, const std::string& set,
               std::vector<std::string> names)
    : options_(options), set_(set), names_(std::move(names)) {
  if (!options.out.empty())
    path_ = options.out;
  else if (!options.json)
    path_ = otherwise;
  if (path_.empty()) return;
  files_.emplace(path_, set);
  names_.push_back(set + ".json");
  files_->require_free(names_);
}

std::vector<std::filesystem::path> Output::write_files(const Results& results) {
  std::vector<std::filesystem::path> worth_naming;
  if (!files_) return worth_naming;
  for (const auto& [name, content] : results.files) write_file(files_->path() / name, content);
  for (const auto& [name, content] : results.late_files) write_file(files_->path() / name, content());
  write_file(files_->path() / (results.name + ".json"), results.json + "\n");
  for (const Figure& figure : results.figures)
    if (const auto saved = figure.save(files_->path(), options_.format); !saved.problem.empty())
      (saved.no_gnuplot ? missing_ : failed_).push_back("could not draw the figure: " + saved.problem);
  for (const auto& path : files_->publish())
    if (path.extension() != ".gp" && path.extension() != ".dat") worth_naming.push_back(path);
  return worth_naming;
}

void Output::of_files(const std::vector<std::string>& files) {
  namespace fs = std::filesystem;
  inputs_ = files;
  const auto is_file = [](const std::string& name) { return fs::is_regular_file(name); };
  if (!options_.out.empty() || path_.empty() || !std::all_of(files.begin(), files.end(), is_file)) return;
  const auto resolved = [](const std::vector<std::string>& names) {
    std::vector<fs::path> paths;
    for (const std::string& name : names) paths.push_back(fs::weakly_canonical(name));
    return paths;
  };
  for (const std::string& name : names_) {
    if (!name.ends_with(".json") || !fs::is_regular_file(path_ / name)) continue;
    const nlohmann::json json = nlohmann::json::parse(read_file(path_ / name), nullptr, false);
    if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) continue;
    std::vector<std::string> others;
    for (const auto& file : json["files"])
      if (file.is_string()) others.push_back(file.get<std::string>());
    if (resolved(files) != resolved(others))
      throw InvalidInput(fmt::format("{} holds the results of {}, not of {}; name another folder with --out",
                                     path_.string(), fmt::join(others, ", "), fmt::join(files, ", ")),
                         "output folder");
  }
}

int Output::write(const Results& given, int code) {
  Results results = given;
  if (!options_.set.empty() || !inputs_.empty()) {
    auto json = nlohmann::ordered_json::parse(results.json);
    if (!inputs_.empty()) json["files"] = inputs_;
    if (!options_.set.empty()) json["set"] = options_.set;  // what was computed is not what the file says
    results.json = json.dump(2);
  }
  for (const std::string& setting : options_.set) results.text += fmt::format("set by --set: {}\n", setting);
  const std::vector<std::filesystem::path> files = write_files(results);
  if (options_.json) {
    print_exactly(results.json + "\n");
  } else if (!options_.quiet) {
    std::string text = results.text + "\n";
    for (const auto& path : files) text += fmt::format("wrote {}\n", path.string());
    if (!results.last_line.empty()) text += results.last_line + "\n";
    print(text);
  }
  return report_figures(code);
}

int Output::report_figures(int code) const {
  for (const auto& problems : {missing_, failed_})
    for (const std::string& problem : problems) tell(problem);
  return failed_.empty() || code != 0 ? code : 2;
}

}  // namespace slipset::app
