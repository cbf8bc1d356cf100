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

void BodyProblemBuilder::build(const BodyWorld& world, const std::vector<BodyMotion>& motions,
                               const std::vector<BodyContact>& contacts, double dt, ContactProblem& problem) {
  const std::size_t n = contacts.size();
  problem.contacts.resize(n);
  problem.free_velocity.resize(at(n));
  before_.resize(at(n));
  sides_.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const BodyMotion &s = motions[c.surface], &o = motions[c.other];
    sides_[2 * i] = {-c.frame, -c.frame * cross_matrix(c.point - world.states[c.surface].position)};
    sides_[2 * i + 1] = {c.frame, c.frame * cross_matrix(c.point - world.states[c.other].position)};
    const Vec3 before = contact_velocity(c, world, s.velocity_before, s.spin_before, o.velocity_before, o.spin_before);
    Vec3 free = contact_velocity(c, world, s.velocity_free, s.spin_free, o.velocity_free, o.spin_free);
    free[0] += std::max(c.gap, 0.0) / dt;
    problem.free_velocity.segment<3>(at(i)) = free;
    before_.segment<3>(at(i)) = before;
    ContactPoint& point = problem.contacts[i];
    point = {};
    point.last_slip = before.tail<2>();
    if (c.law < 0) continue;
    point.law = world.laws[static_cast<std::size_t>(c.law)].get();
    const auto& rate = point.law->law().stribeck();
    if (rate) point.reservoir_factor = rate->factor(point.last_slip.norm());
  }
  assemble(motions, contacts, problem.delassus);
}

void BodyProblemBuilder::assemble(const std::vector<BodyMotion>& motions, const std::vector<BodyContact>& contacts,
                                  BlockDelassus& delassus) {
  const std::size_t n = contacts.size();
  // Sides of each free body, by counting.
  starts_.assign(motions.size() + 1, 0);
  const auto count = [&](std::uint32_t body) {
    if (motions[body].inverse_mass > 0) ++starts_[body + 1];
  };
  for (const BodyContact& c : contacts) {
    count(c.surface);
    count(c.other);
  }
  for (std::size_t b = 0; b < motions.size(); ++b) starts_[b + 1] += starts_[b];
  touching_.resize(starts_.back());
  const auto put = [&](std::uint32_t body, std::size_t side) {
    if (motions[body].inverse_mass > 0) touching_[starts_[body]++] = static_cast<std::uint32_t>(side);
  };
  for (std::size_t i = 0; i < n; ++i) {
    put(contacts[i].surface, 2 * i);
    put(contacts[i].other, 2 * i + 1);
  }
  for (std::size_t b = motions.size(); b > 0; --b) starts_[b] = starts_[b - 1];
  starts_[0] = 0;

  std::size_t blocks = 0;  // at most
  for (std::size_t b = 0; b < motions.size(); ++b)
    blocks += (starts_[b + 1] - starts_[b]) * (starts_[b + 1] - starts_[b]);
  delassus.clear(n, blocks);
  for (std::size_t i = 0; i < n; ++i) {
    row_.clear();
    // The two bodies' lists ascend; a contact in both adds up.
    std::size_t next[2], end[2];
    const std::uint32_t bodies[2] = {contacts[i].surface, contacts[i].other};
    Mat3 arm_inertia[2];
    for (std::size_t k = 0; k < 2; ++k) {
      next[k] = starts_[bodies[k]];
      end[k] = starts_[bodies[k] + 1];
      arm_inertia[k] = sides_[2 * i + k].arm * motions[bodies[k]].inverse_inertia;
    }
    while (next[0] < end[0] || next[1] < end[1]) {
      const std::size_t k = next[0] == end[0]                                                       ? 1
                            : next[1] == end[1] || touching_[next[0]] / 2 <= touching_[next[1]] / 2 ? 0
                                                                                                    : 1;
      const std::uint32_t side = touching_[next[k]++];
      const std::size_t column = side / 2;
      const Mat3 values = motions[bodies[k]].inverse_mass * sides_[2 * i + k].frame * sides_[side].frame.transpose() +
                          arm_inertia[k] * sides_[side].arm.transpose();
      if (!row_.empty() && row_.back().column == column)
        row_.back().values += values;
      else
        row_.push_back({column, values});
    }
    delassus.append_row(row_);
  }
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
  ContactProblem problem;
  BodyProblemBuilder().build(world, motions, contacts, dt, problem);
  problem.owned = world.laws;
  return problem;
}

}  // namespace slipset
