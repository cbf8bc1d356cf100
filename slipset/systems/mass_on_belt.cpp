#include "slipset/systems/mass_on_belt.hpp"

#include <Eigen/LU>

namespace slipset {

MassOnBelt::MassOnBelt(FrictionLaw law, const MassOnBeltParameters& parameters) : p_(parameters) {
  require_positive(p_.mass, "mass-on-belt: mass");
  require_positive(p_.normal_force, "mass-on-belt: normal_force");
  if (!(p_.stiffness.allFinite() && p_.damping.allFinite() && p_.belt_velocity.allFinite()))
    throw InvalidInput("mass-on-belt: stiffness, damping and belt velocity must be finite");
  contacts_.push_back({"contact", std::make_shared<PlanarContactLaw>(std::move(law)), false, 0});
}

void MassOnBelt::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  at.mass.setIdentity();
  at.mass *= p_.mass;
  const Vec2 x = q, v = u;
  // The symmetric part of K has a potential.
  at.potential_force = -0.5 * (p_.stiffness + p_.stiffness.transpose()) * x;
  at.force = -p_.stiffness * x - p_.damping * v;
  at.contacts[0].tangents.setIdentity();
  at.contacts[0].normal_force = p_.normal_force;
  at.contacts[0].surface_velocity = p_.belt_velocity;
}

double MassOnBelt::potential_energy(const VectorX& q) const {
  const Vec2 x = q;
  return 0.5 * x.dot(p_.stiffness * x);
}

std::optional<Vec2> MassOnBelt::equilibrium() const {
  if (p_.belt_velocity.isZero(0) || !(std::abs(p_.stiffness.determinant()) > 1e-14 * p_.stiffness.squaredNorm()))
    return std::nullopt;
  const Vec2 force = -p_.normal_force * slip_resistance(contacts_[0].law->law(), -p_.belt_velocity);
  return p_.stiffness.inverse() * force;
}

}  // namespace slipset
