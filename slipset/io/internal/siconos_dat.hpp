// Siconos .dat: white-space separated text.      docs/formats.md
#pragma once

#include <string>

#include "slipset/io/internal/problem_parts.hpp"

namespace slipset::internal {

ProblemFile parse_siconos_dat(const std::string& content, const std::string& name);
// Without joints.
std::string siconos_dat(const ProblemParts& parts);

}  // namespace slipset::internal
