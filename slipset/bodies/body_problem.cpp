#include "slipset/bodies/body_problem.hpp"

#include <algorithm>

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

// Those of the contact's law; without friction the normal one alone where other contacts roll, else three as theirs.
std::uint8_t rows_of(const ContactLaw* law, bool rolling) {
  if (!law) return rolling ? kNormalRow : kPointRows;
  const auto* rolls = dynamic_cast<const RollingContactLaw*>(law);
  if (!rolls) return kPointRows;
  int rows = kNormalRow;
  if (rolls->law().has_sliding()) rows |= kTangentRows;
  if (rolls->law().has_drilling()) rows |= kDrillingRow;
  if (rolls->law().has_rolling()) rows |= kRollingRows;
  return static_cast<std::uint8_t>(rows);
}

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
  const bool rolling = world.has_rolling_laws();
  problem.contacts.resize(n);
  velocity_before.resize(at(n));
  pairs.resize(motions.size(), n);
  for (std::size_t b = 0; b < motions.size(); ++b)
    pairs.body(b) = {motions[b].inverse_mass, motions[b].inverse_inertia};
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const BodyMotion &s = motions[c.surface], &o = motions[c.other];
    const ContactLaw* law = c.law < 0 ? nullptr : world.laws[static_cast<std::size_t>(c.law)].get();
    pairs.contact(i) = {c.surface,
                        c.other,
                        c.frame,
                        c.point - world.states[c.surface].position,
                        c.point - world.states[c.other].position,
                        rows_of(law, rolling)};
    const Vec3 before = contact_velocity(c, world, s.velocity_before, s.spin_before, o.velocity_before, o.spin_before);
    velocity_before.segment<3>(at(i)) = before;
    Contact& contact = problem.contacts[i];
    contact = {};
    contact.law = law;
    contact.last_slip = before.tail<2>();
    const PlanarContactLaw* planar = law ? law->as_planar() : nullptr;
    if (planar && planar->law().stribeck())
      contact.reservoir_factor = planar->law().stribeck()->factor(contact.last_slip.norm());
  }
  pairs.connect();
  problem.free_velocity.resize(pairs.rows());
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const BodyMotion &s = motions[c.surface], &o = motions[c.other];
    Vec3 free = contact_velocity(c, world, s.velocity_free, s.spin_free, o.velocity_free, o.spin_free);
    free[0] += std::max(c.gap, 0.0) / dt;
    if (pairs.rows(i) == 3 && pairs.contact(i).rows == kPointRows)
      problem.free_velocity.segment<3>(pairs.offset(i)) = free;
    else
      put_rows(pairs, i, free, c.frame * (o.spin_free - s.spin_free), problem.free_velocity);
  }
}

const ContactProblem& BodyProblem::view() {
  problem.delassus = kept_elsewhere(pairs);
  return problem;
}

ContactProblem BodyProblem::standing_alone(const BodyWorld& world) const {
  ContactProblem alone = problem;
  alone.delassus = kept_elsewhere(pairs);
  alone = assembled(alone);
  alone.owned = world.laws;
  return alone;
}

void put_rows(const BodyDelassus& pairs, std::size_t contact, const Vec3& point, const Vec3& turn,
              Eigen::VectorXd& to) {
  Index next = pairs.offset(contact);
  for (int k = 0; k < 6; ++k)
    if (pairs.contact(contact).rows & (1 << k)) to[next++] = k < 3 ? point[k] : turn[k - 3];
}

void take_rows(const BodyDelassus& pairs, std::size_t contact, const Eigen::VectorXd& from, Vec3& point, Vec3& turn) {
  point.setZero();
  turn.setZero();
  Index next = pairs.offset(contact);
  for (int k = 0; k < 6; ++k)
    if (pairs.contact(contact).rows & (1 << k)) (k < 3 ? point[k] : turn[k - 3]) = from[next++];
}

double margin_of(const BodyWorld& world, double margin) { return margin > 0 ? margin : 0.01 * smallest_size(world); }

ContactProblem problem_of(const BodyWorld& world, double dt, double margin, double closed) {
  require_positive(dt, "time step");
  std::vector<BodyMotion> motions;
  free_motions(world, dt, motions);
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, dt, margin_of(world, margin), contacts);
  for (BodyContact& c : contacts)
    if (c.gap < closed) c.gap = std::min(c.gap, 0.0);
  BodyProblem problem;
  problem.build(world, motions, contacts, dt);
  return problem.standing_alone(world);
}

}  // namespace slipset
