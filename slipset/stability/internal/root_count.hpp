// How many roots of a determinant a rectangle holds that a list does not: the argument principle.  docs/theory/structures.md
//   f(λ) = det Q(λ) / Π(λ - λᵢ)(λ - λ̄ᵢ);  missing = (1/2π) ∮ d arg f                                            (F.7)
// With the roots near the contour divided out, and the influence of those far away by SmoothLog (F.8), f hardly changes
// along the contour, and few determinants tell how often it turns. A step between neighbours on the contour is accepted
// if on it and on three steps before and behind it f turns by at most 0.6 rad and has the magnitudes of (F.8), which has two
// points per unknown; every third step has a further point, to try it. Else it is divided in four: f may turn by at most
// 0.8 rad on each part, and at the three points between log f must be on a straight line to 0.15; if it is not, each half
// is tried in the same way. Where roots that are not in the list are close to the contour f turns more often than distant
// points can tell; by chance they look like a few turns, not like these.                                        (F.9)
#pragma once

#include <map>

#include "slipset/stability/spectrum.hpp"

namespace slipset::internal {

using Points = std::vector<std::complex<double>>;
// log det Q at each point: logarithm of the magnitude, and argument modulo 2π. Not finite where Q is singular.
using LogDeterminants = std::function<Points(const Points&)>;

class RootCount {
 public:
  // `stop` is asked before each batch of determinants.
  RootCount(LogDeterminants determinants, int most, std::function<bool()> stop = {});

  struct Outcome {
    std::optional<int> missing;  // empty: not resolved, see reason
    double largest_step = 0;     // [rad]
    std::string reason;
    std::optional<std::complex<double>> on_contour;  // there, or close to it, is an eigenvalue that is not in the list
  };
  // Roots inside `contour` that are not in `known`, which lists roots with Im ≥ 0. With contour.frequency_from = 0 the
  // rectangle is taken with its mirror image below the real axis: roots on the axis are inside, and of each pair both
  // count. Determinants of earlier calls are used again.
  Outcome missing(const SpectrumBox& contour, const Points& known);

  int determinants() const { return static_cast<int>(values_.size()); }

 private:
  bool evaluate(const Points& points);  // false: no more determinants allowed

  struct Less {
    bool operator()(const std::complex<double>& a, const std::complex<double>& b) const {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    }
  };
  LogDeterminants determinants_;
  int most_;
  std::function<bool()> stop_;
  std::map<std::complex<double>, std::complex<double>, Less> values_;
};

// The contour for a box: each side moved outwards, by at most `margin` of the box's size, to where the known roots are
// farthest from it. A box that begins near the real axis is taken down to it, and a slender one is made wider on the side
// of growth, where eigenvalues are few.                                                                         (F.10)
SpectrumBox contour_around(const SpectrumBox& box, const Points& known, double margin);
// The box with all contours that contour_around may choose.
SpectrumBox outermost(const SpectrumBox& box, double margin);

// Roots of the list inside the contour, counted as missing() counts them.
int count_inside(const SpectrumBox& contour, const Points& known);

}  // namespace slipset::internal
