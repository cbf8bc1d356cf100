#include "slipset/systems/bodies/body_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/systems/bodies/internal/body_start.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

constexpr double kClosing = 0.01;  // of the way that loads alone move a body in a step                            (D.6)
constexpr double kStick = 100;     // times the tolerance, of the velocity that the contact's own impulse makes

std::uint64_t pair_of(const BodyContact& c) {
  return std::uint64_t{std::min(c.surface, c.other)} << 32 | std::max(c.surface, c.other);
}

}  // namespace

BodyStep::BodyStep(const BodyWorld& world) : world_(world), rolling_(world.has_rolling_laws()) {
  world.require_whole();
  counts_.margin = margin_of(world_, world.margin);
}

void BodyStep::set_closing_distance(double distance) {
  if (!(distance >= 0 && std::isfinite(distance)))
    throw InvalidInput(fmt::format("closing_distance is {}; it must be a length, 0 or above", distance));
  closing_ = distance;
}

double BodyStep::suitable_closing(double dt) const {
  double fall = 0, shaking = 0;
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    const PrescribedMotion& led = world_.bodies[b].motion;
    if (motions_[b].inverse_mass > 0)
      fall = std::max(fall, (motions_[b].velocity_free - motions_[b].velocity_before).squaredNorm());
    else
      shaking = std::max(shaking, led.amplitude.norm() * std::pow(2 * kPi * led.frequency, 2));
  }
  return kClosing * dt * std::sqrt(fall) + dt * dt / 4 * shaking;
}

void BodyStep::start(const State& state, EnergyBalance& energy) {
  world_.take(state);
  warnings_ = internal::start_warnings(world_, kOverlap * counts_.margin);
  energy.kinetic = world_.kinetic_energy();
  energy.potential = world_.potential_energy();
  energy.initial = energy.kinetic + energy.potential;
}

bool BodyStep::begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) {
  world_.time = state.t;
  free_motions(world_, dt, motions_);
  finder_.find(world_, dt, counts_.margin, contacts_);
  const double closing = closing_ ? *closing_ : suitable_closing(dt);
  largest_closing_ = std::max(largest_closing_, closing);
  problem_.build(world_, motions_, contacts_, dt, closing, problem);
  if (problem.contacts.empty()) return false;
  warm_start(dt, solution);
  return true;
}

void BodyStep::give_up(State&, double) {
  impulses_.assign(contacts_.size(), Vec3::Zero());
  torques_ = velocities_ = impulses_;
  modes_.assign(contacts_.size(), ContactMode::none);
}

std::string BodyStep::contact_name(std::size_t contact) const {
  if (contact >= contacts_.size()) return fmt::format("joint {}", world_.joints[contact - contacts_.size()].name);
  return fmt::format("{} on {}", world_.bodies[contacts_[contact].other].name,
                     world_.bodies[contacts_[contact].surface].name);
}

void BodyStep::finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) {
  options_ = solution.report.options;
  const std::size_t n = contacts_.size();
  impulses_.resize(n);
  torques_.resize(n);
  velocities_.resize(n);
  for (std::size_t i = 0; i < n; ++i) take_rows(problem_.pairs, i, solution.impulse, impulses_[i], torques_[i]);
  settle_modes(solution);
  apply(solution);
  balance(solution, dt, energy);
  remember(dt);
  if (world_.joints.empty())
    joint_impulse_.resize(0);
  else
    joint_impulse_ = solution.impulse.tail(problem_.pairs.rows() - problem_.joint_offset()) / dt;
  take_overlap_out(dt, energy);
  move(dt);
  count();
  energy.kinetic = world_.kinetic_energy();
  energy.potential = world_.potential_energy();
  world_.put(state);
}

// A contact whose rates are within what the tolerance leaves open sticks: in stacks the errors of many contacts add up.
void BodyStep::settle_modes(const ContactSolution& solution) {
  const double open = kStick * options_.tolerance;
  turning_ = 0;
  modes_.assign(contacts_.size(), ContactMode::open);
  held_.assign(contacts_.size(), 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    modes_[i] = solution.modes[i];
    if (modes_[i] != ContactMode::slip && modes_[i] != ContactMode::stick) continue;
    held_[i] = kClosed;
    const ContactLaw* law =
        contacts_[i].law < 0 ? nullptr : world_.laws[static_cast<std::size_t>(contacts_[i].law)].get();
    const RowLayout& layout = problem_.pairs.layout();
    if (!rolling_) {
      const Vec3 u = part_of<Eigen::Dynamic>(solution.velocity, layout, i);
      const double push = (problem_.pairs.diagonal_of<3>(i) * impulses_[i]).norm();
      if (law && modes_[i] == ContactMode::slip && u.tail<2>().norm() <= open * push) modes_[i] = ContactMode::stick;
      if (modes_[i] == ContactMode::stick) held_[i] |= kNoSlip | kNoTurn;
    } else if (law) {
      const ContactMat back = law->coordinates().transpose();
      const ContactVec push = back * ContactVec(problem_.pairs.diagonal(i) *
                                                part_of<Eigen::Dynamic>(solution.impulse, layout, i)),
                       u = back * part_of<Eigen::Dynamic>(solution.velocity, layout, i);
      const Index first_turn = (problem_.pairs.contact(i).rows & kTangentRows) ? 3 : 1;
      double slips = 0, turns = 0;
      for (Index k = 1; k < u.size(); ++k) (k < first_turn ? slips : turns) += u[k] * u[k];
      const double rest = open * push.norm();
      if (std::sqrt(slips) <= rest) held_[i] |= kNoSlip;
      if (std::sqrt(turns) <= rest) held_[i] |= kNoTurn;
      modes_[i] = std::sqrt(slips + turns) <= rest ? ContactMode::stick : ContactMode::slip;
      if (std::sqrt(turns) > rest) ++turning_;
    }
  }
}

// Contacts and those of the step before are both ordered by pairs of bodies.
void BodyStep::warm_start(double dt, ContactSolution& solution) {
  held_before_.assign(contacts_.size(), 0);
  solution.impulse.resize(problem_.pairs.rows());
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
    const Vec3 impulse = nearest ? Vec3(dt * (c.frame * nearest->impulse)) : Vec3(Vec3::Zero()),
               torque = nearest ? Vec3(dt * (c.frame * nearest->torque)) : Vec3(Vec3::Zero());
    put_rows(problem_.pairs, i, impulse, torque, solution.impulse);
    if (!nearest) continue;
    held_before_[i] = static_cast<std::uint8_t>(nearest->held);
  }
  auto joints = solution.impulse.tail(problem_.pairs.rows() - problem_.joint_offset());
  if (joint_impulse_.size() == joints.size())
    joints = dt * joint_impulse_;
  else
    joints.setZero();
}

void BodyStep::remember(double dt) {
  remembered_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const BodyState& surface = world_.states[c.surface];
    remembered_[i].pair = pair_of(c);
    remembered_[i].point = surface.orientation.conjugate() * (c.point - surface.position);
    remembered_[i].impulse = c.frame.transpose() * impulses_[i] / dt;
    remembered_[i].torque = c.frame.transpose() * torques_[i] / dt;
    const bool twice = (held_[i] & kClosed) && (held_before_[i] & kClosed);
    remembered_[i].held = held_[i] | (twice ? kClosedTwice : 0);
  }
}

// u_E from the impulses.
void BodyStep::apply(const ContactSolution& solution) {
  const std::size_t n = world_.bodies.size();
  velocity_end_.resize(n);
  spin_end_.resize(n);
  spin_end_body_.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    velocity_end_[b] = motions_[b].velocity_free;
    spin_end_[b].setZero();  // the change, at first
  }
  const std::size_t all = problem_.pairs.contacts();
  for (std::size_t i = 0; i < all; ++i) {
    const BodyPair& pair = problem_.pairs.contact(i);
    Vec3 p, t;
    if (i < contacts_.size()) {
      p = impulses_[i];
      t = torques_[i];
    } else {
      take_rows(problem_.pairs, i, solution.impulse, p, t);
    }
    const Vec3 impulse = pair.frame.transpose() * p;
    const auto push = [&](std::uint32_t body, const Vec3& arm, const Vec3& by) {
      const BodyMotion& m = motions_[body];
      if (m.inverse_mass == 0) return;
      velocity_end_[body] += m.inverse_mass * by;
      spin_end_[body] += m.inverse_inertia * arm.cross(by);
    };
    push(pair.second, pair.arm_second, impulse);
    push(pair.first, pair.arm_first, -impulse);
    if (pair.rows <= kPointRows) continue;
    const Vec3 torque = pair.frame.transpose() * t;
    spin_end_[pair.second] += motions_[pair.second].inverse_inertia * torque;  // that of prescribed bodies is zero
    spin_end_[pair.first] -= motions_[pair.first].inverse_inertia * torque;
  }
  for (std::size_t b = 0; b < n; ++b) {
    spin_end_body_[b] = motions_[b].spin_free_body + world_.states[b].orientation.conjugate() * spin_end_[b];
    spin_end_[b] += motions_[b].spin_free;
  }
}

// The work of an impulse is its product with the mean velocity. Of it is heat what it does on slip and turns, and on what
// closes; the rest, at contacts that hold, is the scheme's (D.5). That of joints is what their scheme leaves: it shows as
// the balance's residual, but for the work of bodies whose motion is prescribed.
void BodyStep::balance(const ContactSolution& solution, double dt, EnergyBalance& energy) {
  const auto by_prescribed = [&](const BodyPair& pair, const Vec3& p, const Vec3& t) {
    const auto work_of = [&](std::uint32_t body, const Vec3& arm) {
      const BodyMotion& m = motions_[body];
      if (m.inverse_mass > 0) return 0.0;
      const Vec3 velocity = (m.velocity_before + m.velocity_free) / 2;
      return p.dot(pair.frame * (velocity + m.spin_free.cross(arm))) + t.dot(pair.frame * m.spin_free);
    };
    return work_of(pair.first, pair.arm_first) - work_of(pair.second, pair.arm_second);
  };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContact& c = contacts_[i];
    const BodyMotion &s = motions_[c.surface], &o = motions_[c.other];
    velocities_[i] = contact_velocity(c, world_, velocity_end_[c.surface], spin_end_[c.surface], velocity_end_[c.other],
                                      spin_end_[c.other]);
    const Vec3 moved_on = problem_.moved_on.segment<3>(static_cast<Index>(3 * i));
    velocities_[i] += moved_on;
    const Vec3 before = problem_.velocity_before.segment<3>(static_cast<Index>(3 * i));
    const auto mean = [&](std::uint8_t what, const auto& first, const auto& last) {
      Vec3 sum = Vec3::Zero();
      if (!(held_before_[i] & what)) sum += first;
      if (!(held_[i] & what)) sum += last;
      return Vec3(sum / 2);
    };
    Vec3 slip = mean(kNoSlip, before, velocities_[i]);
    slip[0] = 0;
    const double friction = -impulses_[i].dot(slip),
                 impact = held_before_[i] & kClosedTwice ? 0 : -impulses_[i][0] * (before[0] + velocities_[i][0]) / 2;
    energy.dissipated += friction + impact;
    energy.by_impacts += impact;
    energy.numerical -= impulses_[i].dot(before + velocities_[i]) / 2 + friction + impact;
    energy.input +=
        by_prescribed(problem_.pairs.contact(i), impulses_[i], torques_[i]) - impulses_[i].dot(moved_on) / 2;
    if (!rolling_) continue;
    const Vec3 torque = c.frame.transpose() * torques_[i], turn_before = o.spin_before - s.spin_before,
               turn_end = spin_end_[c.other] - spin_end_[c.surface];
    const double by_torque = -torque.dot(mean(kNoTurn, turn_before, turn_end));
    energy.dissipated += by_torque;
    energy.by_torques += by_torque;
    energy.numerical -= torque.dot(turn_before + turn_end) / 2 + by_torque;
  }
  for (std::size_t i = contacts_.size(); i < problem_.pairs.contacts(); ++i) {
    Vec3 p, t;
    take_rows(problem_.pairs, i, solution.impulse, p, t);
    energy.input += by_prescribed(problem_.pairs.contact(i), p, t);
  }
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    const RigidBody& body = world_.bodies[b];
    if (body.prescribed || (body.force.isZero(0) && body.torque.isZero(0))) continue;
    energy.input += dt / 2 *
                    (body.force.dot(motions_[b].velocity_before + velocity_end_[b]) +
                     body.torque.dot(motions_[b].spin_before + spin_end_[b]));
  }
}

void BodyStep::move(double dt) {
  choose_velocities(dt);
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    BodyState& state = world_.states[b];
    const RigidBody& body = world_.bodies[b];
    if (body.prescribed) {
      state.position = body.motion.position(world_.time + dt);
      state.orientation = body.motion.orientation(world_.time + dt);
      state.velocity = body.motion.velocity_at(world_.time + dt);
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

void BodyStep::count() {
  std::size_t sticking = 0, slipping = 0;
  for (const ContactMode mode : modes_) {
    sticking += mode == ContactMode::stick;
    slipping += mode == ContactMode::slip;
  }
  counts_.last_sticking = sticking;
  counts_.last_slipping = slipping;
  counts_.last = contacts_.size();
  counts_.contacts += static_cast<double>(contacts_.size());
  counts_.sticking += static_cast<double>(sticking);
  counts_.closed += static_cast<double>(sticking + slipping);
  counts_.most = std::max(counts_.most, contacts_.size());
}

const BodyStep& body_step_of(const SystemStep& form) {
  const auto* step = dynamic_cast<const BodyStep*>(&form);
  if (!step) throw InvalidInput("this system is not one of rigid bodies");
  return *step;
}

}  // namespace slipset
