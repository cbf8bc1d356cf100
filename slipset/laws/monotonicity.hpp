// Where a law is not monotone: two slip states that violate it.       docs/theory/laws.md
//   (s - s*)·(v - v*) ≥ 0 for all states (v, s), (v*, s*) of a monotone law                  [WL19 Def. 13]
// Only associated laws are monotone (Propositions 3, 4); of those with a rate factor f the ones that do not fall, and do
// not rise too steeply: in the frame of the slip direction n the symmetric part of ∂s/∂v is f/|v| times
//   ( r h    r h'/2 )   h support function of C over the slip angle, r = |v| f'/f
//   ( r h'/2 h + h" )   not indefinite at any speed where   sup r · h'² ≤ 4 h (h + h")        (L.5)
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

// Two states of the law with a negative product, or none if there are none that double precision can show.
std::vector<SlipState> monotonicity_violation(const FrictionLaw& law);

// The largest |v| f'/f over all speeds, its limit for fast slip (1 with viscous friction) included.
double steepest_rise(const Stribeck& rate);
// The largest r for which an associated law fulfils (L.5): infinite for a disk, 0 for a set with corners.
struct AllowedRise {
  double value;
  double slip_angle;  // where no more is allowed [rad]
};
AllowedRise allowed_rise(const FrictionLaw& law);

}  // namespace slipset
