// LuGre friction: a law with an internal variable, the deflection z of the contact's bristles. docs/theory/stability.md
// In the plane, for any pair of sets, per unit normal force:
//   resistance r = σ0 z + σ1 ż + σ2 v,   ż = v - σ0 |v| A(v) z                                         (B.1)
//   A = v̂v̂ᵀ/(s·v̂) + ttᵀ/|s|,  s = slip_resistance(v), t a unit vector across s                        (B.2)
// A is symmetric and positive definite and takes s to v̂: steady sliding has σ0 z = s(v), exactly the law. Along a
// principal axis, and in every direction of an isotropic law, A = I/|s|: the scalar model
//   F = (N/N0)(σ0 z + σ1 ż + σ2 v),   ż = v - σ0 |v| z/g(v)                                         [H07 1, 2]
#pragma once

#include "slipset/laws/friction_law.hpp"

namespace slipset {

// Per unit normal force: a LuGre model in newtons at the load N0 has its three constants divided by N0.
struct LuGre {
  double sigma0;      // stiffness of the bristles [1/m], > 0
  double sigma1 = 0;  // damping of the bristles [s/m], >= 0
  double sigma2 = 0;  // viscous friction [s/m], >= 0
};
// Throws InvalidInput unless sigma0 > 0 and the others are not negative.
void require_valid(const LuGre& lugre);

// A(v) [-], v ≠ 0.                                                                                       (B.2)
Mat2 bristle_matrix(const FrictionLaw& law, const Vec2& v);
// ż for a deflection z [m]; v at v = 0, where the bristles are springs.                                  (B.1)
Vec2 bristle_rate(const FrictionLaw& law, const LuGre& lugre, const Vec2& v, const Vec2& z);
// r = σ0 z + σ1 ż + σ2 v: minus the friction force over the normal force.                                (B.1)
Vec2 bristle_resistance(const FrictionLaw& law, const LuGre& lugre, const Vec2& v, const Vec2& z);
// The deflection of steady sliding, s(v)/σ0; v ≠ 0.
Vec2 steady_deflection(const FrictionLaw& law, const LuGre& lugre, const Vec2& v);

// ż near steady sliding: δż = by_slip δv + by_deflection δz.
struct BristleJacobian {
  Mat2 by_slip;        // |v| A ∂s/∂v [-]
  Mat2 by_deflection;  // -σ0 |v| A [1/s]
};
// Empty where ∂s/∂v does not exist.                                                                      (B.3)
std::optional<BristleJacobian> bristle_jacobian(const FrictionLaw& law, const LuGre& lugre, const Vec2& v);

}  // namespace slipset
