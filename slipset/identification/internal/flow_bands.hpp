// How far the fitted sets may be off: bands from the bootstrap.         docs/theory/identification.md
#pragma once

#include "slipset/identification/flow_fit.hpp"

namespace slipset::internal {

// 95 % bands of the radii of C and D (D scaled to the largest copy inside C) over the angle, from the replications.
struct Band {
  double angle;             // [rad]
  double value, low, high;  // radius
};
std::vector<Band> reservoir_band(const FlowFit& fit, int count = 181);
std::vector<Band> direction_band(const FlowFit& fit, int count = 181);

}  // namespace slipset::internal
