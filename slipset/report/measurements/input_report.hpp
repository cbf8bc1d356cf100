// What was read from a file of measurements: columns, units and where they were said.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "slipset/io/measured_columns.hpp"

namespace slipset {

nlohmann::ordered_json input_json(const Measured& input);
std::string input_text(const Measured& input);

}  // namespace slipset
