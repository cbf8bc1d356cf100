// Names that people write: in any case, and with mistakes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace slipset::internal {

std::string lower_case(std::string_view text);
// The name nearest to `name` by single edits, or "" if none is near.
std::string nearest_name(std::string_view name, std::span<const std::string_view> names);

}  // namespace slipset::internal
