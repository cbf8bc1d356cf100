// A double pendulum above a belt, pushed by friction that follows its last rod.                    [WL19 Fig. 13d]
// Massless rods l1, l2 with angles φ1, φ2 to the belt's direction, masses m1 at the joint and m2 at the tip, springs k1
// at the foot and k2 between the rods. At the tip a wheel runs on the belt with its axle along the second rod: it takes
// friction along its axle only, e = (cosφ2, sinφ2). The belt runs against the pendulum, -v e_x:
//   γ = e·(ṙ + v e_x),   W_T = (∂r/∂φ)ᵀ e,   χ = -v cosφ2
// so that a load of constant size P = μ λ_N is always along the second rod: Ziegler's column. Linearised about φ = 0,
//   [(m1+m2) l1², m2 l1 l2; m2 l1 l2, m2 l2²] φ̈ + [k1 + k2 - P l1, P l1 - k2; -k2, k2] φ = 0
// The paper gives no numbers: here m1 = 2 m2, l1 = l2 = l and k1 = k2 = k as Ziegler's, where the undamped column
// flutters above P = (7/2 - √2) k/l = 2.0858 k/l, and with equal small dampers already above 41/28 k/l.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct FollowerPendulumParameters {
  double joint_mass = 2, tip_mass = 1;  // m1, m2 [kg]
  double length1 = 1, length2 = 1;      // [m]
  double k1 = 1, k2 = 1;                // [N m/rad]
  double c1 = 0, c2 = 0;                // beside the springs [N m s/rad]
  double normal_force = 1;              // λ_N of the wheel [N]
  double belt_speed = 1;                // v [m/s]
};

class FollowerPendulum : public System {
 public:
  FollowerPendulum(std::shared_ptr<const PlanarContactLaw> law, const FollowerPendulumParameters& parameters);

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  bool has_constant_mass() const override { return false; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  std::vector<std::string> coordinates() const override { return {"angle1", "angle2"}; }

  // The load at which two undamped modes of the straight pendulum meet: the discriminant of
  //   det M s² + (M11 k2 + M22 (k1 + k2 - P l1) + M12 (2 k2 - P l1)) s + k1 k2 = 0
  // is zero there.                                                                                       (B.14)
  static double flutter_load(const FollowerPendulumParameters& parameters);

 private:
  FollowerPendulumParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
