#include "slipset/bodies/body_problem.hpp"

#include <algorithm>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

}  // namespace

void free_motions(const BodyWorld& world, double dt, std::vector<BodyMotion>& motions) {
  motions.resize(world.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const RigidBody& body = world.bodies[i];
    const BodyState& state = world.states[i];
    BodyMotion& m = motions[i];
    if (body.prescribed) {
      m.inverse_mass = 0;
      m.inverse_inertia.setZero();
      m.velocity_before = m.velocity_free =
          (body.motion.position(world.time + dt) - body.motion.position(world.time)) / dt;
      m.spin_before = m.spin_free = body.motion.spin;
      m.spin_free_body = state.spin;
      continue;
    }
    const Mat3 r = state.orientation.matrix();
    m.inverse_mass = 1 / body.mass;
    m.inverse_inertia = r * body.inertia.cwiseInverse().asDiagonal() * r.transpose();
    m.velocity_before = state.velocity;
    m.velocity_free = state.velocity + dt * world.gravity;
    m.spin_before = r * state.spin;
    m.spin_free_body = spin_without_torque(body.inertia, state.spin, dt);
    m.spin_free = r * m.spin_free_body;
  }
}

Vec3 contact_velocity(const BodyContact& c, const BodyWorld& world, const Vec3& surface_velocity,
                      const Vec3& surface_spin, const Vec3& other_velocity, const Vec3& other_spin) {
  const Vec3 arm_s = c.point - world.states[c.surface].position, arm_o = c.point - world.states[c.other].position;
  return c.frame * (other_velocity + other_spin.cross(arm_o) - surface_velocity - surface_spin.cross(arm_s));
}

void BodyProblem::build(const BodyWorld& world, const std::vector<BodyMotion>& motions,
                        const std::vector<BodyContact>& contacts, double dt) {
  const std::size_t n = contacts.size();
  points.resize(n);
  free_velocity.resize(at(n));
  velocity_before.resize(at(n));
  pairs.resize(motions.size(), n);
  for (std::size_t b = 0; b < motions.size(); ++b)
    pairs.body(b) = {motions[b].inverse_mass, motions[b].inverse_inertia};
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const BodyMotion &s = motions[c.surface], &o = motions[c.other];
    pairs.contact(i) = {c.surface, c.other, c.frame, c.point - world.states[c.surface].position,
                        c.point - world.states[c.other].position};
    const Vec3 before = contact_velocity(c, world, s.velocity_before, s.spin_before, o.velocity_before, o.spin_before);
    Vec3 free = contact_velocity(c, world, s.velocity_free, s.spin_free, o.velocity_free, o.spin_free);
    free[0] += std::max(c.gap, 0.0) / dt;
    free_velocity.segment<3>(at(i)) = free;
    velocity_before.segment<3>(at(i)) = before;
    ContactPoint& point = points[i];
    point = {};
    point.last_slip = before.tail<2>();
    if (c.law < 0) continue;
    point.law = world.laws[static_cast<std::size_t>(c.law)].get();
    if (!point.law) continue;  // with drilling or rolling: RollingBodies
    const auto& rate = point.law->law().stribeck();
    if (rate) point.reservoir_factor = rate->factor(point.last_slip.norm());
  }
  pairs.connect();
}

double margin_of(const BodyWorld& world, double margin) { return margin > 0 ? margin : 0.01 * smallest_size(world); }

ContactProblem problem_of(const BodyWorld& world, double dt, double margin, double closed) {
  require_positive(dt, "time step");
  if (world.has_rolling_laws())
    throw InvalidInput("rigid bodies: contacts that resist drilling or rolling are no planar contact problem");
  std::vector<BodyMotion> motions;
  free_motions(world, dt, motions);
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, dt, margin_of(world, margin), contacts);
  for (BodyContact& c : contacts)
    if (c.gap < closed) c.gap = std::min(c.gap, 0.0);
  BodyProblem problem;
  problem.build(world, motions, contacts, dt);
  ContactProblem result = assembled(problem.view());
  result.owned = world.laws;
  return result;
}

}  // namespace slipset
