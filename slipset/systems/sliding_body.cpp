#include "slipset/systems/sliding_body.hpp"

namespace slipset {

SlidingBody::SlidingBody(FrictionLaw law, double mass, double normal_force) : mass_(mass), normal_force_(normal_force) {
  require_positive(mass, "sliding-body: mass");
  require_positive(normal_force, "sliding-body: normal force");
  contacts_.push_back({"contact", std::make_shared<PlanarContactLaw>(std::move(law)), false, 0});
}

void SlidingBody::evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const {
  at.mass.setIdentity();
  at.mass *= mass_;
  at.contacts[0].tangents.setIdentity();
  at.contacts[0].normal_force = normal_force_;
}

}  // namespace slipset
