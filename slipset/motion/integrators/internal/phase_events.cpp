// What happens at the events of an event-driven run: PhaseMotion's choice of modes, leaps and impacts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/motion/integrators/internal/phase_motion.hpp"

namespace slipset::internal {

// Modes at the start, from gaps and velocities.
void PhaseMotion::classify() {
  phase_.take_rest(state_.t, state_.q, state_.u);
  scales_.add(phase_, state_.u);
  Contacts closing;
  for (std::size_t i = 0; i < phase_.size(); ++i) {
    ContactPhase& c = phase_.contact(i);
    c.mode = PhaseMode::slip;
    if (phase_.unilateral(i) && c.gap > 0) c.mode = PhaseMode::open;
    if (phase_.unilateral(i) && c.gap <= 0 && c.normal_velocity != 0) {
      c.mode = PhaseMode::open;
      if (c.normal_velocity < 0) closing.push_back(i);
    }
  }
  if (!closing.empty()) {
    collide(closing);
    return;
  }
  Contacts resting;
  for (std::size_t i = 0; i < phase_.size(); ++i) {
    ContactPhase& c = phase_.contact(i);
    if (c.mode == PhaseMode::open) continue;
    if (phase_.slip_is_rounding(i))
      resting.push_back(i);
    else
      run_.report.ambiguous += phase_.choose_slip(i, state_.t, state_.q, state_.u);
  }
  settle(resting);
}

// Contacts at rest stick, start to slip or open, by the accelerations (C.1 with forces for impulses).
void PhaseMotion::settle(Contacts resting) {
  if (!resting.empty()) {
    VectorX acceleration;
    const ContactSolution next = phase_.decide(state_.t, state_.q, state_.u, resting, acceleration);
    run_.report.ambiguous += next.ambiguous();
    run_.report.not_converged += !next.report.solved();
    if (++settling_ > 100) throw_unsettled();
    double starting = 0;
    for (std::size_t a = 0; a < resting.size(); ++a) {
      ContactPhase& c = phase_.contact(resting[a]);
      const Vec2 rate = next.velocity.segment<2>(static_cast<Eigen::Index>(3 * a + 1));
      switch (next.modes[a]) {
        case ContactMode::open: c.mode = PhaseMode::open; break;
        case ContactMode::stick:
          c.mode = PhaseMode::stick;
          if (a < next.solutions.size() && next.solutions[a] > 1) told_[resting[a]] = true;
          break;
        case ContactMode::slip:
          phase_.start_slip(resting[a], rate, c.resistance);
          if (!c.line) starting = std::max(starting, rate.norm());
          break;
        default:
          throw CannotGoOn(RunStatus::no_solution,
                           fmt::format("event-driven: no acceleration satisfies the laws of contact \"{}\" at t = "
                                       "{:.10g} (Painleve's paradox); the moreau integrator treats it as an impact",
                                       system_.contacts()[resting[a]].name, state_.t));
      }
    }
    if (starting > 0) leap(acceleration, 1e-6 * std::min(scales_.time, scales_.speed / starting));
  }
  make_consistent();
}

// To rest or away from it, where the direction of slip is not defined, along the accelerations found; error dt³.
void PhaseMotion::leap(const VectorX& acceleration, double dt) {
  const SystemAt& at = phase_.at();
  input_ += dt * state_.u.dot(at.force - at.potential_force);
  for (std::size_t i = 0; i < phase_.size(); ++i) {
    const ContactPhase& c = phase_.contact(i);
    const Vec2 force = -c.normal_force * c.resistance;
    if (c.mode != PhaseMode::stick) dissipated_ -= dt * force.dot(c.slip + dt / 2 * c.slip_rate);
    input_ += dt * force.dot(at.contacts[i].surface_velocity);
    if (phase_.unilateral(i)) input_ += dt * c.normal_force * at.contacts[i].surface_normal_velocity;
  }
  state_.q += dt * state_.u + (dt * dt / 2) * acceleration;
  state_.u += dt * acceleration;
  state_.t += dt;
  phase_.look_at(state_.t, state_.q, state_.u);
  phase_.project(state_.u);
}

void PhaseMotion::throw_unsettled() const {
  throw CannotGoOn(
      RunStatus::no_solution,
      fmt::format("event-driven: the modes of the contacts do not settle at t = {:.10g}; use the moreau integrator",
                  state_.t));
}

// A change at one contact changes the forces of the others at once: contacts that stick beyond their reservoir, are
// pulled, or are past the end of a side change too.
void PhaseMotion::make_consistent() {
  const std::size_t rounds = 100 + phase_.size();  // of which one opens a contact, and there may be as many as that
  for (std::size_t round = 0; round < rounds; ++round) {
    phase_.acceleration(state_.t, state_.q, state_.u);
    Contacts resting;
    bool changed = false;
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      ContactPhase& c = phase_.contact(i);
      if (c.mode == PhaseMode::open) continue;
      if (phase_.unilateral(i) && c.normal_force < 0) {
        c.mode = PhaseMode::open;
        changed = true;
      } else if (c.mode == PhaseMode::stick && phase_.stick_excess(i) > 1e-9) {
        resting.push_back(i);
      } else if (c.mode == PhaseMode::side && (c.place < -1e-9 || c.place > 1 + 1e-9)) {
        run_.report.ambiguous += phase_.choose_slip(i, state_.t, state_.q, state_.u);
        changed = true;
      }
      if (changed) break;
    }
    if (!resting.empty()) {
      settle(resting);
      return;
    }
    if (!changed) return;
  }
  throw_unsettled();
}

void PhaseMotion::stop_slip(std::size_t i) {
  const VectorX a = phase_.acceleration(state_.t, state_.q, state_.u);
  const ContactPhase& c = phase_.contact(i);
  const double rest = -c.slip.squaredNorm() / c.slip.dot(c.slip_rate);  // extrapolated
  // A line's slip is past zero, by less.
  if ((rest > 0 || c.line) && std::abs(rest) < 1e-5 * scales_.time) leap(a, rest);
  phase_.contact(i).mode = PhaseMode::stick;  // so that its velocity is set to zero
}

// The resistance r that sticking takes leaves C at s. As a rule slip begins without acceleration: with G = W_TᵀM⁻¹W_T,
//   γ̇_T = λ_N G (r - s) ∥ n_D  and s moves along C:  λ_N G (ṙ - α t_C) = β n_D,  γ_T = β δ²/2 n_D + O(δ³)      (D.4)
// Where C and D would make steady sliding unstable the slip that is left has a finite acceleration at once.
void PhaseMotion::yield(std::size_t i) {
  constexpr double outside = 1e-7;
  VectorX acceleration = phase_.acceleration(state_.t, state_.q, state_.u);
  const ContactPhase stick = phase_.contact(i);
  if (stick.line) return phase_.start_slip(i, stick.resistance, stick.resistance);
  const Mat2 block = stick.normal_force * phase_.contact_block(i);
  const double scale = (block * stick.resistance).norm();
  VectorX fast;
  const ContactSolution next = phase_.decide(state_.t, state_.q, state_.u, {i}, fast, 1 - outside);
  run_.report.not_converged += !next.report.solved();
  const Vec2 rate = next.velocity.segment<2>(1);
  if (next.modes[0] == ContactMode::slip && rate.norm() > 1e3 * outside * scale) {
    ++run_.report.ambiguous;
    phase_.start_slip(i, rate, phase_.contact(i).resistance);
    leap(fast, 1e-6 * std::min(scales_.time, scales_.speed / rate.norm()));
    return;
  }
  phase_.contact(i) = stick;
  const double h = 1e-5 * scales_.time;
  const auto resistance_at = [&](double dt) {
    phase_.acceleration(state_.t + dt, state_.q + dt * state_.u, state_.u + dt * acceleration);
    return phase_.contact(i).resistance;
  };
  const Vec2 r_rate = (resistance_at(h) - resistance_at(-h)) / (2 * h);
  phase_.acceleration(state_.t, state_.q, state_.u);
  const Vec2 direction = phase_.leave_stick(i);
  const Vec2 tangent = turn_left(phase_.law(i).law().reservoir().normal_ray(stick.resistance).normalized());
  const double speeding = cross(block * r_rate, block * tangent) / cross(direction, block * tangent);  // β
  const double delta =
      std::min(1e-5 * stick.resistance.norm() / r_rate.norm(), std::sqrt(2e-7 * scales_.speed / speeding));
  if (!(std::isfinite(delta) && speeding > 0)) {
    phase_.push(i, 1e-2 * threshold() * direction, state_.u);
    return;
  }
  leap(acceleration, delta);
  phase_.push(i, speeding * delta * delta / 2 * direction, state_.u);
}

// Impacts at these contacts, with all others that are closed taking part.
void PhaseMotion::collide(const Contacts& closing) {
  Contacts taking_part;
  for (std::size_t i = 0; i < phase_.size(); ++i)
    if (phase_.unilateral(i) &&
        (phase_.contact(i).mode != PhaseMode::open || std::find(closing.begin(), closing.end(), i) != closing.end()))
      taking_part.push_back(i);
  const VectorX before = state_.u;
  const ContactSolution hit = phase_.impact(taking_part, state_.u);
  run_.report.ambiguous += hit.ambiguous();
  run_.report.not_converged += !hit.report.solved();
  const VectorX mean = (before + state_.u) / 2;
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    const Vec3 p = hit.impulse.segment<3>(static_cast<Eigen::Index>(3 * a));
    const ContactAt& at = phase_.at().contacts[taking_part[a]];
    const Vec2 slip = Vec2(at.tangents.transpose() * mean) - at.surface_velocity;
    const double impact = -p[0] * (at.normal.dot(mean) - at.surface_normal_velocity);
    dissipated_ += impact - p.tail<2>().dot(slip);
    by_impacts_ += impact;
    input_ += p[0] * at.surface_normal_velocity + p.tail<2>().dot(at.surface_velocity);
  }
  phase_.look_at(state_.t, state_.q, state_.u);
  Contacts resting;
  for (std::size_t a = 0; a < taking_part.size(); ++a) {
    ContactPhase& c = phase_.contact(taking_part[a]);
    c.mode = c.normal_velocity > closing_speed(taking_part[a]) ? PhaseMode::open : PhaseMode::slip;
    if (c.mode == PhaseMode::slip && (hit.modes[a] == ContactMode::stick || c.slip.norm() <= threshold())) {
      c.mode = PhaseMode::stick;
      resting.push_back(taking_part[a]);
    }
  }
  for (std::size_t i = 0; i < phase_.size(); ++i) {  // friction of the others has seen its velocities jump
    ContactPhase& c = phase_.contact(i);
    if (c.mode == PhaseMode::stick && !phase_.unilateral(i)) {
      if (c.slip.norm() <= threshold()) continue;
      c.mode = PhaseMode::slip;
    }
    if (c.mode == PhaseMode::slip || c.mode == PhaseMode::side)
      run_.report.ambiguous += phase_.choose_slip(i, state_.t, state_.q, state_.u);
  }
  phase_.look_at(state_.t, state_.q, state_.u);
  phase_.project(state_.u);
  settle(resting);
}

void PhaseMotion::handle(const std::vector<ContactEvent>& events) {
  Contacts resting, closing;
  settling_ = 0;
  const auto stops = [&](std::size_t i) {
    return std::any_of(events.begin(), events.end(),
                       [&](const ContactEvent& e) { return e.contact == i && e.event == PhaseEvent::stops; });
  };
  for (const ContactEvent& e : events) {
    if (e.event != PhaseEvent::stops && stops(e.contact)) continue;  // at rest it has no direction to turn
    ContactPhase& c = phase_.contact(e.contact);
    const std::size_t count = phase_.sides(e.contact).size();
    phase_.acceleration(state_.t, state_.q, state_.u);
    switch (e.event) {
      case PhaseEvent::closes: closing.push_back(e.contact); break;
      case PhaseEvent::opens: c.mode = PhaseMode::open; break;
      case PhaseEvent::yields:
        if (c.mode == PhaseMode::stick) yield(e.contact);  // else it has just opened
        break;
      case PhaseEvent::stops:
        stop_slip(e.contact);
        resting.push_back(e.contact);
        break;
      case PhaseEvent::sector_start:
      case PhaseEvent::sector_end: {
        const std::size_t side = (c.sector + (e.event == PhaseEvent::sector_end)) % count;
        phase_.push(e.contact, phase_.sides(e.contact)[side].normal * c.slip.norm() - c.slip, state_.u);
        run_.report.ambiguous += phase_.choose_slip(e.contact, state_.t, state_.q, state_.u);
        break;
      }
      case PhaseEvent::side_start:
        c.mode = PhaseMode::slip;
        c.sector = (c.sector + count - 1) % count;
        break;
      case PhaseEvent::side_end: c.mode = PhaseMode::slip; break;
      case PhaseEvent::side_lost:
        run_.report.ambiguous += phase_.choose_slip(e.contact, state_.t, state_.q, state_.u);
        break;
    }
  }
  phase_.look_at(state_.t, state_.q, state_.u);
  phase_.project(state_.u);
  if (closing.empty()) {
    settle(resting);
  } else {  // contacts that have just come to rest take part, or are looked at by make_consistent
    phase_.look_at(state_.t, state_.q, state_.u);
    collide(closing);
  }
}

}  // namespace slipset::internal
