#include "slipset/systems/block_on_belt.hpp"

namespace slipset {

BlockOnBelt::BlockOnBelt(std::shared_ptr<const PlanarContactLaw> law, const BlockOnBeltParameters& parameters)
    : p_(parameters) {
  if (!law) throw InvalidInput("block-on-belt: the law is null");
  require_positive(p_.mass, "block-on-belt: mass");
  require_positive(p_.normal_force, "block-on-belt: normal_force");
  require_finite(p_.stiffness, "block-on-belt: stiffness");
  require_finite(p_.damping, "block-on-belt: damping");
  require_finite(p_.belt_speed, "block-on-belt: belt_speed");
  contacts_.push_back({"contact", std::move(law), false, 0});
}

void BlockOnBelt::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  at.mass(0, 0) = p_.mass;
  at.potential_force[0] = -p_.stiffness * q[0];
  at.force[0] = at.potential_force[0] - p_.damping * u[0];
  at.contacts[0].tangents << 1, 0;
  at.contacts[0].normal_force = p_.normal_force;
  at.contacts[0].surface_velocity = Vec2(p_.belt_speed, 0);
}

std::optional<VectorX> BlockOnBelt::equilibrium() const {
  if (p_.belt_speed == 0 || p_.stiffness == 0) return std::nullopt;
  const Vec2 s = slip_resistance(contacts_[0].law->law(), Vec2(-p_.belt_speed, 0));
  return VectorX::Constant(1, -p_.normal_force * s.x() / p_.stiffness);
}

}  // namespace slipset
