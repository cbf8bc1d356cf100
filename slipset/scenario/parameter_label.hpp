// What stands on the axis of a sweep: "μ", "system.belt.speed [m/s]".
#pragma once

#include <string>

#include "slipset/scenario/toml_table.hpp"

namespace slipset {

// Of a dotted key of this file.
std::string parameter_label(const TomlTable& root, const std::string& dotted);

}  // namespace slipset
