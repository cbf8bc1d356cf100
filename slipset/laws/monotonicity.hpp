// Where a law is not monotone: two slip states that violate it.       docs/theory/laws.md
//   (s - s*)·(v - v*) ≥ 0 for all states (v, s), (v*, s*) of a monotone law                  [WL19 Def. 13]
// Only associated laws without a falling characteristic are monotone (Propositions 3, 4).
#pragma once

#include <limits>
#include <vector>

#include "slipset/laws/friction_law.hpp"

namespace slipset {

// One point of the law's graph while slipping.
struct SlipState {
  Vec2 slip_velocity = Vec2::Constant(std::numeric_limits<double>::quiet_NaN());
  Vec2 resistance = Vec2::Constant(std::numeric_limits<double>::quiet_NaN());
};

// (s - s*)·(v - v*)
double monotonicity_product(const SlipState& a, const SlipState& b);

// Two states of the law with a negative product, or none if there are none that double precision can show. For a law
// with rising characteristic (static below 1) the slip states of a grid of directions and speeds are tried.
std::vector<SlipState> monotonicity_violation(const FrictionLaw& law);

}  // namespace slipset
