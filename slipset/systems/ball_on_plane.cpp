#include "slipset/systems/ball_on_plane.hpp"

namespace slipset {

BallOnPlane::BallOnPlane(FrictionLaw law, const BallOnPlaneParameters& parameters) : p_(parameters) {
  require_positive(p_.mass, "ball-on-plane: mass");
  require_positive(p_.radius, "ball-on-plane: radius");
  require_positive(p_.gravity, "ball-on-plane: gravity");
  if (!(p_.restitution >= 0 && p_.restitution <= 1))
    throw InvalidInput("ball-on-plane: restitution is " + std::to_string(p_.restitution) + "; it must be from 0 to 1");
  contacts_.push_back({"contact", std::make_shared<PlanarContactLaw>(std::move(law)), true, p_.restitution});
}

State BallOnPlane::start() const {
  State state{0, VectorX::Zero(6), VectorX::Zero(6)};
  state.q[2] = p_.radius;
  return state;
}

void BallOnPlane::evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const {
  at.mass.setZero();
  at.mass.diagonal().head<3>().setConstant(p_.mass);
  at.mass.diagonal().tail<3>().setConstant(0.4 * p_.mass * p_.radius * p_.radius);
  at.force.setZero();
  at.force[2] = -p_.mass * p_.gravity;
  at.potential_force = at.force;
  ContactAt& contact = at.contacts[0];
  contact.gap = q[2] - p_.radius;
  contact.normal.setZero();
  contact.normal[2] = 1;
  contact.tangents.setZero();
  contact.tangents(0, 0) = contact.tangents(1, 1) = 1;
  contact.tangents(4, 0) = -p_.radius;
  contact.tangents(3, 1) = p_.radius;
}

}  // namespace slipset
