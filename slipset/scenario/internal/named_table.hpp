// Tables of numbers whose columns are known by name: which there must be, and rows whose mistakes name their line.
#pragma once

#include <fmt/format.h>

#include <span>

#include "slipset/core/error.hpp"
#include "slipset/io/csv.hpp"

namespace slipset::internal {

// f(), with the place that place() names in front of what it throws.
template <class Place, class Function>
auto at_place(const Place& place, Function&& f) {
  try {
    return f();
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", place(), error.what()));
  }
}
// The same for a row of a table.
template <class Function>
auto at_row(const std::filesystem::path& path, const NumberTable& table, std::size_t row, Function&& f) {
  return at_place([&] { return fmt::format("{}:{}", path.string(), table.lines[row]); }, std::forward<Function>(f));
}

// Throws InvalidInput, ending with `expected`, unless the table has all of the `required` columns, no others but
// `optional` ones, and none twice.
void require_columns(const NumberTable& table, const std::filesystem::path& path,
                     std::span<const std::string_view> required, std::span<const std::string_view> optional,
                     const std::string& expected);
// Null if there is no such column.
const std::vector<double>* find_column(const NumberTable& table, std::string_view name);

}  // namespace slipset::internal
