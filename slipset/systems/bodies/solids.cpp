#include "slipset/systems/bodies/solids.hpp"

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"

namespace slipset {

Surface::Surface(const FrictionLaw& friction) {
  if (friction.elastic()) throw InvalidInput("rigid bodies: contacts are rigid; take the elastic part of the law out");
  law = std::make_shared<const PlanarContactLaw>(friction);
}

Surface::Surface(const RollingLaw& friction) : law(std::make_shared<const RollingContactLaw>(friction)) {}

BodyState at(double x, double y, double z) {
  BodyState state;
  state.position = Vec3(x, y, z);
  return state;
}

}  // namespace slipset
