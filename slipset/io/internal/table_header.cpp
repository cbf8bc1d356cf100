#include "slipset/io/internal/table_header.hpp"

#include <algorithm>

#include "slipset/io/units.hpp"

namespace slipset::internal {
namespace {

bool is_unit_field(std::string_view field) {
  const std::string text = utf8(field);
  const auto [name, in_brackets] = name_and_unit(text);
  return name.empty() ? find_unit(in_brackets).has_value() : find_unit(text).has_value();
}

}  // namespace

std::pair<std::string, std::string> name_and_unit(std::string_view field) {
  for (const auto& [open, close] : {std::pair('[', ']'), std::pair('(', ')')}) {
    const std::size_t from = field.rfind(open), to = field.rfind(close);
    if (from != std::string_view::npos && to != std::string_view::npos && to > from)
      return {std::string(trimmed(field.substr(0, from))), std::string(trimmed(field.substr(from + 1, to - from - 1)))};
  }
  for (const std::string_view between : {std::string_view(" in "), std::string_view("/")}) {
    const std::size_t at = field.find(between);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view unit = trimmed(field.substr(at + between.size()));
    if (!unit.empty() && find_unit(unit) && !find_unit(field))
      return {std::string(trimmed(field.substr(0, at))), std::string(unit)};
  }
  return {std::string(field), ""};
}

std::vector<std::string_view> header_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields = fields_of(line, separator), joined;
  if (separator != ' ') return fields;
  for (const std::string_view field : fields) {
    if (!joined.empty() && !field.empty() && (field.front() == '[' || field.front() == '('))
      joined.back() = {joined.back().data(),
                       static_cast<std::size_t>(field.data() + field.size() - joined.back().data())};
    else
      joined.push_back(field);
  }
  return joined;
}

std::size_t used_fields(const std::vector<std::string_view>& fields) {
  std::size_t count = fields.size();
  while (count > 0 && fields[count - 1].empty()) --count;
  return count;
}

bool has_fields(std::string_view line, char separator, std::size_t count) {
  const auto fields = fields_of(line, separator);
  return fields.size() == count || used_fields(fields) == count;
}

std::size_t row_fields(std::string_view line) {
  const Layout layout = layout_of(line);
  const auto fields = fields_of(line, layout.separator);
  const std::size_t count = used_fields(fields);
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < count; ++i) numbers += number_of(fields[i], layout.decimal_comma) ? 1U : 0U;
  return 2 * numbers > count ? count : 0;
}

bool is_line_of_units(const std::vector<std::string_view>& fields, bool names_above) {
  std::size_t units = 0, other = 0;
  bool brackets = true;
  for (const std::string_view field : fields) {
    if (field.empty()) continue;
    ++(is_unit_field(field) ? units : other);
    brackets = brackets && (field.front() == '[' || field.front() == '(');
  }
  return units + other > 0 && (other == 0 || brackets || (names_above && units > other));
}

std::vector<Line> comments_in(std::string_view text) {
  std::vector<Line> comments;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || !is_comment(line)) continue;
    line = trimmed(line.substr(std::min(line.find_first_not_of("#%/ "), line.size())));
    if (comments.size() == 64) comments.erase(comments.begin());
    if (!line.empty()) comments.push_back({line, number});
  }
  return comments;
}

}  // namespace slipset::internal
