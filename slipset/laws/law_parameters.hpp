// The numbers of a law's two shapes, and how its resistance changes with them.      docs/theory/laws.md
#pragma once

#include <span>
#include <string>
#include <vector>

#include "slipset/laws/friction_law.hpp"

namespace slipset {

struct LawParameter {
  std::string name;  // "reservoir.a", "direction.angle"; "reservoir.radius[3]" of a polar curve
  double value;      // angles in radians
};

// Of the reservoir, then of the direction set. Throws InvalidInput for sets of a user's own, which have no numbers.
std::vector<LawParameter> law_parameters(const FrictionLaw& law);
// The same law with other numbers, in that order, without its rate dependence and elasticity. Throws InvalidInput where
// shapes do not exist with them.
FrictionLaw with_parameters(const FrictionLaw& law, std::span<const double> values);
// ∂s/∂θ at v ≠ 0, a column per parameter, without rate dependence. s = z/k_C(z), z = ∇h_D(v):
//   ∂s/∂θ_C = -z/k² ∂k/∂θ,   ∂s/∂θ_D = (I - s (∇k)ᵀ) ∂z/∂θ /k                                                     (L.6)
// in closed form for axes, angles, radii and exponents; for other numbers by differences of order 4, to some 1e-8. The size
// of D changes nothing. Throws InvalidInput where it does not exist, as across a flat side of D: see slip_jacobian().
Eigen::Matrix2Xd resistance_by_parameters(const FrictionLaw& law, const Vec2& v);

}  // namespace slipset
