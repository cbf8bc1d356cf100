#include "slipset/bodies/body_stepper.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

constexpr double kOverlap = 0.1;   // of the margin: overlap that is let be
constexpr double kBlur = 1e-3;     // of the margin: gaps are not told apart below
constexpr double kStick = 100;     // times the tolerance, of the velocity that the contact's own impulse makes
constexpr double kTakenOut = 0.2;  // of the overlap, in a step
constexpr int kOverlapIterations = 30;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

std::uint64_t pair_of(const BodyContact& c) {
  return std::uint64_t{std::min(c.surface, c.other)} << 32 | std::max(c.surface, c.other);
}

}  // namespace

BodyStepper::BodyStepper(BodyWorld world, const BodyStepOptions& options)
    : world_(std::move(world)), options_(options) {
  if (!(options.margin >= 0) || !std::isfinite(options.margin))
    throw InvalidInput("rigid bodies: the margin must be a finite length that is not negative");
  margin_ = margin_of(world_, options.margin);
  rolling_ = world_.has_rolling_laws();
  energy_.kinetic = world_.kinetic_energy();
  energy_.potential = world_.potential_energy();
  energy_.initial = energy_.kinetic + energy_.potential;
}

void BodyStepper::step(double dt) {
  free_motions(world_, dt, motions_);
  finder_.find(world_, dt, margin_, contacts_);
  problem_.build(world_, motions_, contacts_, dt);
  warm_start(dt);
  const auto began = std::chrono::steady_clock::now();
  solve_contacts();
  solver_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  settle_modes();
  apply();
  find_contact_velocities(dt);
  balance();
  remember(dt);
  take_overlap_out(dt);
  move(dt);
  energy_.kinetic = world_.kinetic_energy();
  energy_.potential = world_.potential_energy();
}

// Where all contacts have three rows the solution is what the solver leaves; else torques are taken apart.
void BodyStepper::solve_contacts() {
  const ContactProblem& problem = problem_.view();
  if (!rolling_) return solver_.solve(problem, options_.contact, solution_);
  const std::size_t n = contacts_.size();
  rows_.impulse.resize(problem_.pairs.rows());
  for (std::size_t i = 0; i < n; ++i)
    put_rows(problem_.pairs, i, solution_.impulse.segment<3>(at(i)), torques_[i], rows_.impulse);
  solver_.solve(problem, options_.contact, rows_);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 impulse;
    take_rows(problem_.pairs, i, rows_.impulse, impulse, torques_[i]);
    solution_.impulse.segment<3>(at(i)) = impulse;
  }
  solution_.velocity.setConstant(at(n), std::numeric_limits<double>::quiet_NaN());  // the bodies' tell it
  solution_.modes = rows_.modes;
  solution_.solutions = rows_.solutions;
  solution_.report = rows_.report;
}

// A contact whose rates are within what the tolerance leaves open sticks: in stacks the errors of many contacts add up.
void BodyStepper::settle_modes() {
  const double open = kStick * options_.contact.tolerance;
  turning_ = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (solution_.modes[i] != ContactMode::slip && solution_.modes[i] != ContactMode::stick) continue;
    const ContactLaw* law = problem_.problem.contacts[i].law;
    if (!rolling_) {
      const double push = (problem_.pairs.diagonal_of<3>(i) * solution_.impulse.segment<3>(at(i))).norm();
      if (solution_.modes[i] == ContactMode::slip && solution_.velocity.segment<2>(at(i) + 1).norm() <= open * push)
        solution_.modes[i] = ContactMode::stick;
    } else if (law) {
      const RowLayout& layout = problem_.pairs.layout();
      const ContactMat back = law->coordinates().transpose();
      const ContactVec push = back * ContactVec(problem_.pairs.diagonal(i) *
                                                part_of<Eigen::Dynamic>(rows_.impulse, layout, i)),
                       u = back * part_of<Eigen::Dynamic>(rows_.velocity, layout, i);
      double rates = 0, turns = 0;
      for (Index k = 1; k < u.size(); ++k) rates += u[k] * u[k];
      const std::uint8_t rows = problem_.pairs.contact(i).rows;
      for (Index k = (rows & kTangentRows) ? 3 : 1; k < u.size(); ++k) turns += u[k] * u[k];
      const double rest = open * push.norm();
      solution_.modes[i] = std::sqrt(rates) <= rest ? ContactMode::stick : ContactMode::slip;
      if (std::sqrt(turns) > rest) ++turning_;
    }
  }
}

// Without the gap's part; where contacts roll from the bodies, also where a law resists no slip.
void BodyStepper::find_contact_velocities(double dt) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    if (rolling_)
      solution_.velocity.segment<3>(at(i)) = contact_velocity(c, world_, velocity_end_[c.surface], spin_end_[c.surface],
                                                              velocity_end_[c.other], spin_end_[c.other]);
    else
      solution_.velocity[at(i)] -= std::max(c.gap, 0.0) / dt;
  }
}

// Contacts and those of the step before are both ordered by pairs of bodies.
void BodyStepper::warm_start(double dt) {
  solution_.impulse.resize(at(contacts_.size()));
  torques_.assign(rolling_ ? contacts_.size() : 0, Vec3::Zero());
  std::size_t from = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const std::uint64_t pair = pair_of(c);
    while (from < remembered_.size() && remembered_[from].pair < pair) ++from;
    const BodyState& surface = world_.states[c.surface];
    const Vec3 point = surface.orientation.conjugate() * (c.point - surface.position);
    const Remembered* nearest = nullptr;
    for (std::size_t k = from; k < remembered_.size() && remembered_[k].pair == pair; ++k)
      if (!nearest || (remembered_[k].point - point).squaredNorm() < (nearest->point - point).squaredNorm())
        nearest = &remembered_[k];
    solution_.impulse.segment<3>(at(i)) = nearest ? Vec3(dt * (c.frame * nearest->impulse)) : Vec3(Vec3::Zero());
    if (rolling_ && nearest) torques_[i] = dt * (c.frame * nearest->torque);
  }
}

void BodyStepper::remember(double dt) {
  remembered_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const BodyState& surface = world_.states[c.surface];
    remembered_[i].pair = pair_of(c);
    remembered_[i].point = surface.orientation.conjugate() * (c.point - surface.position);
    remembered_[i].impulse = c.frame.transpose() * solution_.impulse.segment<3>(at(i)) / dt;
    if (rolling_) remembered_[i].torque = c.frame.transpose() * torques_[i] / dt;
  }
}

// u_E from the impulses.
void BodyStepper::apply() {
  const std::size_t n = world_.bodies.size();
  velocity_end_.resize(n);
  spin_end_.resize(n);
  spin_end_body_.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    velocity_end_[b] = motions_[b].velocity_free;
    spin_end_[b].setZero();  // the change, at first
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const Vec3 impulse = c.frame.transpose() * solution_.impulse.segment<3>(at(i));
    const auto push = [&](std::uint32_t body, const Vec3& p) {
      const BodyMotion& m = motions_[body];
      if (m.inverse_mass == 0) return;
      velocity_end_[body] += m.inverse_mass * p;
      spin_end_[body] += m.inverse_inertia * (c.point - world_.states[body].position).cross(p);
    };
    push(c.other, impulse);
    push(c.surface, -impulse);
    if (!rolling_) continue;
    const Vec3 torque = c.frame.transpose() * torques_[i];
    spin_end_[c.other] += motions_[c.other].inverse_inertia * torque;  // that of prescribed bodies is zero
    spin_end_[c.surface] -= motions_[c.surface].inverse_inertia * torque;
  }
  for (std::size_t b = 0; b < n; ++b) {
    spin_end_body_[b] = motions_[b].spin_free_body + world_.states[b].orientation.conjugate() * spin_end_[b];
    spin_end_[b] += motions_[b].spin_free;
  }
}

// The work of an impulse is its product with the mean velocity.
void BodyStepper::balance() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const Vec3 p = solution_.impulse.segment<3>(at(i));
    const Vec3 end = contact_velocity(c, world_, velocity_end_[c.surface], spin_end_[c.surface], velocity_end_[c.other],
                                      spin_end_[c.other]);
    energy_.dissipated -= p.dot(problem_.velocity_before.segment<3>(at(i)) + end) / 2;
    const auto work_of = [&](std::uint32_t body) {
      const BodyMotion& m = motions_[body];
      if (m.inverse_mass > 0) return 0.0;
      return p.dot(c.frame * (m.velocity_free + m.spin_free.cross(c.point - world_.states[body].position)));
    };
    energy_.input += work_of(c.surface) - work_of(c.other);
  }
  for (std::size_t i = 0; i < torques_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const BodyMotion &s = motions_[c.surface], &o = motions_[c.other];
    const Vec3 torque = c.frame.transpose() * torques_[i];
    const Vec3 mean = (o.spin_before + spin_end_[c.other] - s.spin_before - spin_end_[c.surface]) / 2;
    energy_.dissipated -= torque.dot(mean);
    energy_.by_torques -= torque.dot(mean);
    if (s.inverse_mass == 0) energy_.input += torque.dot(s.spin_free);
    if (o.inverse_mass == 0) energy_.input -= torque.dot(o.spin_free);
  }
}

// Bodies that would overlap with the mean of their velocities move with u_E, which the gap's law has looked at.  (G.7)
void BodyStepper::choose_velocities(double dt) {
  with_end_.assign(world_.bodies.size(), 0);
  const double blur = kBlur * margin_;
  bool changed = true;
  for (int round = 0; changed; ++round) {
    changed = false;
    for (const BodyContact& c : contacts_) {
      if (with_end_[c.surface] && with_end_[c.other]) continue;
      const auto mean = [&](std::uint32_t b, const Vec3& before, const Vec3& end) {
        return with_end_[b] ? end : Vec3((before + end) / 2);
      };
      const BodyMotion &s = motions_[c.surface], &o = motions_[c.other];
      const Vec3 rate = contact_velocity(c, world_, mean(c.surface, s.velocity_before, velocity_end_[c.surface]),
                                         mean(c.surface, s.spin_before, spin_end_[c.surface]),
                                         mean(c.other, o.velocity_before, velocity_end_[c.other]),
                                         mean(c.other, o.spin_before, spin_end_[c.other]));
      const double gap = c.gap + dt * rate[0];
      if (round < 20 && !(gap < -blur && gap < c.gap)) continue;
      with_end_[c.surface] = with_end_[c.other] = 1;
      changed = true;
    }
  }
}

void BodyStepper::move(double dt) {
  choose_velocities(dt);
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    BodyState& state = world_.states[b];
    const RigidBody& body = world_.bodies[b];
    if (body.prescribed) {
      state.position = body.motion.position(world_.time + dt);
      state.orientation = body.motion.orientation(world_.time + dt);
      state.velocity = motions_[b].velocity_free;
      continue;
    }
    const Vec3 velocity = with_end_[b] ? velocity_end_[b] : Vec3((state.velocity + velocity_end_[b]) / 2);
    const Vec3 spin = with_end_[b] ? spin_end_body_[b] : Vec3((state.spin + spin_end_body_[b]) / 2);
    state.position += dt * velocity;
    state.orientation = (state.orientation * rotation_by(dt * spin)).normalized();
    state.velocity = velocity_end_[b];
    // Where all moments of inertia are equal the spin keeps its direction in the world, not in the turning body.
    const Vec3& inertia = body.inertia;
    const bool round = inertia.x() == inertia.y() && inertia.y() == inertia.z();
    state.spin = round ? Vec3(state.orientation.conjugate() * spin_end_[b]) : spin_end_body_[b];
  }
  world_.time += dt;
}

// A problem without friction for displacements over Δt: p_N ⊥ W_NN p_N − c ≥ 0, c a part of the overlap.        (G.11)
void BodyStepper::take_overlap_out(double dt) {
  double deepest = 0;
  for (const BodyContact& c : contacts_) deepest = std::max(deepest, -c.gap);
  deepest_ = std::max(deepest_, deepest);
  const double allowed = kOverlap * margin_;
  if (!(deepest > allowed)) return;
  ++corrections_;
  overlap_.contacts.assign(contacts_.size(), {});
  overlap_.delassus = kept_elsewhere(problem_.pairs);
  overlap_.free_velocity.setZero(problem_.pairs.rows());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double gap = contacts_[i].gap;
    overlap_.free_velocity[problem_.pairs.offset(i)] =
        (gap > 0 ? gap : std::min(0.0, kTakenOut * (gap + allowed))) / dt;
  }
  overlap_solution_.impulse.resize(0);
  ContactOptions options = options_.contact;
  options.method = ContactMethod::automatic;
  options.measure = ContactMeasure::residual;
  options.tolerance = std::max(options.tolerance, 1e-3);
  options.max_iterations = kOverlapIterations;
  solver_.solve(overlap_, options, overlap_solution_);
  // The displacement goes into the positions here; move() adds that of the velocities.
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const Vec3 push = dt * overlap_solution_.impulse[problem_.pairs.offset(i)] * c.frame.row(0).transpose();
    const auto shift = [&](std::uint32_t body, const Vec3& p) {
      const BodyMotion& m = motions_[body];
      if (m.inverse_mass == 0) return;
      BodyState& state = world_.states[body];
      const Vec3 by = m.inverse_mass * p, turn = m.inverse_inertia * (c.point - state.position).cross(p);
      energy_.corrected -= world_.bodies[body].mass * world_.gravity.dot(by);
      state.position += by;
      state.orientation = (rotation_by(turn) * state.orientation).normalized();
    };
    shift(c.other, push);
    shift(c.surface, -push);
  }
}

}  // namespace slipset
