// FCLib's HDF5 file of a local or global problem, and our group `slipset` in it for anisotropic laws.      docs/formats.md
// Read and written with the HDF5 library itself: libfclib prints and ends the process at the first broken file.
#pragma once

#include <string>

#include "slipset/io/hdf5_file.hpp"
#include "slipset/io/internal/problem_parts.hpp"

namespace slipset::internal {

ProblemFile parse_fclib(const std::string& content, const std::string& name);
// `parts`: of the problem; `solution`: or null.
std::string fclib_bytes(const ContactProblem& problem, const ProblemParts& parts, const std::string& title,
                        const FiledSolution* solution);
// Group `solution` with FCLib's names, and `slipset/certificate`. Throws InvalidInput where sizes do not fit.
void write_solution(Hdf5Writer& file, const ContactProblem& problem, const FiledSolution& solution);

}  // namespace slipset::internal
