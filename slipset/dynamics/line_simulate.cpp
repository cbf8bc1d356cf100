#include "slipset/dynamics/line_simulate.hpp"

#include <fmt/format.h>

#include <chrono>

#include "slipset/dynamics/line_stepper.hpp"

namespace slipset {
namespace {

using Eigen::Index;

bool is_fixed_step(LineMethod method) { return method == LineMethod::rk4 || method == LineMethod::moreau; }

void check(const LineOptions& options) {
  require_positive(options.step, "step");
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  if (!(options.cycle >= 0)) throw InvalidInput("cycle must be a positive time, or 0 for the period of the forcing");
  if (options.duration / options.step > 1e10)
    throw InvalidInput("more than 1e10 steps; choose a longer step or a shorter duration");
  if (is_fixed_step(options.method)) return;
  require_positive(options.relative_tolerance, "relative_tolerance");
  require_positive(options.absolute_tolerance, "absolute_tolerance");
}

void warn_of_step(const LineSystem& system, const RegularizedCoulomb& law, LineReport& report) {
  const double step = report.options.step;
  if (report.options.method == LineMethod::moreau) {
    if (const double limit = 2 / system.rate_bound(); step > limit)
      report.warnings.push_back(
          fmt::format("step {:g} is above {:.4g}, up to which the midpoint rule is sure to be stable for this system",
                      step, limit));
    return;
  }
  const StepLimits limits = rk4_step_limits(system, law);
  if (step > limits.elastic)
    report.warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, up to which RK4 is sure to be stable for this system without friction",
                    step, limits.elastic));
  if (step > limits.ramp)
    report.warnings.push_back(fmt::format(
        "step {:g} is above {:.4g}, up to which RK4 is stable on the ramp of {} with epsilon = {:g}: friction may "
        "chatter; take a shorter step or a larger epsilon",
        step, limits.ramp, law.name(), law.epsilon()));
}

// Whether the state and its energies, which are squares, are numbers.
bool in_range(const VectorX& y) { return std::isfinite(y.squaredNorm()); }

void warn_of_energy(LineSimulation& run) {
  const EnergyBalance& e = run.energy;
  const double turned_over = std::max(e.initial, e.kinetic + e.potential) + std::abs(e.dissipated) + std::abs(e.input);
  if (std::abs(e.residual()) > 0.01 * turned_over)
    run.report.warnings.push_back(
        fmt::format("the energies do not add up by {:.2g} J of {:.2g} J turned over: the steps are too long, or the "
                    "tolerance too large, for this law",
                    e.residual(), turned_over));
}

// Rows, cycles and sums of a run.
class Recorder {
 public:
  Recorder(const LineSystem& system, double half_width, const State& start, LineSimulation& run)
      : system_(&system), half_width_(half_width), run_(&run) {
    run.trajectory.columns = trajectory_columns(system);
    run.energy.initial = system.kinetic_energy(start.u) + system.potential_energy(start.q);
  }

  bool sticks(const LineStepper& stepper, Index i) const { return std::abs(stepper.slip(i)) <= half_width_; }
  bool all_stick(const LineStepper& stepper) const {
    for (Index i = 0; i < system_->contacts(); ++i)
      if (!sticks(stepper, i)) return false;
    return system_->contacts() > 0;
  }

  void update(double t, const LineStepper& stepper) {
    const Index n = system_->dofs();
    run_->end.t = t;
    run_->end.q = stepper.y().head(n);
    run_->end.u = stepper.y().segment(n, n);
    run_->energy.kinetic = system_->kinetic_energy(run_->end.u);
    run_->energy.potential = system_->potential_energy(run_->end.q);
    run_->energy.dissipated = stepper.y()[2 * n];
    run_->energy.input = stepper.y()[2 * n + 1];
  }

  void add_row(double t, LineStepper& stepper) {
    stepper.look(t);
    update(t, stepper);
    std::vector<double> row;
    row.reserve(run_->trajectory.columns.size());
    row.push_back(t);
    row.insert(row.end(), run_->end.q.begin(), run_->end.q.end());
    row.insert(row.end(), run_->end.u.begin(), run_->end.u.end());
    for (Index i = 0; i < system_->contacts(); ++i)
      row.insert(row.end(), {stepper.friction(i), stepper.slip(i),
                             static_cast<double>(sticks(stepper, i) ? ContactMode::stick : ContactMode::slip)});
    const EnergyBalance& e = run_->energy;
    row.insert(row.end(), {e.kinetic, e.potential, e.dissipated, e.input});
    run_->trajectory.rows.push_back(std::move(row));
  }

 private:
  const LineSystem* system_;
  double half_width_;
  LineSimulation* run_;
};

}  // namespace

std::vector<std::string> trajectory_columns(const LineSystem& system) {
  const std::vector<std::string> coordinates = system.coordinates();
  std::vector<std::string> names{"t"};
  names.insert(names.end(), coordinates.begin(), coordinates.end());
  for (const std::string& q : coordinates) names.push_back("d" + q);
  for (const std::string& contact : system.contact_names())
    for (const char* what : {"friction_1", "slip_1", "mode"}) names.push_back(fmt::format("{}.{}", contact, what));
  for (const char* energy : {"kinetic", "potential", "dissipated", "input"}) names.push_back(energy);
  return names;
}

void check_start(const LineSystem& system, const State& start) {
  if (start.q.size() != system.dofs() || start.u.size() != system.dofs())
    throw InvalidInput(fmt::format("the start has {} positions and {} velocities; the system has {} coordinates",
                                   start.q.size(), start.u.size(), system.dofs()));
  if (!start.q.allFinite() || !start.u.allFinite() || !std::isfinite(start.t))
    throw InvalidInput("the start must be finite");
}

StepLimits rk4_step_limits(const LineSystem& system, const RegularizedCoulomb& law) {
  StepLimits limits;
  if (system.rate_bound() > 0) limits.elastic = 2 * std::sqrt(2.0) / system.rate_bound();
  if (const double decay = law.ramp_slope() * system.friction_rate(); decay > 0) limits.ramp = 2.785 / decay;
  return limits;
}

double step_in_period(double period, double step) {
  require_positive(period, "period");
  require_positive(step, "step");
  return period / std::max(1.0, std::round(period / step));
}

LineSimulation simulate(const LineSystem& system, const RegularizedCoulomb& law, const State& start,
                        const LineOptions& options) {
  check(options);
  check_start(system, start);
  const bool moreau = options.method == LineMethod::moreau;
  if (!moreau && system.has_static_limits())
    throw InvalidInput("regularised laws have one friction limit; static limits need the event-driven integrator");
  const auto began = std::chrono::steady_clock::now();
  const Index n = system.dofs();
  VectorX y(2 * n + 2);
  y << start.q, start.u, 0, 0;

  LineSimulation run;
  run.report.integrator = kLineMethodNames[static_cast<std::size_t>(options.method)];
  run.report.law = moreau ? "coulomb" : law.name();
  if (!moreau && law.half_width() > 0) run.report.epsilon = law.epsilon();
  run.report.options = options;
  if (is_fixed_step(options.method)) warn_of_step(system, law, run.report);

  const std::unique_ptr<LineRate> rate = moreau ? nullptr : make_line_rate(system, law, options.rate);
  const std::unique_ptr<LineStepper> stepper = moreau ? make_moreau_stepper(system, y)
                                               : options.method == LineMethod::rk4
                                                   ? make_rk4_stepper(*rate, y)
                                                   : make_sundials_stepper(system, *rate, y, start.t, options);
  Recorder recorder(system, moreau ? 0 : law.half_width(), start, run);
  recorder.add_row(start.t, *stepper);

  const auto steps = static_cast<long>(std::ceil(options.duration / options.step - 1e-9));
  const double cycle = options.cycle > 0 ? options.cycle : system.period();
  double next_cycle = cycle > 0 ? start.t + cycle : std::numeric_limits<double>::infinity(), at_last_cycle = 0;
  double t = start.t;
  bool stuck = false;
  run.report.why = "duration";
  run.report.finished = true;
  const auto stop = [&](std::string why) {
    run.report.why = std::move(why);
    run.report.finished = false;
  };
  for (long step = 1; step <= steps; ++step) {
    const double to = std::min(start.t + static_cast<double>(step) * options.step, start.t + options.duration);
    std::optional<double> dissipated = 0;
    while (next_cycle <= to + 1e-12 * cycle) {
      dissipated = stepper->dissipated_at(t, std::min(next_cycle, to));
      if (!dissipated) break;
      run.cycle_dissipation.push_back(*dissipated - at_last_cycle);
      at_last_cycle = *dissipated;
      next_cycle = start.t + cycle * static_cast<double>(run.cycle_dissipation.size() + 1);
    }
    if (!dissipated || !stepper->advance(t, to)) {
      stop(stepper->problem());
      break;
    }
    const double dt = to - t;
    t = to;
    ++run.report.steps;
    if (!in_range(stepper->y())) {
      stop(fmt::format("the motion left the range of numbers at t = {:.6g}; take a shorter step", t));
      break;
    }
    const bool now = recorder.all_stick(*stepper);
    if (now && !stuck) run.stop_time = t - dt;
    if (!now) run.stop_time.reset();
    run.stick_time += now ? dt : 0;
    stuck = now;
    if (step % options.every != 0 && step != steps) continue;
    recorder.add_row(t, *stepper);
    if (options.progress && !options.progress(t - start.t, options.duration)) {
      run.report.why = "ended by the caller";
      break;
    }
  }
  if (in_range(stepper->y())) recorder.update(t, *stepper);
  warn_of_energy(run);
  if (rate) {
    run.report.evaluations = rate->evaluations();
    run.report.not_converged = rate->not_converged();
  }
  stepper->add_statistics(run.report);
  run.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

}  // namespace slipset
