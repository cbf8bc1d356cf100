// A disk or a sphere on a plane, with friction against sliding, drilling and rolling.      docs/theory/rolling.md
//   disk    flat on the plane: x, y, yaw; J = ½ m r²; rates (v_x, v_y, ω_z)
//   sphere  x, y and the angles turned about the fixed axes; J = 2/5 m r²; rates v - r ω × e_z, ω_z, (ω_x, ω_y) (T.13)
// The normal force is m g cos(slope), or given; the plane falls along +x by `slope`.
// Moreau's time-stepping: M(u_E - u_B) = h Δt + B p, q_E = q_B + Δt (u_B + u_E)/2, with the laws (T.6) on Bᵀu_E. The
// energy balance of a step is exact: Δ(½uᵀMu) = ½(u_B + u_E)·(h Δt + B p).
#pragma once

#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/dynamics/simulate.hpp"

namespace slipset {

enum class BodyShape { disk, sphere };

struct SpinningBodyParameters {
  BodyShape shape = BodyShape::disk;
  double mass = 1;                     // [kg]
  double radius = 0.1;                 // [m]
  double gravity = 9.81;               // [m/s²]
  double slope = 0;                    // [rad], from -π/2 to π/2
  std::optional<double> normal_force;  // [N], in the place of m g cos(slope)
};

class SpinningBody {
 public:
  // Throws InvalidInput for parameters out of range, and for a disk with a law that has rolling friction.
  SpinningBody(RollingLaw law, const SpinningBodyParameters& parameters);

  const RollingLaw& law() const { return law_.law(); }
  const RollingContactLaw& contact_law() const { return law_; }
  const SpinningBodyParameters& parameters() const { return p_; }
  double normal_force() const { return normal_; }
  Eigen::Index dofs() const { return mass_.size(); }
  std::vector<std::string> coordinates() const;
  const VectorX& mass() const { return mass_; }              // diagonal of M
  const VectorX& force() const { return force_; }            // h, constant
  const MatrixX& directions() const { return directions_; }  // B, one column a component of the law
  double potential_energy(const VectorX& q) const { return -force_.dot(q); }
  State start() const { return {0, VectorX::Zero(dofs()), VectorX::Zero(dofs())}; }

 private:
  RollingContactLaw law_;
  SpinningBodyParameters p_;
  double normal_;
  VectorX mass_, force_;
  MatrixX directions_;
};

// Steps, for callers that look on. `body` must outlive it.
class SpinningBodyStepper {
 public:
  SpinningBodyStepper(const SpinningBody& body, const State& start, double dt);

  void step();  // allocates nothing
  const State& state() const { return state_; }
  const LocalSolution& contact() const { return contact_; }  // of the last step; zero before
  RollingRates rates() const { return rates_of(body_->contact_law(), problem_, contact_); }
  const EnergyBalance& energy() const { return energy_; }

 private:
  const SpinningBody* body_;
  double dt_;
  State state_;
  LocalProblem problem_;
  LocalSolution contact_;
  EnergyBalance energy_;
  MatrixX by_impulse_;  // M⁻¹B
  VectorX by_force_, change_, mean_;
  ContactVec guess_;
};

// Columns: t, coordinates, velocities, then of the contact: normal_force, friction_1, friction_2, drilling_torque,
// rolling_torque_1, rolling_torque_2 (on the body), slip_1, slip_2, spin, rolling_1, rolling_2 (those that the law
// has), mode; energies. `until_stick`: until nothing moves. The options' contact is not used.
Simulation simulate(const SpinningBody& body, const State& start, const SimulationOptions& options);

}  // namespace slipset
