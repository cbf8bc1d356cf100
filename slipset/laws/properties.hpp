// What a friction law is and does, each answer with its reason.       docs/theory/laws.md
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipset/laws/monotonicity.hpp"
#include "slipset/sets/boundary_scan.hpp"

namespace slipset {

struct Verdict {
  bool value = false;
  std::string why;
};

struct LawProperties {
  Verdict reservoir_convex;
  Verdict reservoir_star_shaped;
  Verdict direction_convex;
  Verdict direction_inside;      // D, scaled, inside C: [WL19 63]
  Verdict associated;            // C is a copy of D: maximum dissipation                 [WL19 Def. 12]
  Verdict collinear;             // D is a disk: resistance along the slip                [WL19 Def. 15]
  Verdict dissipative;           // s·v ≥ 0                                               [WL19 Def. 11]
  Verdict strictly_dissipative;  // s·v > 0 for v ≠ 0                                     [WL19 Def. 11]
  Verdict monotone;              //                                                       [WL19 Def. 13]
  // Slip into the tangent cone of C, in some direction [WL19 Theorem 2], or falling. Where this is false but the law is
  // not monotone, springs that differ with direction can still make steady sliding unstable; monotone laws never do.
  Verdict can_destabilise;
  Verdict falling;  // the reservoir shrinks with speed: Stribeck, negative damping

  // Slip directions [rad], see destabilising_directions.
  std::vector<AngleInterval> destabilising;
  // Two slip states with (s - s*)·(v - v*) < 0, if the law is not monotone and the two can be told apart in
  // double precision.
  std::vector<SlipState> not_monotone;
  // Size of the resistance at high speed: smallest and largest over all directions, by the resistance's angle.
  Extremum smallest_coefficient;
  Extremum largest_coefficient;
};

LawProperties law_properties(const FrictionLaw& law);

}  // namespace slipset
