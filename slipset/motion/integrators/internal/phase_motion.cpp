#include "slipset/motion/integrators/internal/phase_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/motion/integrators/internal/phase_line_slip.hpp"

namespace slipset::internal {

void PhaseMotion::set_time_scale(double longest) {
  slowest_ = scales_.time = options_.time_scale > 0 ? options_.time_scale : time_scale(system_, state_, longest);
  phase_.set_difference(1e-5 * scales_.time);
}

// After modes have been chosen: scales, velocities of rest and a new start of the integrator.
void PhaseMotion::begin_phase() {
  phase_.take_rest(state_.t, state_.q, state_.u);
  const double rate = phase_.turning_rate();
  scales_.time = rate * slowest_ > 1 ? 1 / rate : slowest_;
  phase_.set_difference(1e-5 * scales_.time);
  phase_.look_at(state_.t, state_.q, state_.u);
  scales_.add(phase_, state_.u);
  for (std::size_t i = 0; i < phase_.size(); ++i)
    if (phase_.contact(i).mode != PhaseMode::stick) told_[i] = false;
  count_other_slips();
  integrator_.restart(state_, dissipated_, input_, scales_);
}

// Looked at where a phase begins and ends, and at rows. Once for each stick.
void PhaseMotion::count_other_slips() {
  bool solved = false;
  for (std::size_t i = 0; i < phase_.size(); ++i) {
    const ContactPhase& c = phase_.contact(i);
    if (!c.line || c.mode != PhaseMode::stick || told_[i]) continue;
    if (!solved) phase_.acceleration(state_.t, state_.q, state_.u);
    solved = true;
    if (!slip_solves_too(phase_, i)) continue;
    told_[i] = true;
    ++run_.report.ambiguous;
  }
}

// Every closed contact sticks, and every open one, if there are, keeps its gap.
bool PhaseMotion::at_rest() const {
  bool sticks = false;
  for (std::size_t i = 0; i < phase_.size(); ++i) {
    const ContactPhase& c = phase_.contact(i);
    if (c.mode == PhaseMode::open ? std::abs(c.normal_velocity) > closing_speed(i) : c.mode != PhaseMode::stick)
      return false;
    sticks |= c.mode == PhaseMode::stick;
  }
  return sticks;
}

double PhaseMotion::kinetic() const {
  const double driven = system_.has_constant_mass() ? 0 : system_.driven_energy(state_.t, state_.q, state_.u);
  return 0.5 * state_.u.dot(phase_.at().mass * state_.u) + driven;
}

// Slower than this a contact does not bounce: its flight, v²/2|γ̇_N| high, would be lost in the rounding of the gap.
double PhaseMotion::closing_speed(std::size_t i) const {
  const double rounding =
      100 * std::numeric_limits<double>::epsilon() * phase_.at().contacts[i].normal.cwiseProduct(state_.q).lpNorm<1>();
  return std::max(1e-8 * scales_.speed, std::sqrt(2 * std::abs(phase_.free_normal_acceleration(i)) * rounding));
}

EnergyBalance PhaseMotion::energy_now() const {
  EnergyBalance e;
  e.initial = initial_;
  e.kinetic = kinetic();
  e.potential = system_.potential_energy(state_.q);
  e.dissipated = dissipated_;
  e.by_impacts = by_impacts_;
  // What drives of a changing mass put in is not integrated: it is taken from the balance.
  e.input = integrates_input() ? input_ : e.kinetic + e.potential - e.initial + e.dissipated;
  return e;
}

EnergyBalance PhaseMotion::energy() {
  phase_.look_at(state_.t, state_.q, state_.u);
  return energy_now();
}

void PhaseMotion::add_row(double, Run& run) {
  if (!state_.q.allFinite() || !state_.u.allFinite())
    throw CannotGoOn(RunStatus::left_range,
                     fmt::format("event-driven: the motion is no longer finite at t = {:.10g}", state_.t));
  phase_.acceleration(state_.t, state_.q, state_.u);
  std::vector<ContactStep> contacts(phase_.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactPhase& c = phase_.contact(i);
    contacts[i].mode = c.mode == PhaseMode::open    ? ContactMode::open
                       : c.mode == PhaseMode::stick ? ContactMode::stick
                                                    : ContactMode::slip;
    contacts[i].impulse << c.normal_force, -c.normal_force * c.resistance;
    contacts[i].slip = c.mode == PhaseMode::stick ? Vec2(0, 0) : c.slip;
  }
  slipset::add_row(run_row(state_, contacts, 1, energy_now()), run);
}

bool PhaseMotion::begin() {
  phase_.look_at(state_.t, state_.q, state_.u);
  initial_ = kinetic() + system_.potential_energy(state_.q);
  classify();
  begin_phase();
  for (std::size_t i = 0; i < phase_.size(); ++i) require_one_sliding_force(phase_, i, system_.contacts()[i].name);
  return true;
}

EventMotion::Piece PhaseMotion::next_piece(double until) {
  happened_.clear();
  if (until > state_.t) happened_ = integrator_.advance(until, state_, dissipated_, input_);
  phase_.look_at(state_.t, state_.q, state_.u);
  for (std::size_t i = 0; i < phase_.size(); ++i) {  // a gap that began below zero has no root
    const ContactPhase& c = phase_.contact(i);
    if (!happened_.empty() || c.mode != PhaseMode::open || c.gap >= 0 || c.normal_velocity >= 0) continue;
    if (c.gap <
        -1e-6 * (scales_.speed * scales_.time + phase_.at().contacts[i].normal.cwiseProduct(state_.q).lpNorm<1>()))
      throw CannotGoOn(RunStatus::no_solution,
                       fmt::format("event-driven: contact \"{}\" closed undetected before t = {:.10g}; use a shorter "
                                   "step between rows, or the moreau integrator",
                                   system_.contacts()[i].name, state_.t));
    happened_.push_back({i, PhaseEvent::closes});
  }
  scales_.add(phase_, state_.u);
  count_other_slips();
  return {state_.t, !happened_.empty()};
}

bool PhaseMotion::change_modes() {
  handle(happened_);
  begin_phase();
  return true;
}

void PhaseMotion::complete(RunReport& report) const {
  report.steps = integrator_.steps();
  report.tolerance = integrator_.loosest_tolerance();
  if (const std::optional<double> at = integrator_.loosened_at())
    report.doubts.push_back(
        fmt::format("the integrator did not get on with its tolerance of {:g} at t = {:.6g} s and took {:g}",
                    options_.relative_tolerance, *at, report.tolerance));
}

std::unique_ptr<EventMotion> make_phase_motion(const System& system, const State& start, const EventDriven& options,
                                               const RunOptions& with, Run& run) {
  for (const SystemContact& contact : system.contacts())
    if (contact.law && contact.law->law().elastic())
      throw InvalidInput(
          fmt::format("event-driven: contact \"{}\" is elastic; use the moreau integrator", contact.name));
  return std::make_unique<PhaseMotion>(system, start, options, with, run);
}

}  // namespace slipset::internal
