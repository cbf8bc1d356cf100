#include "slipset/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

}  // namespace

// The rows have one layout, that of the first: with decimal commas between spaces a row "0 1 0" has none.
NumberTable read_number_table(const std::filesystem::path& path, std::span<const std::string_view> texts) {
  const internal::TableBytes bytes(path);
  NumberTable table;
  std::optional<Layout> layout;
  bool points = false, commas = false;
  const auto is_text = [&](std::size_t i) {
    return i < table.names.size() && std::find(texts.begin(), texts.end(), table.names[i]) != texts.end();
  };
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
    if (table.columns.empty()) table.columns.resize(table.names.empty() ? count : table.names.size());
    for (; count < table.columns.size() && is_text(count);) ++count;
    if (count != table.columns.size())
      fail(fmt::format("{} fields where {} are expected", count, table.columns.size()));
    table.lines.push_back(line->number);
    for (std::size_t i = 0; i < count; ++i) {
      if (is_text(i)) {
        table.texts[table.names[i]].push_back(i < fields.size() ? internal::utf8(fields[i]) : "");
        table.columns[i].push_back(0);
        continue;
      }
      // In quotes between commas a comma may separate thousands.
      const auto value = internal::number_of(fields[i], layout->decimal_comma && layout->separator != ',');
      if (!value || !std::isfinite(*value))
        fail(fmt::format("\"{}\" in column {} is not a finite number", internal::utf8(fields[i]), i + 1));
      points = points || fields[i].find('.') != std::string_view::npos;
      commas = commas || fields[i].find(',') != std::string_view::npos;
      if (points && commas) fail("both decimal points and decimal commas in this file");
      table.columns[i].push_back(*value);
    }
  }
  table.ends_within_line = !bytes.text().ends_with('\n') && !bytes.text().ends_with('\r');
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
