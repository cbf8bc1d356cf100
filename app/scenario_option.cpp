#include "app/scenario_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/core/error.hpp"
#include "slipset/scenario/key_path.hpp"

namespace slipset::app {

Scenario scenario_of(const CommonOptions& options, const std::string& file,
                     const std::vector<std::string_view>& tables) {
  for (const std::string& given : options.set) {
    std::string table;
    try {
      table = first_name(key_of_setting(given));
    } catch (const InvalidInput& error) {
      const std::string what = error.what();
      throw InvalidInput(what.starts_with("--set") ? what : fmt::format("--set {}: {}", given, what));
    }
    if (const auto known = names_of(file_tables()); std::find(known.begin(), known.end(), table) == known.end())
      continue;
    if (std::find(tables.begin(), tables.end(), table) == tables.end())
      throw InvalidInput(
          fmt::format("--set {}: this command does not read {}; it reads: {}", given, table, fmt::join(tables, ", ")));
  }
  return Scenario(file, options.set);
}

std::vector<std::string_view> tables_of_runs() {
  std::vector<std::string_view> names = names_of(file_tables());
  std::erase_if(names, [](std::string_view name) { return name == "sweep" || name == "stability"; });
  return names;
}

}  // namespace slipset::app
