// Criteria that need no eigenvalues: sufficient only, each with what it says here.        docs/theory/stability.md
#pragma once

#include "slipset/stability/linearize.hpp"

namespace slipset {

enum class Statement { unstable, stable, none };
const char* name_of(Statement verdict);

struct Criterion {
  Statement verdict;
  std::string why;
};

struct Criteria {
  // tr(M⁻¹B) < 0: unstable.                                                                          [WL19 112]
  Criterion trace;
  double trace_value;
  // γ ∈ int T_C(s) at some contact: B has a negative eigenvalue. With one contact, M = m·I, a constant normal force, no
  // dampers and no rate dependence: unstable.                                          [WL19 114, Theorem 2]
  bool tangent_cone;
  std::vector<bool> tangent_cones;  // contact by contact
  Criterion theorem2;
  // Associated laws without a falling characteristic, constant normal forces and force directions, symmetric K ⪰ 0,
  // D ⪰ 0: stable.                                                                              [WL19 Theorem 1]
  Criterion theorem1;
};

Criteria criteria_of(const System& system, const LinearSliding& sliding);

}  // namespace slipset
