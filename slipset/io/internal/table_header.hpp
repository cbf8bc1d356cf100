// What the lines above a table's rows say: names, units. For io's own use.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipset/io/internal/table_text.hpp"

namespace slipset::internal {

// Fields behind the last one that holds something are not counted: some programs end every line with a separator.
std::size_t used_fields(const std::vector<std::string_view>& fields);
bool has_fields(std::string_view line, char separator, std::size_t count);
// How many fields a row of data has: most are numbers, others may be dates or words. 0 for other lines.
std::size_t row_fields(std::string_view line);
// Names; between spaces their units in brackets belong to them.
std::vector<std::string_view> header_fields(std::string_view line, char separator);

// "Ft [mN]" → Ft, mN; also "Ft (mN)", and "Ft/mN" or "Ft in mN" with a unit that is known.
std::pair<std::string, std::string> name_and_unit(std::string_view field);

// All of the fields are units or empty. With names above it, most are enough: an unknown unit is reported later.
bool is_line_of_units(const std::vector<std::string_view>& fields, bool names_above);
// The last comments, without their signs.
std::vector<Line> comments_in(std::string_view text);

}  // namespace slipset::internal
