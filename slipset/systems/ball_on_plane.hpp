// A homogeneous ball on a plane: it bounces, slides and comes to roll.       docs/theory/dynamics.md
//   m v̇ = -m g e_z + λ,  J ω̇ = -r e_z × λ,  J = 2/5 m r²,  gap = z - r,  γ_T = v_T - r ω × e_z            (M.1)
// Coordinates: the centre and, for each fixed axis, the angle turned about it so far, ∫ω dt. Those three angles are
// sums, not an orientation: a homogeneous ball looks the same in every orientation, and its motion does not need one.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct BallOnPlaneParameters {
  double mass = 1;         // [kg]
  double radius = 0.1;     // [m]
  double gravity = 9.81;   // [m/s²]
  double restitution = 0;  // Newton's coefficient, 0 to 1
};

class BallOnPlane : public System {
 public:
  // The law belongs to the plane, its axes are x and y. A contact that sticks is a ball that rolls.
  BallOnPlane(FrictionLaw law, const BallOnPlaneParameters& parameters);

  Eigen::Index dofs() const override { return 6; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override { return p_.mass * p_.gravity * q[2]; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "z", "turn_x", "turn_y", "turn_z"}; }

  State start() const override;  // at rest on the plane

 private:
  BallOnPlaneParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
