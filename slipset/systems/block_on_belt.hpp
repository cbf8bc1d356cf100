// A block on a spring and a damper on a moving belt.                  [H07 4, Fig. 1] [WL19 Fig. 13a]
//   m ẍ + c ẋ + k x = λ,  γ = ẋ - v
// One direction: the second axis of the contact's plane does not move, so the law counts along its first axis.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct BlockOnBeltParameters {
  double mass = 1;          // [kg]
  double stiffness = 1;     // [N/m]
  double damping = 0;       // [N s/m]
  double normal_force = 1;  // [N]
  double belt_speed = 1;    // [m/s]
};

class BlockOnBelt : public System {
 public:
  BlockOnBelt(std::shared_ptr<const PlanarContactLaw> law, const BlockOnBeltParameters& parameters);

  Eigen::Index dofs() const override { return 1; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override { return 0.5 * p_.stiffness * q[0] * q[0]; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x"}; }
  std::array<Eigen::Index, 2> figure_plane() const override { return {0, 0}; }

  // Steady sliding; empty if the belt stands still or there is no spring.
  std::optional<VectorX> equilibrium() const;

 private:
  BlockOnBeltParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
