// An interface that deforms before it slips: adhesion tensor B, reservoir C, direction set D.   docs/theory/elastic.md
//   v = v_el + v_sl                                                                                 [K07 12]
//   Ṫ = B v_el                                                                                      [K07 13]
//   T ∈ N C: inside it sticks (elastic), on the boundary it may slip                                [K07 14]
//   v_sl = λ n, λ ≥ 0, n a normal of D on the ray of T; for D = C the largest dissipation           [K07 15]
// T [N] is the tangential force as the surface feels it: it points along the slip, as resistances do. The paper's
// friction tensor F = R diag(1/μ1², 1/μ2²) Rᵀ is the reservoir Ellipse(μ1, μ2, angle).                        [K07 6]
#pragma once

#include "slipset/laws/friction_law.hpp"

namespace slipset {

class ElasticInterface {
 public:
  ElasticInterface(FrictionLaw law, const Adhesion& adhesion) : law_(std::move(law)), adhesion_(adhesion) {}

  const FrictionLaw& law() const { return law_; }
  const Adhesion& adhesion() const { return adhesion_; }
  ElasticInterface turned(double by) const { return {law_.turned(by), adhesion_.turned(by)}; }

 private:
  FrictionLaw law_;
  Adhesion adhesion_;
};

// The rate form at force T with relative velocity v, normal force N and its rate.
//   slip: n_C·Ṫ = Ṅ, λ = (n_C·Bv - Ṅ) / (n_C·B n_D) with n = ∇k                                              (E.1)
// Where D has a corner on the ray of T, the force stays there as long as what is left of v is in the corner's fan; it
// leaves corners of C and D along the side on which it then is.
struct InterfaceRate {
  Vec2 force_rate;     // Ṫ [N/s]
  Vec2 slip_velocity;  // v_sl [m/s]
  bool slips;
  bool has_solution;  // false where n_C·B n_D ≤ 0 while slip is asked for: the force jumps (docs/theory/elastic.md)
};
// `slack`: T counts as on the boundary from k_C(T) = N(1 - slack) on.
InterfaceRate interface_rate(const ElasticInterface& interface, const Vec2& force, const Vec2& velocity,
                             double normal_force, double normal_force_rate = 0, double slack = 1e-9);

// A displacement in space, along the axes of a surface that turns from one angle to another [rad] meanwhile: taken at
// the middle, of second order. The force is kept along these axes, so that it turns with the surface.            (E.2)
Vec2 along_turning_axes(const Vec2& displacement, double angle_before, double angle_after);

// What the paper does in a step, for reproduction: T = N B F T_trial / √(BFT_trial · F BFT_trial) outside the yield
// curve [K07 20, with the second F that the yield condition needs]. It is not the return to the closest point.
Vec2 konyukhov_one_step(const Adhesion& adhesion, const Ellipse& friction, const Vec2& trial, double normal_force);

// Angle [rad] between pull and motion of a point that is pulled along e1 with T2 = 0, in (-π/2, π/2).
//   tan φ = n2/n1, n the normal of D where its boundary meets e1: for the ellipse f12/f11              [K07 10, 11]
double pull_angle(const FrictionLaw& law);
//   the paper's one-step map, A = BFB: tan φ = -a21/a22                                                [K07 23, 25]
double pull_angle_one_step(const Adhesion& adhesion, const Ellipse& friction);

// F of a friction ellipse.                                                                                  [K07 6]
Mat2 friction_tensor(const Ellipse& friction);

}  // namespace slipset
