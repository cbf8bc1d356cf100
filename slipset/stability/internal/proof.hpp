// The list of eigenvalues in a box against their count, and where they differ.      docs/theory/structures.md
#pragma once

#include <algorithm>

#include "slipset/stability/internal/clusters.hpp"
#include "slipset/stability/internal/root_count.hpp"

namespace slipset::internal {

// Each side of the contour is at most this part of the box outside of it; what is searched is the box with that margin.
constexpr double kMargin = 0.02;

Points values_of(const std::vector<Found>& found);

// Fills complete, count_proven, count_listed, proven, largest_step, gaps and reason. Gaps are bisected down to an eighth
// of the contour's sides; if more than twelve eigenvalues are missing the gap is the whole contour.
void prove(RootCount& count, const SpectrumBox& box, const std::vector<Found>& found, SpectrumReport& report);

// The pairs of the box, sorted, out of all that was found; with `around` > 0 also those beside it that have both vectors.
void put_pairs(const SpectrumBox& box, std::vector<Found> found, double around, Spectrum& spectrum);
// Where vectors are wanted: the box with its contours, or more where that is asked for.
inline SpectrumBox with_vectors(const SpectrumBox& box, double around) {
  return outermost(box, std::max(kMargin, around));
}

}  // namespace slipset::internal
