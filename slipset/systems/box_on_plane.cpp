#include "slipset/systems/box_on_plane.hpp"

namespace slipset {
namespace {

Vec2 turned(const Vec2& b, double angle) { return b.x() * unit(angle) + b.y() * turn_left(unit(angle)); }

}  // namespace

BoxOnPlane::BoxOnPlane(const FrictionLaw& law, const BoxOnPlaneParameters& parameters) : p_(parameters) {
  require_positive(p_.mass, "box-on-plane: mass");
  require_positive(p_.length, "box-on-plane: length");
  require_positive(p_.height, "box-on-plane: height");
  require_positive(p_.gravity, "box-on-plane: gravity");
  require_finite(p_.push, "box-on-plane: push force");
  require_finite(p_.push_height, "box-on-plane: push height");
  if (!(p_.restitution >= 0 && p_.restitution <= 1))
    throw InvalidInput("box-on-plane: restitution is " + std::to_string(p_.restitution) + "; it must be from 0 to 1");
  const double a = p_.length / 2, b = p_.height / 2;
  corners_ = {Vec2(-a, -b), Vec2(a, -b), Vec2(a, b), Vec2(-a, b)};
  const auto shared = std::make_shared<PlanarContactLaw>(law);
  for (const char* name : {"rear", "front", "upper_front", "upper_rear"})
    contacts_.push_back({name, shared, true, p_.restitution});
}

State BoxOnPlane::start() const {
  State state{0, VectorX::Zero(4), VectorX::Zero(4)};
  state.q[2] = p_.height / 2;
  return state;
}

void BoxOnPlane::evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const {
  at.mass.setZero();
  at.mass.diagonal().setConstant(p_.mass);
  at.mass(3, 3) = p_.mass * (p_.length * p_.length + p_.height * p_.height) / 12;
  at.force.setZero();
  at.force[0] = p_.push;
  at.force[2] = -p_.mass * p_.gravity;
  at.force[3] = -(p_.push_height - p_.height / 2) * std::cos(q[3]) * p_.push;
  at.potential_force.setZero();
  at.potential_force[2] = at.force[2];  // the push is a load
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vec2 r = turned(corners_[i], q[3]);
    ContactAt& contact = at.contacts[i];
    contact.gap = q[2] + r.y();
    contact.normal.setZero();
    contact.normal[2] = 1;
    contact.normal[3] = r.x();
    contact.tangents.setZero();
    contact.tangents(0, 0) = contact.tangents(1, 1) = 1;
    contact.tangents(3, 0) = -r.y();
  }
}

double BoxOnPlane::potential_energy(const VectorX& q) const { return p_.mass * p_.gravity * q[2]; }

std::vector<Vec2> BoxOnPlane::outline(double, const VectorX& q) const {
  std::vector<Vec2> points;
  for (std::size_t i = 0; i <= corners_.size(); ++i)
    points.push_back(Vec2(q[0], q[2]) + turned(corners_[i % corners_.size()], q[3]));
  return points;
}

}  // namespace slipset
