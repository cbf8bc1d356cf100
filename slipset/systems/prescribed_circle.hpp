// A body moved along a circle at constant angular velocity: what friction force does it feel?
//                                                                                      [WL16 Sect. 4.2, Fig. 7]
// The drive decides the motion, q̈ = -ω² q; friction acts on the drive only (W_T = 0), at the slip velocity of the
// circle.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

class PrescribedCircle : public System {
 public:
  PrescribedCircle(FrictionLaw law, double radius, double angular_velocity, double normal_force);

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  // Of a unit mass: the drive's force -ω² q as that of a spring [J].
  double potential_energy(const VectorX& q) const override { return 0.5 * omega_ * omega_ * q.squaredNorm(); }
  bool has_constant_mass() const override { return true; }
  double drive_frequency() const override { return std::abs(omega_) / (2 * kPi); }
  std::vector<std::string> coordinates() const override { return {"x", "y"}; }

  State start() const override;  // at (radius, 0)

 private:
  std::vector<SystemContact> contacts_;
  double radius_, omega_, normal_force_;
};

}  // namespace slipset
