// A table like [law] with drilling, rolling, patch or coupling → RollingLaw.   docs/scenarios.md
#pragma once

#include <array>

#include "slipset/laws/rolling_law.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

std::span<const Key> rolling_law_keys();

// The keys that make a law one of these.
inline constexpr std::array<std::string_view, 4> kRollingKeys = {"drilling", "rolling", "patch", "coupling"};
bool has_rolling_keys(const TomlTable& law);
// Throws InvalidInput with file, line, column, key and remedy.
RollingLaw read_rolling_law(const TomlTable& law);

}  // namespace slipset
