#include "slipset/dynamics/simulate_ode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset {
namespace {

using Eigen::Index;

constexpr double kRk4RealAxis = 2.785;  // RK4 is stable for decay rates up to this over the step

double ramp_limit(const RegularizedRate& rate) {
  return rate.ramp_rate() > 0 ? kRk4RealAxis / rate.ramp_rate() : std::numeric_limits<double>::infinity();
}

void check(const OdeOptions& options, const State& start) {
  require_positive(options.step, "step");
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  if (options.duration / options.step > 1e10)
    throw InvalidInput("more than 1e10 steps; choose a longer step or a shorter duration");
  if (!start.q.allFinite() || !start.u.allFinite() || !std::isfinite(start.t))
    throw InvalidInput("the start must be finite");
  if (options.method == OdeMethod::rk4) return;
  require_positive(options.relative_tolerance, "relative_tolerance");
  require_positive(options.absolute_tolerance, "absolute_tolerance");
}

class OdeRun {
 public:
  OdeRun(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start, const OdeOptions& options)
      : system_(&system),
        options_(&options),
        half_width_(form.half_width()),
        began_(std::chrono::steady_clock::now()),
        rate_(system, form, start, options.rate),
        rk4_(2 * system.dofs() + 2),
        y_(2 * system.dofs() + 2),
        spare_(y_.size()),
        contacts_(rate_.contacts()) {
    y_ << start.q, start.u, 0, 0;
    run_.end = start;
    if (options.method != OdeMethod::rk4)
      sundials_ = std::make_unique<SundialsSolver>(rate_, y_, start.t, options.method, options.relative_tolerance,
                                                   options.absolute_tolerance);
    if (!system.has_constant_mass()) driven_at_start_ = system.driven_energy(start.t, start.q, start.u);
    begin_report(form);
    run_.trajectory.columns = trajectory_columns(system);
    look(start.t);
    run_.energy.initial = run_.energy.kinetic + run_.energy.potential;
    add_row();
  }

  Simulation run() {
    const double begin = run_.end.t;
    const auto steps = static_cast<long>(std::ceil(options_->duration / options_->step - 1e-9));
    bool stuck = false;
    double t = begin;
    for (long step = 1; step <= steps; ++step) {
      const double all = begin + options_->duration;
      double to = begin + static_cast<double>(step) * options_->step;
      if (sundials_) to = std::min(to, all);
      const Vec2 before = place();
      if (!advance(t, to)) {
        stop(sundials_->problem());
        break;
      }
      const double dt = to - t;
      t = to;
      run_.report.steps = step;
      if (!y_.allFinite()) {
        stop(fmt::format("the motion left the range of numbers at t = {:.6g}; take a shorter step", t));
        break;
      }
      run_.path_length += (place() - before).norm();
      look(t);
      const bool now = std::all_of(contacts_.begin(), contacts_.end(),
                                   [](const ContactStep& c) { return c.mode == ContactMode::stick; });
      if (now && !stuck) run_.stop_time = t - dt;
      if (!now) run_.stop_time.reset();
      run_.stick_time += now ? dt : 0;
      stuck = now;
      if (step % options_->every != 0 && step != steps) continue;
      add_row();
      if (options_->progress && !options_->progress(t - begin, options_->duration)) {
        run_.report.why = "ended by the caller";
        break;
      }
    }
    end_report();
    return std::move(run_);
  }

 private:
  void begin_report(const RegularizedCoulomb& form) {
    SimulationReport& report = run_.report;
    report.integrator = kOdeMethodNames[static_cast<std::size_t>(options_->method)];
    report.options.step = options_->step;
    report.options.duration = options_->duration;
    report.options.every = options_->every;
    report.regularization = form.name();
    if (form.half_width() > 0) report.epsilon = form.epsilon();
    report.balance = rate_.balance() == BalanceRule::fixed_point ? "fixed-point" : "partition";
    report.why = "duration";
    if (sundials_) report.tolerance = options_->relative_tolerance;
    if (const double limit = ramp_limit(rate_); !sundials_ && options_->step > limit)
      report.warnings.push_back(fmt::format(
          "step {:g} is above {:.4g}, up to which RK4 is sure to be stable on the ramp of {} with epsilon = {:g}: "
          "friction may chatter; take a shorter step or a larger epsilon",
          options_->step, limit, form.name(), form.epsilon()));
  }

  void end_report() {
    SimulationReport& report = run_.report;
    report.evaluations = rate_.evaluations();
    report.not_converged = rate_.not_converged();
    if (sundials_) {
      const OdeStatistics s = sundials_->statistics();
      report.steps = s.steps;
      report.error_test_failures = s.error_test_failures;
      report.nonlinear_iterations = s.nonlinear_iterations;
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  void stop(std::string why) {
    run_.report.why = std::move(why);
    run_.report.finished = false;
  }

  bool advance(double t, double to) {
    if (sundials_) return sundials_->advance(to);
    y_.swap(rk4_.step(rate_, t, to - t, y_));
    return true;
  }

  Vec2 place() const { return system_->dofs() >= 2 ? Vec2(y_.head<2>()) : Vec2(0, 0); }

  // Forces, slip and energies at the state.
  void look(double t) {
    const Index n = system_->dofs();
    rate_(t, y_.data(), spare_.data());
    run_.end.t = t;
    run_.end.q = y_.head(n);
    run_.end.u = y_.segment(n, n);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      ContactStep& c = contacts_[i];
      const double normal = rate_.at().contacts[i].normal_force;
      c.slip = rate_.slip(i);
      c.impulse << normal, -normal * rate_.resistance(i);
      c.mode = c.slip.norm() <= half_width_ ? ContactMode::stick : ContactMode::slip;
    }
    EnergyBalance& e = run_.energy;
    e.kinetic = 0.5 * run_.end.u.dot(rate_.at().mass.lazyProduct(run_.end.u));
    e.potential = system_->potential_energy(run_.end.q);
    e.dissipated = y_[2 * n];
    e.input = y_[2 * n + 1];
    if (system_->has_constant_mass()) return;
    const double driven = system_->driven_energy(t, run_.end.q, run_.end.u);
    e.kinetic += driven;
    e.input += driven - driven_at_start_;
  }

  void add_row() { add_trajectory_row(run_.end, contacts_, 1, run_.energy, run_.trajectory); }

  const MechanicalSystem* system_;
  const OdeOptions* options_;
  double half_width_;
  std::chrono::steady_clock::time_point began_;
  RegularizedRate rate_;
  Rk4 rk4_;
  VectorX y_, spare_;
  std::unique_ptr<SundialsSolver> sundials_;
  std::vector<ContactStep> contacts_;
  double driven_at_start_ = 0;
  Simulation run_;
};

}  // namespace

double rk4_ramp_limit(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start) {
  return ramp_limit(RegularizedRate(system, form, start));
}

Simulation simulate_ode(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start,
                        const OdeOptions& options) {
  require_fit(system, start);
  check(options, start);
  return OdeRun(system, form, start, options).run();
}

}  // namespace slipset
