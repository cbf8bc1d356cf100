// A mass on springs and dampers on a moving belt.                     [WL19 75, 76, Fig. 14]
//   m q̈ + D q̇ + K q = λ_T,  γ_T = q̇ - χ,  χ = speed (cos angle, sin angle)
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct MassOnBeltParameters {
  double mass = 1;                    // [kg]
  Mat2 stiffness = Mat2::Identity();  // [N/m]
  Mat2 damping = Mat2::Zero();        // [N s/m]
  double normal_force = 1;            // [N]
  Vec2 belt_velocity = {1, 0};        // χ [m/s]
};

class MassOnBelt : public System {
 public:
  MassOnBelt(FrictionLaw law, const MassOnBeltParameters& parameters);

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y"}; }

  // Steady sliding: K q = λ_T at γ_T = -χ. Empty if the belt stands still or K is singular.
  std::optional<Vec2> equilibrium() const;

 private:
  std::vector<SystemContact> contacts_;
  MassOnBeltParameters p_;
};

}  // namespace slipset
