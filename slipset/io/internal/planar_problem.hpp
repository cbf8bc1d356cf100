// A planar contact problem, two rows per contact, as a spatial one. For io's own use.
#pragma once

#include <Eigen/Core>

#include "slipset/core/vec.hpp"

namespace slipset::internal {

// Of a contact's own block of W. Nothing drives the second tangent; it has the mobility of the first, so that solvers
// that take the size of their steps from W see one scale.
inline void add_second_tangent(Eigen::Ref<Mat3, 0, Eigen::OuterStride<>> block) { block(2, 2) = block(1, 1); }

}  // namespace slipset::internal
