#include "slipset/systems/bodies/body_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

// Those of the contact's law; without friction the normal one alone where other contacts roll, else three as theirs.
std::uint8_t rows_of_law(const ContactLaw* law, bool rolling) {
  if (!law) return rolling ? kNormalRow : kPointRows;
  const auto* rolls = dynamic_cast<const RollingContactLaw*>(law);
  if (!rolls) return kPointRows;
  int rows = kNormalRow;
  if (rolls->law().has_sliding()) rows |= kTangentRows;
  if (rolls->law().has_drilling()) rows |= kDrillingRow;
  if (rolls->law().has_rolling()) rows |= kRollingRows;
  return static_cast<std::uint8_t>(rows);
}

// φ with exp(φ) = q, |φ| ≤ π.
Vec3 turn_of(const Quaternion& q) {
  const double sine = q.vec().norm();
  if (!(sine > 0)) return Vec3::Zero();
  return Vec3((q.w() < 0 ? -2 : 2) * std::atan2(sine, std::abs(q.w())) / sine * q.vec());
}

// The shortest turn that takes `axis` to where q takes it. A part of q about the axis, as large as it may be, does not
// enter: turn_of() would mix the two, and from a quarter turn on lead the correction astray.
Vec3 tilt_of(const Vec3& axis, const Quaternion& q) {
  const Vec3 turned = q * axis, across = axis.cross(turned);
  const double sine = across.norm();
  return sine > 0 ? Vec3(std::atan2(sine, axis.dot(turned)) / sine * across) : Vec3(Vec3::Zero());
}

}  // namespace

void free_motions(const BodyWorld& world, double dt, std::vector<BodyMotion>& motions) {
  if (world.states.size() != world.bodies.size() || !std::isfinite(dt))
    throw InvalidInput(
        fmt::format("rigid bodies: {} bodies with {} states, in a step of {} s; expected a state for each",
                    world.bodies.size(), world.states.size(), dt));
  motions.resize(world.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const RigidBody& body = world.bodies[i];
    const BodyState& state = world.states[i];
    BodyMotion& m = motions[i];
    if (body.prescribed) {
      m.inverse_mass = 0;
      m.inverse_inertia.setZero();
      m.velocity_before = body.motion.velocity_at(world.time);
      m.velocity_free = body.motion.velocity_at(world.time + dt);
      m.spin_before = m.spin_free = body.motion.spin;
      m.spin_free_body = state.spin;
      continue;
    }
    const Mat3 r = state.orientation.matrix();
    m.inverse_mass = 1 / body.mass;
    m.inverse_inertia = r * body.inertia.cwiseInverse().asDiagonal() * r.transpose();
    m.velocity_before = state.velocity;
    m.velocity_free = state.velocity + dt * (world.gravity + body.force / body.mass);
    m.spin_before = r * state.spin;
    m.spin_free_body = spin_without_torque(body.inertia, state.spin, dt);
    if (!body.torque.isZero(0)) m.spin_free_body += dt * (r.transpose() * body.torque).cwiseQuotient(body.inertia);
    m.spin_free = r * m.spin_free_body;
  }
}

Vec3 contact_velocity(const BodyContact& c, const BodyWorld& world, const Vec3& surface_velocity,
                      const Vec3& surface_spin, const Vec3& other_velocity, const Vec3& other_spin) {
  const Vec3 arm_s = c.point - world.states[c.surface].position, arm_o = c.point - world.states[c.other].position;
  return c.frame * (other_velocity + other_spin.cross(arm_o) - surface_velocity - surface_spin.cross(arm_s));
}

void BodyProblem::build(const BodyWorld& world, const std::vector<BodyMotion>& motions,
                        const std::vector<BodyContact>& contacts, double dt, double closing, ContactProblem& problem) {
  const std::size_t n = contacts.size();
  const bool rolling = world.has_rolling_laws();
  problem.contacts.resize(n + world.joints.size());
  velocity_before.resize(at(n));
  moved_on.setZero(at(n));
  pairs.resize(motions.size(), n + world.joints.size());
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
                        rows_of_law(law, rolling)};
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
  add_joints(world, motions, n, dt, problem);
  pairs.connect();
  problem.delassus = kept_elsewhere(pairs);
  problem.free_velocity.resize(pairs.rows());
  joint_offset_ = world.joints.empty() ? pairs.rows() : pairs.offset(n);
  for (std::size_t k = 0; k < world.joints.size(); ++k) {
    const BodyPair& pair = pairs.contact(n + k);
    const Joint& joint = world.joints[k];
    const BodyMotion &a = motions[pair.first], &b = motions[pair.second];
    const BodyState &first = world.states[joint.first], &second = world.states[joint.second];
    const JointError error = joint_error_of(joint, world);
    const Mat3 frame = joint.frame_first * first.orientation.matrix().transpose();
    const auto velocity = [&](const Vec3& va, const Vec3& wa, const Vec3& vb, const Vec3& wb, const Vec3& arm_a,
                              const Vec3& arm_b) { return Vec3(vb + wb.cross(arm_b) - va - wa.cross(arm_a)); };
    const Vec3 now = frame * velocity(a.velocity_before, a.spin_before, b.velocity_before, b.spin_before,
                                      first.orientation * joint.point_first, second.orientation * joint.point_second);
    const Vec3 middle =
        velocity(a.velocity_before + a.velocity_free, a.spin_before + a.spin_free, b.velocity_before + b.velocity_free,
                 b.spin_before + b.spin_free, pair.arm_first, pair.arm_second);
    const Vec3 spin_now = frame * (b.spin_before - a.spin_before),
               spin_middle = b.spin_before + b.spin_free - a.spin_before - a.spin_free;
    put_rows(pairs, n + k, pair.frame * middle - now + error.distance / dt,
             pair.frame * spin_middle - spin_now + error.turn / dt, problem.free_velocity);
  }
  const double slow = 2 * world.gravity.norm() * dt;  // below, a contact comes to rest
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const BodyMotion &s = motions[c.surface], &o = motions[c.other];
    Vec3 free = contact_velocity(c, world, s.velocity_free, s.spin_free, o.velocity_free, o.spin_free);
    const double before = velocity_before[at(i)];
    const bool closed = c.gap <= closing;
    if (closed && (s.inverse_mass == 0 || o.inverse_mass == 0)) {
      const auto turned = [&](const BodyMotion& led, const BodyMotion& with) {
        return Vec3(dt * led.spin_free.cross(with.velocity_before - led.velocity_before));
      };
      const Vec3 on = c.frame * (s.inverse_mass == 0 ? Vec3(-turned(s, o)) : turned(o, s));
      moved_on.segment<3>(at(i)) = on;
      free += on;
    }
    if (c.restitution > 0 && before < -slow && c.gap + dt * free[0] < 0)
      free[0] += c.restitution * before;
    else if (!closed)
      free[0] += c.gap / dt;
    if (pairs.rows(i) == 3 && pairs.contact(i).rows == kPointRows)
      problem.free_velocity.segment<3>(pairs.offset(i)) = free;
    else
      put_rows(pairs, i, free, c.frame * (o.spin_free - s.spin_free), problem.free_velocity);
  }
}

// Rows as they will be in the middle of the step, so that the impulses do no work: with the mean of the velocities
// before and after along them.
void BodyProblem::add_joints(const BodyWorld& world, const std::vector<BodyMotion>& motions, std::size_t contacts,
                             double dt, ContactProblem& problem) {
  for (std::size_t k = 0; k < world.joints.size(); ++k) {
    const Joint& joint = world.joints[k];
    const auto turned = [&](std::size_t body) {
      return Quaternion(rotation_by(dt / 2 * motions[body].spin_before) * world.states[body].orientation);
    };
    pairs.contact(contacts + k) = {static_cast<std::uint32_t>(joint.first),
                                   static_cast<std::uint32_t>(joint.second),
                                   joint.frame_first * turned(joint.first).matrix().transpose(),
                                   turned(joint.first) * joint.point_first,
                                   turned(joint.second) * joint.point_second,
                                   rows_of(joint.kind)};
    Contact& contact = problem.contacts[contacts + k];
    contact = {};
    contact.law = &joint_law(std::popcount(rows_of(joint.kind)));
  }
}

JointError joint_error_of(const Joint& joint, const BodyWorld& world) {
  if (joint.first >= world.states.size() || joint.second >= world.states.size())
    throw InvalidInput(fmt::format(
        "joint \"{}\": is not between two bodies of the world; add it with add(), after its bodies", joint.name));
  const BodyState &first = world.states[joint.first], &second = world.states[joint.second];
  const Mat3 frame = joint.frame_first * first.orientation.matrix().transpose();
  JointError error;
  error.distance = frame * (second.position + second.orientation * joint.point_second - first.position -
                            first.orientation * joint.point_first);
  // The turn that takes the second body's axes from where the first holds them to where they are.
  const Quaternion off = second.orientation * (first.orientation * joint.second_in_first).conjugate();
  error.turn = frame * (joint.kind == JointKind::hinge ? tilt_of(frame.row(0).transpose(), off) : turn_of(off));
  const std::uint8_t rows = rows_of(joint.kind);
  for (int k = 0; k < 3; ++k) {
    if (!(rows & (1 << k))) error.distance[k] = 0;
    if (!(rows & (8 << k))) error.turn[k] = 0;
  }
  return error;
}

LargestJointError largest_joint_error(const BodyWorld& world) {
  LargestJointError largest;
  for (const Joint& joint : world.joints) {
    const JointError error = joint_error_of(joint, world);
    largest.distance = std::max(largest.distance, error.distance.norm());
    largest.turn = std::max(largest.turn, error.turn.norm());
  }
  return largest;
}

ContactProblem standing_alone(const ContactProblem& problem, const BodyWorld& world) {
  ContactProblem alone = assembled(problem);
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

std::optional<Overlap> overlap_of(const BodyWorld& world) {
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, 0, margin_of(world, world.margin), contacts);
  for (const BodyContact& c : contacts)
    if (-c.gap > smallest_size(world)) return Overlap{c.surface, c.other, -c.gap};
  return std::nullopt;
}

ContactProblem problem_of(const BodyWorld& world, double dt, double margin, double closed) {
  world.require_whole();
  require_positive(dt, "time step");
  if (!(margin >= 0 && std::isfinite(margin)) || !(closed >= 0 && std::isfinite(closed)))
    throw InvalidInput("rigid bodies: margin and closing distance must be finite lengths that are not negative");
  std::vector<BodyMotion> motions;
  free_motions(world, dt, motions);
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, dt, margin_of(world, margin), contacts);
  BodyProblem builder;
  ContactProblem problem;
  builder.build(world, motions, contacts, dt, closed, problem);
  return standing_alone(problem, world);
}

}  // namespace slipset
