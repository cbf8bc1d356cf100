#include "slipset/laws/adhesion.hpp"

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {

Adhesion::Adhesion(double stiffness_1, double stiffness_2, double angle)
    : stiffness_(stiffness_1, stiffness_2), angle_(angle) {
  require_positive(stiffness_1, "elastic: first stiffness");
  require_positive(stiffness_2, "elastic: second stiffness");
  require_finite(angle, "elastic: angle");
  const Vec2 axis = unit_at_degrees(degrees(std::remainder(angle, 2 * kPi)));
  cos_ = axis.x();
  sin_ = axis.y();
  Mat2 turn;
  turn << cos_, -sin_, sin_, cos_;
  tensor_ = turn * stiffness_.asDiagonal() * turn.transpose();
  compliance_ = turn * stiffness_.cwiseInverse().asDiagonal() * turn.transpose();
}

}  // namespace slipset
