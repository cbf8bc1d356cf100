// Sprag-slip: a rigid rod that leans on a belt, after the frictional impact oscillator of Leine, Brogliato & Nijmeijer
// (2002).                                                                                          [WL19 Fig. 13c]
// A mass m1 at the rod's upper end is guided vertically (y), a mass m2 is at its tip; with φ the rod's angle to the
// vertical:
//   (m1 + m2) ÿ + m2 l sinφ φ̈ + m2 l cosφ φ̇² + c_y ẏ + k_y (y - y0) = λ_N - F
//   m2 l² φ̈ + m2 l sinφ ÿ + c_φ φ̇ + k_φ (φ - φ0) = l sinφ λ_N + l cosφ λ_T
//   gap = y - l cosφ,  γ = l cosφ φ̇ - v,   y0 = l cosφ0
// For v > 0 friction pulls the tip along; for φ < 0 it turns the rod against the belt: the normal force grows with the
// friction force that it makes. With the contact closed and sliding, S = sinφ (sinφ + μ cosφ),
//   l² (m2 cos²φ + m1 S) φ̈ + (c_φ + c_y l² S) φ̇ + ... = 0
// so that the damping is negative above μ_c = tan|φ| + c_φ/(c_y l² |sinφ| cosφ): the part of the normal force that
// depends on the velocity feeds the motion; and the inertia above
//   μ_P = tan|φ| + (m2/m1) cot|φ|                                                        (Painlevé)       (B.13)
// beyond which there is no acceleration, or more than one. The paper gives no numbers: here φ0 = -30°, m1 = 1, m2 = 0.5
// make μ_P = 1.4434 and c_y = 1, c_φ = 0.1 make μ_c = 0.8083 below it, and k_φ keeps the rod within a degree of φ0.
#pragma once

#include "slipset/core/angle.hpp"
#include "slipset/systems/system.hpp"

namespace slipset {

struct FrictionalImpactOscillatorParameters {
  double upper_mass = 1;    // m1 [kg]
  double tip_mass = 0.5;    // m2 [kg]
  double length = 1;        // l [m]
  double angle = -kPi / 6;  // φ0: without forces [rad]
  double k = 100;           // k_y [N/m]
  double k_angle = 300;     // k_φ [N m/rad]
  double c = 1;             // c_y [N s/m]
  double c_angle = 0.1;     // c_φ [N m s/rad]
  double load = 10;         // F, downwards [N]
  double belt_speed = 1;    // v [m/s]
  double restitution = 0;   // of impacts with the belt
};

// How many accelerations a sliding contact has.
enum class SlidingSolutions {
  slides,   // one: the contact stays closed
  opens,    // one: it opens
  none,     // neither: Painlevé's inconsistent case
  several,  // both: the indeterminate case
};
const char* name_of(SlidingSolutions solutions);

class FrictionalImpactOscillator : public System {
 public:
  FrictionalImpactOscillator(std::shared_ptr<const PlanarContactLaw> law,
                             const FrictionalImpactOscillatorParameters& parameters);

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  bool has_constant_mass() const override { return false; }
  bool has_steady_surfaces() const override { return true; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  std::vector<std::string> coordinates() const override { return {"y", "angle"}; }

  // Without forces, just closed.
  State start() const override;
  // μ_P of (B.13) at an angle φ. Infinite where friction lifts the tip (φ ≥ 0, for v > 0).
  static double painleve_friction(const FrictionalImpactOscillatorParameters& parameters, double angle);
  // μ_c of the sliding rod at φ, without the stiffness of its load; infinite as above.
  static double damping_friction(const FrictionalImpactOscillatorParameters& parameters, double angle);
  // At (q, u) with the contact closed and slipping: which accelerations there are.
  SlidingSolutions solutions(const VectorX& q, const VectorX& u) const;

 private:
  FrictionalImpactOscillatorParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
