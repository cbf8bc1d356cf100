#include "slipset/systems/prescribed_circle.hpp"

namespace slipset {

PrescribedCircle::PrescribedCircle(FrictionLaw law, double radius, double angular_velocity, double normal_force)
    : radius_(radius), omega_(angular_velocity), normal_force_(normal_force) {
  require_positive(radius, "prescribed-circle: radius");
  require_positive(std::abs(angular_velocity), "prescribed-circle: size of the angular velocity");
  require_positive(normal_force, "prescribed-circle: normal_force");
  contacts_.push_back({"contact", std::make_shared<PlanarContactLaw>(std::move(law)), false, 0});
}

State PrescribedCircle::start() const { return {0, Vec2(radius_, 0), Vec2(0, radius_ * omega_)}; }

void PrescribedCircle::evaluate(double t, const VectorX& q, const VectorX&, SystemAt& at) const {
  at.mass.setIdentity();
  at.force = -omega_ * omega_ * q;
  at.potential_force = at.force;
  at.contacts[0].tangents.setZero();
  at.contacts[0].normal_force = normal_force_;
  at.contacts[0].surface_velocity = -radius_ * omega_ * turn_left(unit(omega_ * t));
}

}  // namespace slipset
