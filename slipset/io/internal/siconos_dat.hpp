// Siconos .dat: white-space separated text.      docs/formats.md
#pragma once

#include <string>

#include "slipset/io/problem_file.hpp"

namespace slipset::internal {

ProblemFile parse_siconos_dat(const std::string& content, const std::string& name);
std::string siconos_dat(const ContactProblem& problem, const std::vector<double>& coefficients);

}  // namespace slipset::internal
