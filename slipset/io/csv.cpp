#include "slipset/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/table_header.hpp"
#include "slipset/io/internal/table_text.hpp"

namespace slipset {
namespace {

using internal::Layout;

// Names begin otherwise; a row that is broken must not be taken for them.
bool begins_as_number(std::string_view field) {
  const std::size_t at = field.find_first_not_of("+-.,");
  return at != std::string_view::npos && field[at] >= '0' && field[at] <= '9';
}

bool is_line_of_names(std::string_view line) {
  const auto fields = internal::fields_of(line, internal::layout_of(line).separator);
  return std::none_of(fields.begin(), fields.end(), begins_as_number) && !internal::number_of(fields[0], false);
}

std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> names;
  for (const std::string_view field : internal::header_fields(line, internal::layout_of(line).separator))
    names.push_back(internal::utf8(field));
  return names;
}

// What a column holds; by its name, and a number where columns have none.
enum class Holds { number, number_or_nothing, words };

std::vector<Holds> kinds_of(const std::vector<std::string>& names, std::span<const std::string_view> texts,
                            std::span<const std::string_view> may_be_empty) {
  const auto is_in = [](std::span<const std::string_view> list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::vector<Holds> kinds;
  for (const std::string& name : names)
    kinds.push_back(is_in(texts, name)          ? Holds::words
                    : is_in(may_be_empty, name) ? Holds::number_or_nothing
                                                : Holds::number);
  return kinds;
}

}  // namespace

// The rows have one layout, that of the first: with decimal commas between spaces a row "0 1 0" has none.
NumberTable read_number_table(const std::filesystem::path& path, std::span<const std::string_view> texts,
                              std::span<const std::string_view> may_be_empty) {
  const internal::TableBytes bytes(path);
  NumberTable table;
  std::optional<Layout> layout;
  bool points = false, commas = false;
  std::vector<Holds> kinds;
  std::size_t last_has = 0;  // fields of the last row
  internal::Lines lines(bytes.text());
  while (const auto line = lines.next()) {
    const auto fail = [&](const std::string& what) {
      throw InvalidInput(fmt::format("{}:{}: {}", path.string(), line->number, what));
    };
    const std::string_view text = internal::trimmed(line->text.substr(0, line->text.find('#')));
    if (!layout && table.names.empty() && is_line_of_names(text)) {
      table.names = names_in(text);
      continue;
    }
    if (!layout) layout = internal::layout_of(text);
    const auto fields = internal::fields_of(text, layout->separator);
    std::size_t count = internal::used_fields(fields);
    last_has = fields.size();
    if (table.columns.empty()) {
      table.columns.resize(table.names.empty() ? count : table.names.size());
      kinds = kinds_of(table.names, texts, may_be_empty);
      kinds.resize(table.columns.size(), Holds::number);
    }
    while (count < kinds.size() && kinds[count] != Holds::number) ++count;
    if (count != table.columns.size())
      fail(fmt::format(
          "{} fields where {} are expected{}", count, table.columns.size(),
          count < table.names.size() ? fmt::format("; none in column {}, \"{}\"", count + 1, table.names[count]) : ""));
    table.lines.push_back(line->number);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view field = i < fields.size() ? fields[i] : std::string_view();
      if (kinds[i] == Holds::words) {
        table.texts[table.names[i]].push_back(internal::utf8(field));
        table.columns[i].push_back(0);
        continue;
      }
      if (kinds[i] == Holds::number_or_nothing && field.empty()) {
        table.columns[i].push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      // In quotes between commas a comma may separate thousands.
      const auto value = internal::number_of(field, layout->decimal_comma && layout->separator != ',');
      if (!value || !std::isfinite(*value))
        fail(fmt::format("\"{}\" in column {} is not a finite number", internal::utf8(field), i + 1));
      points = points || field.find('.') != std::string_view::npos;
      commas = commas || field.find(',') != std::string_view::npos;
      if (points && commas) fail("both decimal points and decimal commas in this file");
      table.columns[i].push_back(*value);
    }
  }
  table.ends_within_line = !bytes.text().ends_with('\n') && !bytes.text().ends_with('\r');
  if (table.ends_within_line && last_has < table.columns.size())
    throw InvalidInput(fmt::format(
        "{}:{}: the last line has {} of {} fields and no new line at its end: the file is cut off; write it "
        "again",
        path.string(), table.lines.empty() ? 1 : table.lines.back(), last_has, table.columns.size()));
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
