#include "slipset/systems/follower_pendulum.hpp"

#include <cmath>

namespace slipset {
namespace {

void check_pendulum(const FollowerPendulumParameters& p) {
  require_positive(p.joint_mass, "follower-pendulum: joint_mass");
  require_positive(p.tip_mass, "follower-pendulum: tip_mass");
  require_positive(p.length1, "follower-pendulum: length1");
  require_positive(p.length2, "follower-pendulum: length2");
  require_positive(p.k1, "follower-pendulum: k1");
  require_positive(p.k2, "follower-pendulum: k2");
  require_finite(p.c1, "follower-pendulum: c1");
  require_finite(p.c2, "follower-pendulum: c2");
  require_positive(p.normal_force, "follower-pendulum: normal_force");
  require_finite(p.belt_speed, "follower-pendulum: belt_speed");
}

}  // namespace

FollowerPendulum::FollowerPendulum(std::shared_ptr<const PlanarContactLaw> law,
                                   const FollowerPendulumParameters& parameters)
    : p_(parameters) {
  if (!law) throw InvalidInput("follower-pendulum: the law is null");
  check_pendulum(p_);
  contacts_.push_back({"wheel", std::move(law), false, 0});
}

void FollowerPendulum::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  const double between = q[1] - q[0], arm = p_.tip_mass * p_.length1 * p_.length2;
  const double s = std::sin(between), c = std::cos(between);
  at.mass(0, 0) = (p_.joint_mass + p_.tip_mass) * p_.length1 * p_.length1;
  at.mass(0, 1) = at.mass(1, 0) = arm * c;
  at.mass(1, 1) = p_.tip_mass * p_.length2 * p_.length2;
  at.potential_force[0] = -p_.k1 * q[0] + p_.k2 * between;
  at.potential_force[1] = -p_.k2 * between;
  const double damper = p_.c2 * (u[1] - u[0]);
  at.force[0] = at.potential_force[0] - p_.c1 * u[0] + damper + arm * s * u[1] * u[1];
  at.force[1] = at.potential_force[1] - damper - arm * s * u[0] * u[0];
  // r = l1 (cosφ1, sinφ1) + l2 (cosφ2, sinφ2): the second rod moves across e only.
  ContactAt& contact = at.contacts[0];
  contact.tangents.setZero();
  contact.tangents(0, 0) = p_.length1 * s;
  contact.normal_force = p_.normal_force;
  contact.surface_velocity = Vec2(-p_.belt_speed * std::cos(q[1]), 0);
}

double FollowerPendulum::potential_energy(const VectorX& q) const {
  return 0.5 * (p_.k1 * q[0] * q[0] + p_.k2 * (q[1] - q[0]) * (q[1] - q[0]));
}

double FollowerPendulum::flutter_load(const FollowerPendulumParameters& p) {
  check_pendulum(p);
  const double m11 = (p.joint_mass + p.tip_mass) * p.length1 * p.length1, m12 = p.tip_mass * p.length1 * p.length2,
               m22 = p.tip_mass * p.length2 * p.length2;
  const double lowest = 2 * std::sqrt((m11 * m22 - m12 * m12) * p.k1 * p.k2);
  return (m11 * p.k2 + m22 * (p.k1 + p.k2) + 2 * m12 * p.k2 - lowest) / (p.length1 * (m22 + m12));
}

}  // namespace slipset
