// How the modes of a structure in a box change with a parameter.                         docs/theory/structures.md
// As scan_stability for small systems (scan.hpp), but with the modes of a box, which enter it and leave it.
#pragma once

#include "slipset/stability/scan.hpp"
#include "slipset/stability/spectrum.hpp"

namespace slipset {

using ProblemAt = std::function<QuadraticProblem(double)>;
// The modes of the box in the problem at a value of the parameter. Not counted it is much cheaper, and may lack some.
enum class Counting { counted, not_counted };
using FindModes = std::function<Spectrum(double at, const QuadraticProblem&, Counting)>;

// work(0), ..., work(count - 1), each giving numbers, by threads or ranks; every result goes to `take`, in order, here and
// on every other rank.
using ShareWork = std::function<void(std::size_t count, const std::function<std::vector<double>(std::size_t)>& work,
                                     const std::function<void(std::size_t, const std::vector<double>&)>& take)>;

// First, middle and last point are solved and counted. Between two such points each mode is followed: to the eigenvalue
// next to where it was heading, with a shape like its own, in the span of the vectors that are known (F.17), exact by its
// residuals (F.18). Where one of the box is lost, the point is solved and its vectors become known; if that does not help
// it is counted, too. At every counted point the list
// must be that of the modes that were followed to it and back from it. A mode that has no like before it is a new column,
// and NaN where it is not in the box. What comes into the box and leaves it again between two counted points, and was found
// around the box at neither (Spectrum::around), is not seen. A point whose list is not complete, or at which there is no
// structure, is not answered. `critical`: where one mode begins or ceases to grow, unless it does so twice between two
// points, to 1e-12 of their distance or to the rounding of the mode. `stable`: no mode of the band is known to grow; the box
// must have growth rates on both sides of zero. `problem_at` and `find_modes` are called one after the other, on all ranks
// alike; without `share` the modes of a point are shared among options.threads.
StabilityScan scan_modes(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                         const ScanOptions& options, const ShareWork& share = {});

}  // namespace slipset
