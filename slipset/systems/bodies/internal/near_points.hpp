// Points where two shapes are near, each with its gap.                 docs/theory/bodies.md
#pragma once

#include <boost/container/static_vector.hpp>

#include "slipset/systems/bodies/rigid_body.hpp"

namespace slipset::internal {

struct NearPoint {
  Vec3 point;   // halfway between the two surfaces
  Vec3 normal;  // from the first body to the second
  double gap;   // [m]
};
using NearPoints = boost::container::static_vector<NearPoint, 8>;

// Points whose gap is below `margin` [m], which is positive. Two planes have none.
void near_points(const SolidShape& first, const BodyState& first_state, const SolidShape& second,
                 const BodyState& second_state, double margin, NearPoints& points);

}  // namespace slipset::internal
