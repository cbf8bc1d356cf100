// A disk or a sphere on a plane, with friction against sliding, drilling and rolling.      docs/theory/rolling.md
//   disk    flat on the plane: x, y, yaw; J = ½ m r²; rates (v_x, v_y, ω_z)
//   sphere  x, y and the angles turned about the fixed axes; J = 2/5 m r²; rates v - r ω × e_z, ω_z, (ω_x, ω_y) (T.13)
//   M u̇ = h + W λ_F,  γ_F = Wᵀu,  -λ_F/λ_N ∈ K,  γ_F ∈ N_K(-λ_F/λ_N)                                          (T.6)
// The normal force is m g cos(slope), or given; the plane falls along +x by `slope`.
#pragma once

#include <optional>

#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/systems/system.hpp"

namespace slipset {

enum class BodyShape { disk, sphere };

struct SpinningBodyParameters {
  BodyShape shape = BodyShape::disk;
  double mass = 1;                     // [kg]
  double radius = 0.1;                 // [m]
  double gravity = 9.81;               // [m/s²]
  double slope = 0;                    // [rad], from -π/2 to π/2
  std::optional<double> normal_force;  // [N], instead of m g cos(slope)
};

class SpinningBody final : public System {
 public:
  // Throws InvalidInput for parameters out of range, and for a disk with a law that has rolling friction.
  SpinningBody(RollingLaw law, const SpinningBodyParameters& parameters);

  const RollingLaw& law() const { return law_->law(); }
  const SpinningBodyParameters& parameters() const { return p_; }
  double normal_force() const { return normal_; }

  Eigen::Index dofs() const override { return mass_.size(); }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override { return -force_.dot(q); }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override;

 private:
  std::shared_ptr<const RollingContactLaw> law_;
  SpinningBodyParameters p_;
  double normal_;
  VectorX mass_, force_;  // M is diagonal, h constant
  MatrixX directions_;    // one column per component of the law
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
