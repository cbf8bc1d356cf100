// For which slip directions a law destabilises steady sliding.        docs/theory/laws.md
//   v ∈ int T_C(s): the slip velocity points into the interior of the tangent cone of C, n·v < 0 for every normal
//   n of C at s                                                                      [WL19 114, Theorem 2] (L.3)
// Theorem 2: one contact, mass matrix m·I, constant normal force.
#pragma once

#include "slipset/laws/friction_law.hpp"

namespace slipset {

// Slip angles [rad], sorted, from in [0, 2π). An interval of no width is the normal of a flat side of D, on part of
// which (L.3) holds. Ends are accurate to a few rounding errors of the angle, whatever the aspect ratio.
std::vector<AngleInterval> destabilising_directions(const FrictionLaw& law);
// (L.3) at one slip velocity v ≠ 0.
bool slips_into_reservoir(const FrictionLaw& law, const Vec2& v);

}  // namespace slipset
