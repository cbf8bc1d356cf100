#include "slipset/motion/run_derivative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/laws/law_parameters.hpp"
#include "slipset/motion/internal/step_derivative.hpp"
#include "slipset/motion/run.hpp"
#include "slipset/motion/time_stepping.hpp"

namespace slipset {
namespace {

using internal::StateChange;
using internal::StepDerivative;

void require_differentiable(const System& system) {
  if (system.finds_contacts())
    throw InvalidInput("derivative of a run: contacts that are found anew in every step (rigid bodies) have none yet");
  for (const SystemContact& contact : system.contacts()) {
    const auto refuse = [&](const char* what) {
      throw InvalidInput(fmt::format("derivative of a run: contact \"{}\" {}: there is none yet", contact.name, what));
    };
    if (contact.other_law) refuse("has a law with drilling or rolling, or of your own");
    if (contact.law && contact.law->law().elastic()) refuse("is elastic");
    if (system.has_steady_surfaces()) continue;
    if (contact.unilateral && contact.restitution > 0) refuse("has restitution, and its surface moves unsteadily");
    if (contact.law && contact.law->law().stribeck())
      refuse("has a rate-dependent law, and its surface moves unsteadily");
  }
}

}  // namespace

struct RunDerivative::Work {
  const System* system;
  RunDerivativeOptions options;
  StepPlan plan;
  long steps;
  long between;                                  // steps between checkpoints, about √steps
  MoreauStepper stepper;                         // at the end
  std::vector<std::vector<double>> checkpoints;  // MoreauStepper::memory()
  std::vector<double> times;
  MatrixX positions, velocities;
  std::vector<const PlanarContactLaw*> laws;
  std::vector<std::string> notes;

  Work(const System& of, const State& start, const Moreau& integrator, const RunDerivativeOptions& with)
      : system(&of),
        options(with),
        plan{start.t, integrator.step, with.duration},
        steps(plan.count()),
        between(static_cast<long>(std::ceil(std::sqrt(static_cast<double>(steps))))),
        stepper(of, start, integrator.contact, integrator.closing_distance) {}

  // The row that a step ends with; empty: none.
  std::optional<Eigen::Index> row_after(long step) const {
    if (step + 1 == steps) return static_cast<Eigen::Index>(times.size()) - 1;
    if ((step + 1) % options.every != 0) return std::nullopt;
    return (step + 1) / options.every;
  }
  std::vector<bool> slid(const MoreauStepper& by) const;
  void make_step(MoreauStepper& by, long step) const;
  StepDerivative differentiated(MoreauStepper& by, long step) const;
  void run();
};

std::vector<bool> RunDerivative::Work::slid(const MoreauStepper& by) const {
  std::vector<bool> slid;
  for (const ContactStep& contact : by.contacts()) slid.push_back(contact.mode != ContactMode::stick);
  return slid;
}

void RunDerivative::Work::make_step(MoreauStepper& by, long step) const {
  if (options.go_on && !options.go_on()) throw Stopped();
  const double t = by.state().t;
  by.step(plan.length(step, t));
  if (!by.report().solved() || by.solution().contradiction)
    throw InvalidInput(
        fmt::format("derivative of a run: the step at t = {:.6g} s has no solution ({})", t, by.report().stop_reason));
}

StepDerivative RunDerivative::Work::differentiated(MoreauStepper& by, long step) const {
  const State begin = by.state();
  const std::vector<bool> slid_before = slid(by);
  make_step(by, step);
  try {
    return StepDerivative(by, begin, plan.length(step, begin.t), slid_before, laws, options.difference, options.border);
  } catch (const InvalidInput& invalid) {
    throw InvalidInput(fmt::format("step at t = {:.6g} s: {}", begin.t, invalid.what()));
  }
}

void RunDerivative::Work::run() {
  const long rows = (steps - 1) / options.every + 2;
  positions.resize(system->positions(), rows);
  velocities.resize(system->dofs(), rows);
  const auto add_row = [&] {
    const auto row = static_cast<Eigen::Index>(times.size());
    times.push_back(stepper.state().t);
    positions.col(row) = stepper.state().q;
    velocities.col(row) = stepper.state().u;
  };
  add_row();
  long closings = 0;
  std::vector<std::size_t> before;
  for (long step = 0; step < steps; ++step) {
    if (step % between == 0) checkpoints.push_back(stepper.memory());
    make_step(stepper, step);
    const std::span<const std::size_t> closed = stepper.form().closed();
    for (const std::size_t i : closed) closings += step > 0 && !std::binary_search(before.begin(), before.end(), i);
    before.assign(closed.begin(), closed.end());
    if ((step + 1) % options.every == 0 || step + 1 == steps) add_row();
  }
  if (!positions.allFinite() || !velocities.allFinite())
    throw InvalidInput("derivative of a run: the motion exceeds the range of numbers");
  if (closings > 0)
    notes.push_back(
        fmt::format("{} contact{} closed during the run: the time of an impact does not change with the start within a "
                    "step, so this derivative is that of the steps, not of the motion",
                    closings, closings > 1 ? "s" : ""));
}

RunDerivative::RunDerivative(const System& system, const State& start, const Moreau& integrator,
                             const RunDerivativeOptions& options) {
  require_differentiable(system);
  require_positive(options.duration, "duration");
  require_positive(options.difference, "difference");
  if (options.every < 1)
    throw InvalidInput(fmt::format("every: found {}; expected 1 step between rows, or more", options.every));
  work_ = std::make_unique<Work>(system, start, integrator, options);
  SystemAt at = sized_for(system);
  system.evaluate(start.t, start.q, start.u, at);
  for (std::size_t i = 0; i < system.contacts().size(); ++i) {
    const SystemContact& contact = system.contacts()[i];
    if (contact.unilateral && !system.has_steady_surfaces() && std::isnan(at.contacts[i].surface_normal_velocity))
      throw InvalidInput(fmt::format(
          "derivative of a run: contact \"{}\" has a surface that moves unsteadily; evaluate() has to tell its "
          "surface_normal_velocity",
          contact.name));
    const PlanarContactLaw* const law = contact.law.get();
    if (law && std::find(work_->laws.begin(), work_->laws.end(), law) == work_->laws.end()) work_->laws.push_back(law);
  }
  work_->run();
}

RunDerivative::~RunDerivative() = default;
RunDerivative::RunDerivative(RunDerivative&&) noexcept = default;
RunDerivative& RunDerivative::operator=(RunDerivative&&) noexcept = default;

const std::vector<double>& RunDerivative::times() const { return work_->times; }
const MatrixX& RunDerivative::positions() const { return work_->positions; }
const MatrixX& RunDerivative::velocities() const { return work_->velocities; }
const std::vector<const PlanarContactLaw*>& RunDerivative::laws() const { return work_->laws; }
const std::vector<std::string>& RunDerivative::notes() const { return work_->notes; }

std::vector<RunDerivative::Change> RunDerivative::forward(const MatrixX& q, const MatrixX& u,
                                                          const std::vector<MatrixX>& law) const {
  const Work& work = *work_;
  const Eigen::Index dofs = work.system->dofs(), rows = work.positions.cols(), directions = q.cols();
  if (q.rows() != dofs || u.rows() != dofs || u.cols() != directions)
    throw InvalidInput(
        fmt::format("derivative of a run: changes of {} positions and {} velocities, expected {} of each", q.rows(),
                    u.rows(), dofs));
  if (!law.empty() && law.size() != work.laws.size())
    throw InvalidInput(
        fmt::format("derivative of a run: {} lists for {} laws; give one each, or none", law.size(), work.laws.size()));
  for (const MatrixX& one : law)
    if (one.size() > 0 && one.cols() != directions)
      throw InvalidInput("derivative of a run: as many changes of the laws as of the start are needed");
  std::vector<StateChange> now;
  std::vector<std::vector<VectorX>> of_laws;
  std::vector<Change> changes;
  for (Eigen::Index k = 0; k < directions; ++k) {
    now.push_back({q.col(k), u.col(k)});
    changes.push_back({MatrixX::Zero(dofs, rows), MatrixX::Zero(dofs, rows)});
    std::vector<VectorX> one;
    for (const MatrixX& numbers : law) one.emplace_back(numbers.size() > 0 ? VectorX(numbers.col(k)) : VectorX());
    of_laws.push_back(std::move(one));
    changes.back().positions.col(0) = now.back().q;
    changes.back().velocities.col(0) = now.back().u;
  }
  MoreauStepper stepper = work.stepper;
  stepper.restore(work.checkpoints.front());
  for (long step = 0; step < work.steps; ++step) {
    const StepDerivative derivative = work.differentiated(stepper, step);
    const std::optional<Eigen::Index> row = work.row_after(step);
    for (std::size_t k = 0; k < now.size(); ++k) {
      derivative.forward(of_laws[k], now[k]);
      if (!row) continue;
      changes[k].positions.col(*row) = now[k].q;
      changes[k].velocities.col(*row) = now[k].u;
    }
  }
  return changes;
}

RunDerivative::Gradient RunDerivative::reverse(const MatrixX& positions, const MatrixX& velocities) const {
  const Work& work = *work_;
  for (const MatrixX* const given : {&positions, &velocities})
    if (given->rows() != work.positions.rows() || given->cols() != work.positions.cols())
      throw InvalidInput(
          fmt::format("derivative of a run: gradients of shape {} x {}; expected {} x {}, a column per row",
                      given->rows(), given->cols(), work.positions.rows(), work.positions.cols()));
  Gradient gradient;
  for (const PlanarContactLaw* const law : work.laws) {
    const FrictionLaw& sets = law->law();
    const bool numbers = sets.reservoir().name() != UserSet::kName && sets.direction().name() != UserSet::kName;
    gradient.law.emplace_back(VectorX::Zero(numbers ? static_cast<Eigen::Index>(law_parameters(sets).size()) : 0));
  }
  StateChange now{VectorX::Zero(work.system->dofs()), VectorX::Zero(work.system->dofs())};
  MoreauStepper stepper = work.stepper;
  std::vector<StepDerivative> steps;
  for (auto number = static_cast<long>(work.checkpoints.size()); number-- > 0;) {
    const long first = number * work.between, end = std::min(first + work.between, work.steps);
    stepper.restore(work.checkpoints[static_cast<std::size_t>(number)]);
    steps.clear();
    for (long step = first; step < end; ++step) steps.push_back(work.differentiated(stepper, step));
    for (long step = end; step-- > first;) {
      if (const std::optional<Eigen::Index> row = work.row_after(step)) {
        now.q += positions.col(*row);
        now.u += velocities.col(*row);
      }
      steps[static_cast<std::size_t>(step - first)].reverse(now, gradient.law);
    }
  }
  gradient.q = now.q + positions.col(0);
  gradient.u = now.u + velocities.col(0);
  return gradient;
}

}  // namespace slipset
