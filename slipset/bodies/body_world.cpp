#include "slipset/bodies/body_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"

namespace slipset {

int BodyWorld::add_law(const FrictionLaw& law) {
  if (law.elastic()) throw InvalidInput("rigid bodies: contacts are rigid; take the elastic part of the law out");
  laws.push_back(std::make_shared<const PlanarContactLaw>(law));
  return static_cast<int>(laws.size()) - 1;
}

int BodyWorld::add_law(const RollingLaw& law) {
  laws.push_back(std::make_shared<const RollingContactLaw>(law));
  return static_cast<int>(laws.size()) - 1;
}

bool BodyWorld::has_rolling_laws() const {
  return std::any_of(laws.begin(), laws.end(), [](const auto& law) { return law->as_planar() == nullptr; });
}

std::size_t BodyWorld::add(RigidBody body, const BodyState& state) {
  if (!(state.position.allFinite() && state.orientation.coeffs().allFinite() && state.velocity.allFinite() &&
        state.spin.allFinite() && state.orientation.norm() > 0))
    throw InvalidInput(fmt::format("body \"{}\": a position, orientation, velocity or spin is not finite", body.name));
  if (body.surface.law >= static_cast<int>(laws.size()))
    throw InvalidInput(fmt::format("body \"{}\": there is no law {}", body.name, body.surface.law));
  if (!body.prescribed && !(body.mass > 0 && body.inertia.minCoeff() > 0))
    throw InvalidInput(fmt::format("body \"{}\": mass and moments of inertia must be positive", body.name));
  BodyState start = state;
  start.orientation.normalize();
  if (body.prescribed) {
    body.motion.origin = start.position;
    body.motion.first_orientation = start.orientation;
    start.velocity = body.motion.velocity;
    start.spin = start.orientation.conjugate() * body.motion.spin;
  }
  bodies.push_back(std::move(body));
  states.push_back(start);
  return bodies.size() - 1;
}

BodyWorld::PairRule BodyWorld::rule_of(std::size_t first, std::size_t second) const {
  const BodySurface &a = bodies[first].surface, &b = bodies[second].surface;
  for (const LawPair& pair : pairs) {
    if (pair.first == a.law && pair.second == b.law) return {pair.law, true};
    if (pair.first == b.law && pair.second == a.law) return {pair.law, false};
  }
  if (a.priority != b.priority) return a.priority > b.priority ? PairRule{a.law, true} : PairRule{b.law, false};
  const auto rank = [](const RigidBody& body) {
    return body.shape.kind == BodyKind::plane ? 2 : body.prescribed ? 1 : 0;
  };
  return rank(bodies[first]) >= rank(bodies[second]) ? PairRule{a.law, true} : PairRule{b.law, false};
}

double BodyWorld::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed)
      sum += bodies[i].mass * states[i].velocity.squaredNorm() +
             states[i].spin.dot(bodies[i].inertia.cwiseProduct(states[i].spin));
  return sum / 2;
}

double BodyWorld::potential_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed) sum -= bodies[i].mass * gravity.dot(states[i].position);
  return sum;
}

Vec3 BodyWorld::angular_momentum() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed)
      sum += bodies[i].mass * states[i].position.cross(states[i].velocity) +
             states[i].orientation * bodies[i].inertia.cwiseProduct(states[i].spin);
  return sum;
}

std::size_t BodyWorld::free_bodies() const {
  std::size_t count = 0;
  for (const RigidBody& body : bodies) count += !body.prescribed;
  return count;
}

double smallest_size(const BodyWorld& world) {
  double smallest = INFINITY;
  for (const RigidBody& body : world.bodies) {
    if (body.prescribed) continue;
    smallest = std::min(smallest, body.shape.kind == BodyKind::sphere ? body.shape.radius : body.shape.half.minCoeff());
  }
  return std::isfinite(smallest) ? smallest : 1;
}

}  // namespace slipset
