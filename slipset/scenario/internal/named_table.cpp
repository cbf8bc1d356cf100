#include "slipset/scenario/internal/named_table.hpp"

#include <algorithm>

namespace slipset::internal {

void require_columns(const NumberTable& table, const std::filesystem::path& path,
                     std::span<const std::string_view> required, std::span<const std::string_view> optional,
                     const std::string& expected) {
  const auto is_in = [](const auto& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (table.names.empty()) throw InvalidInput(fmt::format("{}:1: no names of columns; {}", path.string(), expected));
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const std::string& name = table.names[i];
    if (!is_in(required, name) && !is_in(optional, name))
      throw InvalidInput(fmt::format("{}:1: unknown column \"{}\"; {}", path.string(), name, expected));
    if (is_in(std::span(table.names).first(i), name))
      throw InvalidInput(fmt::format("{}:1: the column \"{}\" is there twice; remove one", path.string(), name));
  }
  for (const std::string_view name : required)
    if (!is_in(table.names, name))
      throw InvalidInput(fmt::format("{}:1: no column \"{}\"; {}", path.string(), name, expected));
}

const std::vector<double>* find_column(const NumberTable& table, std::string_view name) {
  const auto found = std::find(table.names.begin(), table.names.end(), name);
  return found == table.names.end() ? nullptr : &table.columns[static_cast<std::size_t>(found - table.names.begin())];
}

}  // namespace slipset::internal
