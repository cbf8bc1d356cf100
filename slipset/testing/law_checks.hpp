// Property checks for friction laws, open to users for their own pairs of sets.
#pragma once

#include "slipset/laws/friction_law.hpp"
#include "slipset/testing/set_checks.hpp"

namespace slipset::test {

// (v, s) belongs to the law  ⇔  k_C(s) = 1 and v is normal to D where the ray of s leaves it. Complete for v ≠ 0.
//                                                                                          [WL19 55, 56]
inline double law_defect(const FrictionLaw& law, const Vec2& v, const Vec2& s) {
  return std::abs(law.reservoir().gauge(s) - 1) + outside_normals(law.direction(), s, v);
}

}  // namespace slipset::test
