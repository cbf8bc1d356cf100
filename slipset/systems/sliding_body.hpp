// A body that slides freely on a horizontal plane.                    [WL16 Sect. 4.1]
//   m q̈ = λ_T,  γ_T = u,  λ_N = m g or given
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

class SlidingBody : public System {
 public:
  // Throws InvalidInput unless mass and normal force are positive.
  SlidingBody(FrictionLaw law, double mass, double normal_force);

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX&) const override { return 0; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y"}; }

 private:
  std::vector<SystemContact> contacts_;
  double mass_, normal_force_;
};

}  // namespace slipset
