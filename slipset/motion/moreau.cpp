#include "slipset/motion/moreau.hpp"

#include <fmt/format.h>

#include <chrono>

namespace slipset {
namespace {

constexpr double kLargest = 1e100;  // velocity that the contact solver takes

}  // namespace

ContactOptions with(const ContactChoice& choice, ContactOptions suggested) {
  suggested.method = choice.method.value_or(suggested.method);
  suggested.measure = choice.measure.value_or(suggested.measure);
  suggested.tolerance = choice.tolerance.value_or(suggested.tolerance);
  suggested.max_iterations = choice.max_iterations.value_or(suggested.max_iterations);
  suggested.step = choice.step.value_or(suggested.step);
  suggested.settled_contacts = choice.settled_contacts.value_or(suggested.settled_contacts);
  suggested.threads = choice.threads.value_or(suggested.threads);
  return suggested;
}

MoreauStepper::MoreauStepper(const System& system, const State& start, const ContactChoice& contact,
                             std::optional<double> closing_distance)
    : system_(&system),
      options_(with(contact, system.contact_options())),
      state_(start),
      form_(system.make_step()),
      timed_(system.finds_contacts()) {
  require_fit(system, start);
  if (closing_distance) form_->set_closing_distance(*closing_distance);
  form_->start(state_, energy_);
}

MoreauStepper::MoreauStepper(const MoreauStepper& other)
    : system_(other.system_),
      options_(other.options_),
      state_(other.state_),
      form_(other.form_->clone()),
      timed_(other.timed_),
      problem_(other.problem_),
      solver_(other.solver_),
      solution_(other.solution_),
      energy_(other.energy_),
      since_(other.since_),
      length_(other.length_),
      taken_(other.taken_),
      solver_seconds_(other.solver_seconds_) {}

MoreauStepper& MoreauStepper::operator=(const MoreauStepper& other) {
  if (this != &other) *this = MoreauStepper(other);
  return *this;
}

void MoreauStepper::leave_range() {
  const Eigen::Index rows = problem_.free_velocity.size();
  solution_.impulse.setConstant(rows, std::numeric_limits<double>::quiet_NaN());
  solution_.velocity = solution_.impulse;
  solution_.modes.assign(problem_.contacts.size(), ContactMode::none);
  solution_.solutions.assign(problem_.contacts.size(), 0);
  solution_.contradiction.reset();
  solution_.report = {};
  solution_.report.options = options_;
  solution_.report.stop_reason = "the motion exceeds the range of numbers";
}

void MoreauStepper::step(double dt) {
  require_positive(dt, "time step");
  const double begin = state_.t;
  if (form_->begin(state_, dt, problem_, solution_)) {
    const auto began = timed_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
    if (problem_.free_velocity.lpNorm<Eigen::Infinity>() <= kLargest)
      solver_.solve(problem_, options_, solution_);
    else
      leave_range();
    if (timed_) solver_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  } else {
    problem_.contacts.clear();
    solution_.report = {};
    solution_.report.options = options_;
    solution_.report.status = ContactStatus::solved;
    solution_.report.stop_reason = "no contact is closed";
    solution_.report.undetermined = 0;
    solution_.contradiction.reset();
  }
  if (solution_.contradiction) return form_->give_up(state_, dt);
  form_->finish(solution_, dt, state_, energy_);
  // Steps of one length end at multiples of it: sums would drift.
  if (dt != length_) {
    since_ = begin;
    length_ = dt;
    taken_ = 0;
  }
  state_.t = since_ + ++taken_ * length_;
}

std::vector<double> MoreauStepper::memory() const {
  std::vector<double> m{state_.t,
                        energy_.kinetic,
                        energy_.potential,
                        energy_.initial,
                        energy_.dissipated,
                        energy_.by_torques,
                        energy_.input,
                        energy_.corrected,
                        energy_.by_impacts,
                        energy_.numerical,
                        since_,
                        length_,
                        taken_};
  m.insert(m.end(), state_.q.begin(), state_.q.end());
  m.insert(m.end(), state_.u.begin(), state_.u.end());
  form_->add_memory(m);
  return m;
}

void MoreauStepper::restore(const std::vector<double>& memory) {
  constexpr std::size_t kEnergies = 9, kOwn = kEnergies + 4;
  const auto state = static_cast<std::size_t>(state_.q.size() + state_.u.size());
  if (memory.size() < kOwn + state)
    throw InvalidInput(fmt::format("the checkpoint belongs to another system: it has {} numbers", memory.size()));
  const double *at = memory.data(), *end = at + memory.size();
  state_.t = *at++;
  energy_ = {at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8]};
  at += kEnergies;
  since_ = *at++;
  length_ = *at++;
  taken_ = *at++;
  for (double& x : state_.q) x = *at++;
  for (double& x : state_.u) x = *at++;
  form_->restore(state_, at, end);
}

}  // namespace slipset
