#include "slipset/core/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/core/error.hpp"

namespace slipset {

Table::Table(std::vector<std::string> names) : names_(std::move(names)), columns_(names_.size()) {}

bool Table::has(std::string_view name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

std::size_t Table::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end())
    throw InvalidInput(fmt::format("table: no column \"{}\"; there are: {}", name, fmt::join(names_, ", ")));
  return static_cast<std::size_t>(found - names_.begin());
}

void Table::add_row(std::span<const double> numbers) {
  if (numbers.size() != columns_.size())
    throw InvalidInput(fmt::format("table: a row of {} numbers for {} columns", numbers.size(), columns_.size()));
  for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].push_back(numbers[k]);
}

void Table::add_column(std::string name, std::vector<double> numbers) {
  if (!columns_.empty() && numbers.size() != size())
    throw InvalidInput(fmt::format("table: column \"{}\" has {} numbers for {} rows", name, numbers.size(), size()));
  names_.push_back(std::move(name));
  columns_.push_back(std::move(numbers));
}

std::vector<std::vector<double>> Table::Rows::numbers() const {
  std::vector<std::vector<double>> all;
  all.reserve(size());
  for (const Row row : *this) all.push_back(row.numbers());
  return all;
}

void Table::clear() {
  for (auto& column : columns_) column.clear();
}

}  // namespace slipset
