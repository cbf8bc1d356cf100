#include "slipset/systems/bodies/joint.hpp"

#include "slipset/contact/body_delassus.hpp"

namespace slipset {

std::uint8_t rows_of(JointKind kind) {
  switch (kind) {
    case JointKind::ball: return kPointRows;
    case JointKind::hinge: return kPointRows | kRollingRows;
    case JointKind::slider: return kTangentRows | kDrillingRow | kRollingRows;
    default: return kAllRows;
  }
}

}  // namespace slipset
