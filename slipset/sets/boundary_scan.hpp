// Extrema and sign changes of a function of the direction, found and not only sampled.
// The nodes resolve the sets that the function is made of (PlanarSet::resolving_angles); between two nodes
// it is smooth. Each extremum among the nodes is refined by Brent's method, each sign change by TOMS 748.
#pragma once

#include <functional>

#include "slipset/sets/planar_set.hpp"

namespace slipset {

using AngleFunction = std::function<double(double)>;

struct Extremum {
  double angle;
  double value;
};

// Sorted angles in [0, 2π) that resolve both boundaries, without repetition.
std::vector<double> resolving_angles(const PlanarSet& a, const PlanarSet& b, int count = 720);

// The smallest value over the whole circle, and where.
Extremum minimum_on_circle(const AngleFunction& f, const std::vector<double>& nodes);
Extremum maximum_on_circle(const AngleFunction& f, const std::vector<double>& nodes);

// The parts of (from, to) where f < 0 by more than rounding; f is smooth there, and is not asked at the ends. `inner`
// points within, evenly spaced, show where to look for extrema.
std::vector<AngleInterval> negative_parts(const AngleFunction& f, double from, double to, int inner);

// Smallest and largest ratio of the radii of a to those of b, over all directions.
struct RatioRange {
  Extremum smallest;
  Extremum largest;
  // How far the two are from being copies of each other: 0 if they are.
  double spread() const { return largest.value / smallest.value - 1; }
};
RatioRange radius_ratio(const PlanarSet& a, const PlanarSet& b);

}  // namespace slipset
