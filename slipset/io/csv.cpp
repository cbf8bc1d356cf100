#include "slipset/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

// Fields between semicolons (a comma is then a decimal comma), else between commas or tabs, else between spaces.
std::vector<std::string> fields_of(std::string line) {
  const bool semicolons = line.find(';') != std::string::npos;
  if (semicolons) std::replace(line.begin(), line.end(), ',', '.');
  const char separator = semicolons                             ? ';'
                         : line.find(',') != std::string::npos  ? ','
                         : line.find('\t') != std::string::npos ? '\t'
                                                                : ' ';
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == separator) {
      if (c != ' ' || !fields.back().empty()) fields.emplace_back();
    } else if (c != ' ' && c != '\t' && c != '\r') {
      fields.back() += c;
    }
  }
  if (separator == ' ' && fields.back().empty()) fields.pop_back();
  return fields;
}

bool is_number(const std::string& field, double& value) {
  const char* first = field.data() + (field.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, field.data() + field.size(), value);
  return error == std::errc{} && end == field.data() + field.size();
}

}  // namespace

NumberTable read_number_table(const std::filesystem::path& path) {
  std::istringstream in(read_file(path));
  NumberTable table;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::vector<std::string> fields = fields_of(line);
    double value = 0;
    if (table.columns.empty() && table.names.empty() && !is_number(fields[0], value)) {
      table.names = fields;
      continue;
    }
    if (table.columns.empty()) table.columns.resize(table.names.empty() ? fields.size() : table.names.size());
    if (fields.size() != table.columns.size())
      throw InvalidInput(fmt::format("{}:{}: {} fields where {} are expected", path.string(), number, fields.size(),
                                     table.columns.size()));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!is_number(fields[i], value) || !std::isfinite(value))
        throw InvalidInput(
            fmt::format("{}:{}: \"{}\" in column {} is not a finite number", path.string(), number, fields[i], i + 1));
      table.columns[i].push_back(value);
    }
  }
  if (table.rows() == 0) throw InvalidInput(fmt::format("{}: no row of numbers", path.string()));
  return table;
}

std::string csv_text(const Table& table) {
  std::string text = fmt::format("{}\n", fmt::join(table.names(), ","));
  for (const auto row : table.rows()) text += fmt::format("{}\n", fmt::join(row.begin(), row.end(), ","));
  return text;
}

void write_csv(const Table& table, const std::filesystem::path& path) { write_file(path, csv_text(table)); }

}  // namespace slipset
