// What keeps bodies from overlapping, besides the contacts' impulses.
#include <algorithm>

#include "slipset/contact/joint_law.hpp"
#include "slipset/systems/bodies/body_step.hpp"

namespace slipset {
namespace {

constexpr double kBlur = 1e-3;     // of the margin: gaps are not told apart below
constexpr double kTakenOut = 0.2;  // of the overlap, in a step
constexpr int kOverlapIterations = 30;

}  // namespace

// Bodies that would overlap with the mean of their velocities move with u_E, which the gap's law has looked at.  (G.7)
void BodyStep::choose_velocities(double dt) {
  with_end_.assign(world_.bodies.size(), 0);
  const double blur = kBlur * counts_.margin;
  bool changed = true;
  for (int round = 0; changed; ++round) {
    changed = false;
    for (const BodyContact& c : contacts_) {
      if (with_end_[c.surface] && with_end_[c.other]) continue;
      const auto mean = [&](std::uint32_t b, const Vec3& before, const Vec3& end) {
        return with_end_[b] && motions_[b].inverse_mass > 0 ? end : Vec3((before + end) / 2);
      };
      const BodyMotion &s = motions_[c.surface], &o = motions_[c.other];
      const Vec3 rate = contact_velocity(c, world_, mean(c.surface, s.velocity_before, velocity_end_[c.surface]),
                                         mean(c.surface, s.spin_before, spin_end_[c.surface]),
                                         mean(c.other, o.velocity_before, velocity_end_[c.other]),
                                         mean(c.other, o.spin_before, spin_end_[c.other]));
      const double gap = c.gap + dt * rate[0];
      if (round < 20 && !(gap < -blur && gap < c.gap - blur)) continue;
      with_end_[c.surface] = with_end_[c.other] = 1;
      changed = true;
    }
  }
}

// A problem without friction for displacements over Δt: p_N ⊥ W_NN p_N − c ≥ 0, c a part of the overlap.       (G.11)
// Joints hold.
void BodyStep::take_overlap_out(double dt, EnergyBalance& energy) {
  double deepest = 0;
  for (const BodyContact& c : contacts_) deepest = std::max(deepest, -c.gap);
  counts_.deepest_overlap = std::max(counts_.deepest_overlap, deepest);
  const double allowed = kOverlap * counts_.margin;
  if (!(deepest > allowed)) return;
  ++counts_.corrections;
  overlap_.contacts.assign(problem_.pairs.contacts(), {});
  for (std::size_t i = contacts_.size(); i < overlap_.contacts.size(); ++i)
    overlap_.contacts[i].law = &joint_law(problem_.pairs.rows(i));
  overlap_.delassus = kept_elsewhere(problem_.pairs);
  overlap_.free_velocity.setZero(problem_.pairs.rows());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double gap = contacts_[i].gap;
    overlap_.free_velocity[problem_.pairs.offset(i)] =
        (gap > 0 ? gap : std::min(0.0, kTakenOut * (gap + allowed))) / dt;
  }
  overlap_solution_.impulse.resize(0);
  ContactOptions options = options_;
  options.method = ContactMethod::automatic;
  options.step = 0;  // it is of the fixed point alone
  options.measure = ContactMeasure::residual;
  options.tolerance = std::max(options.tolerance, 1e-3);
  options.max_iterations = kOverlapIterations;
  overlap_solver_.solve(overlap_, options, overlap_solution_);
  // The displacement goes into the positions here; move() adds that of the velocities.
  for (std::size_t i = 0; i < problem_.pairs.contacts(); ++i) {
    const BodyPair& pair = problem_.pairs.contact(i);
    Vec3 p, t;
    take_rows(problem_.pairs, i, overlap_solution_.impulse, p, t);
    if (i < contacts_.size()) p.tail<2>().setZero();
    const Vec3 push = dt * (pair.frame.transpose() * p), twist = dt * (pair.frame.transpose() * t);
    const auto shift = [&](std::uint32_t body, const Vec3& arm, const Vec3& by_push, const Vec3& by_twist) {
      const BodyMotion& m = motions_[body];
      if (m.inverse_mass == 0) return;
      BodyState& state = world_.states[body];
      const Vec3 by = m.inverse_mass * by_push, turn = m.inverse_inertia * (arm.cross(by_push) + by_twist);
      energy.corrected -= world_.bodies[body].mass * world_.gravity.dot(by);
      state.position += by;
      state.orientation = (rotation_by(turn) * state.orientation).normalized();
    };
    shift(pair.second, pair.arm_second, push, twist);
    shift(pair.first, pair.arm_first, -push, -twist);
  }
}

}  // namespace slipset
