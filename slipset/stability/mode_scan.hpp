// How the modes of a structure in a box change with a parameter.                         docs/theory/structures.md
// As scan_stability for small systems (scan.hpp), but with the modes of a box, which enter it and leave it.
#pragma once

#include "slipset/stability/scan.hpp"
#include "slipset/stability/spectrum.hpp"

namespace slipset {

using ProblemAt = std::function<QuadraticProblem(double)>;
using FindModes = std::function<Spectrum(const QuadraticProblem&)>;  // all of the box

// Each mode is followed from point to point: to the eigenvalue next to where it was heading, with the shape most like its
// own; one that has no like before it is a new column, and NaN where it is not in the box. Some points are solved and
// counted; at those between, the modes are found in the span of the vectors of the solved ones (F.17), each exact by its
// residuals, and the lists of the counted points must agree with what was followed. What comes into the box and leaves it
// again between two counted points is not seen. A point whose list is not complete, or at which there is no structure, is
// not answered. `critical`: every value at which one mode begins or ceases
// to grow between two points, to 1e-12 of their distance. Of the options `threads` is not used. Not thread-safe functions
// will do: they are called one after the other, on all ranks alike.
StabilityScan scan_modes(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                         const ScanOptions& options);

}  // namespace slipset
