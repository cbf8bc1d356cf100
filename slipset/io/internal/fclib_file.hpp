// FCLib's HDF5 file of a local or global problem, and our group `slipset` in it for anisotropic laws.      docs/formats.md
// Read and written with the HDF5 library itself: libfclib prints and ends the process at the first broken file.
#pragma once

#include <string>

#include "slipset/io/internal/problem_parts.hpp"

namespace slipset::internal {

ProblemFile parse_fclib(const std::string& content, const std::string& name);
// `parts`: of the problem.
std::string fclib_bytes(const ContactProblem& problem, const ProblemParts& parts, const std::string& title);

}  // namespace slipset::internal
