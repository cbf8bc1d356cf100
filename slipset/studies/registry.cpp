#include "slipset/studies/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/core/internal/names.hpp"

namespace slipset {
namespace {

[[noreturn]] void fail_unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StudyEntry& entry : study_entries()) names.push_back(entry.name);
  const std::string nearest = internal::nearest_name(name, names);
  throw InvalidInput(fmt::format("unknown study \"{}\"; {}studies: {}", name,
                                 nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                 fmt::join(names, ", ")));
}

}  // namespace

std::span<const StudyEntry> study_entries() {
  static const std::vector<StudyEntry> all = [] {
    std::vector<StudyEntry> list;
    for (const auto& paper : {quinn2004_studies(), konyukhov2007_studies(), hoffmann2007_studies(),
                              walker2016_studies(), walker2019_studies()})
      list.insert(list.end(), paper.begin(), paper.end());
    return list;
  }();
  return all;
}

StudyCode find_study_code(std::string_view name) {
  for (const StudyEntry& entry : study_entries())
    if (entry.name == name) return entry.code;
  fail_unknown(name);
}

const StudyFile& study_file(std::string_view name) {
  for (const StudyFile& file : study_files())
    if (file.name() == name) return file;
  fail_unknown(name);
}

Study built_in_study(std::string_view name) {
  const StudyFile& file = study_file(name);
  return Study(TomlFile(std::string(file.text), std::filesystem::path(file.path)));
}

}  // namespace slipset
