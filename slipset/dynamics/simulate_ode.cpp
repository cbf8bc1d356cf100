#include "slipset/dynamics/simulate_ode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>

namespace slipset {
namespace {

using Eigen::Index;

constexpr int kMostEvents = 1000;       // within a step
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
  // `about`: the law, and warnings. `sigma0`: that of LuGre, whose deflections are columns; else 0.
  OdeRun(const MechanicalSystem& system, ContactRate& rate, const State& start, const OdeOptions& options,
         SimulationReport about, double sigma0 = 0)
      : system_(&system),
        options_(&options),
        began_(std::chrono::steady_clock::now()),
        rate_(rate),
        states_(rate.first_states().size()),
        rk4_(2 * system.dofs() + states_ + 2),
        y_(2 * system.dofs() + states_ + 2),
        spare_(y_.size()),
        watched_(VectorX::Zero(rate.watched())),
        risen_(static_cast<std::size_t>(rate.watched()), 0),
        contacts_(rate.contacts()),
        sigma0_(sigma0) {
    y_ << start.q, start.u, rate.first_states(), 0, 0;
    run_.end = start;
    if (options.method != OdeMethod::rk4)
      sundials_ = std::make_unique<SundialsSolver>(rate_, y_, start.t, options.method, options.relative_tolerance,
                                                   options.absolute_tolerance, &rate_);
    if (!system.has_constant_mass()) driven_at_start_ = system.driven_energy(start.t, start.q, start.u);
    run_.report = std::move(about);
    begin_report();
    run_.trajectory.columns = trajectory_columns(system);
    for (std::size_t i = 0; sigma0_ > 0 && i < contacts_.size(); ++i)
      for (const char* axis : {"1", "2"})
        run_.trajectory.columns.push_back(fmt::format("{}.deflection_{}", system.contacts()[i].name, axis));
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
      if (!advance(t, to)) break;
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
  void begin_report() {
    SimulationReport& report = run_.report;
    report.integrator = kOdeMethodNames[static_cast<std::size_t>(options_->method)];
    report.options.step = options_->step;
    report.options.duration = options_->duration;
    report.options.every = options_->every;
    report.why = "duration";
    if (sundials_) report.tolerance = options_->relative_tolerance;
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

  bool advance(double t, double to) { return sundials_ ? advance_adaptive(to) : advance_rk4(t, to); }

  // False after stop().
  bool advance_adaptive(double to) {
    for (int events = 0;; ++events) {
      if (!sundials_->advance(to)) {
        stop(rate_.problem().empty() ? sundials_->problem() : at_time(rate_.problem(), sundials_->reached()));
        return false;
      }
      if (!sundials_->at_event()) return true;
      if (events > kMostEvents) return chatters(sundials_->reached());
      rate_.take_modes(sundials_->reached(), y_.data(), sundials_->risen());
      ++run_.report.switches;
      sundials_->restart();
      if (to - sundials_->reached() < 1e-12 * std::max(std::abs(to), options_->step)) return true;
    }
  }

  bool advance_rk4(double t, double to) {
    if (watched_.size() == 0) {
      y_.swap(rk4_.step(rate_, t, to - t, y_));
      return true;
    }
    for (int events = 0; to > t; ++events) {
      VectorX& next = rk4_.step(rate_, t, to - t, y_);
      if (next.allFinite() && !(highest_end(to, next) > 0)) {
        y_.swap(next);
        return true;
      }
      if (!rate_.problem().empty()) {
        stop(at_time(rate_.problem(), t));
        return false;
      }
      if (!next.allFinite()) {
        y_.swap(next);
        return true;  // the caller sees it
      }
      if (events > kMostEvents) return chatters(t);
      const double part = first_event(t, to - t);
      y_.swap(rk4_.step(rate_, t, part, y_));
      t = part < to - t ? t + part : to;
      highest_end(t, y_);
      for (std::size_t k = 0; k < risen_.size(); ++k) risen_[k] = watched_[static_cast<Index>(k)] >= 0;
      rate_.take_modes(t, y_.data(), risen_);
      ++run_.report.switches;
    }
    return true;
  }

  // Above 0: a mode has ended before.
  double highest_end(double t, const VectorX& y) {
    rate_.watch(t, y.data(), watched_.data());
    return watched_.maxCoeff();
  }

  // The part of a step after which the first mode has just ended; it has at the end of the whole step.
  double first_event(double t, double h) {
    const auto ended = [&](double part) {
      const double value = highest_end(t + part, rk4_.step(rate_, t, part, y_));
      return std::isfinite(value) ? value : 1;
    };
    double lo = 0, hi = h, at_lo = highest_end(t, y_);
    // Just after an event the functions leave zero; which way shows a little later.
    for (double part = h / 2; at_lo >= 0 && part > 1e-9 * h; part /= 2) {
      const double value = ended(part);
      if (value > 0) hi = part;
      if (value < 0) {
        lo = part;
        at_lo = value;
      }
    }
    if (!(at_lo < 0)) return hi;
    const double at_hi = ended(hi);
    if (!(at_hi > 0)) return hi;
    std::uintmax_t iterations = 60;
    const auto close = [&](double a, double b) { return std::abs(b - a) <= 1e-15 * h; };
    return boost::math::tools::toms748_solve(ended, lo, hi, at_lo, at_hi, close, iterations).second;
  }

  bool chatters(double t) {
    stop(at_time("the contacts switch between their modes without end", t));
    return false;
  }

  static std::string at_time(const std::string& what, double t) { return fmt::format("{} (t = {:.6g})", what, t); }

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
      c.slip = rate_.slip(i);
      c.impulse << rate_.at().contacts[i].normal_force, rate_.friction_force(i);
      c.mode = rate_.sticks(i) ? ContactMode::stick : ContactMode::slip;
    }
    EnergyBalance& e = run_.energy;
    e.kinetic = 0.5 * run_.end.u.dot(rate_.at().mass.lazyProduct(run_.end.u));
    e.potential = system_->potential_energy(run_.end.q) + rate_.stored_energy();
    e.dissipated = y_[2 * n + states_];
    e.input = y_[2 * n + states_ + 1];
    if (system_->has_constant_mass()) return;
    const double driven = system_->driven_energy(t, run_.end.q, run_.end.u);
    e.kinetic += driven;
    e.input += driven - driven_at_start_;
  }

  void add_row() {
    add_trajectory_row(run_.end, contacts_, 1, run_.energy, run_.trajectory);
    std::vector<double>& row = run_.trajectory.rows.back();
    for (Index k = 0; sigma0_ > 0 && k < states_; ++k) row.push_back(y_[2 * system_->dofs() + k] / sigma0_);
  }

  const MechanicalSystem* system_;
  const OdeOptions* options_;
  std::chrono::steady_clock::time_point began_;
  ContactRate& rate_;
  Index states_;
  Rk4 rk4_;
  VectorX y_, spare_, watched_;
  std::vector<char> risen_;
  std::unique_ptr<SundialsSolver> sundials_;
  std::vector<ContactStep> contacts_;
  double sigma0_;
  double driven_at_start_ = 0;
  Simulation run_;
};

// RK4 follows what is faster than its step allows only by growing.
void warn_of_step(const OdeOptions& options, const StateRate& rate, const char* name, SimulationReport& report) {
  const double limit = kRk4RealAxis / rate.fastest_rate();
  if (options.method == OdeMethod::rk4 && options.step > limit)
    report.warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, up to which RK4 follows what is fastest in {} at the start: take a "
                    "shorter step, or kind = \"adaptive\"",
                    options.step, limit, name));
}

}  // namespace

double rk4_ramp_limit(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start) {
  return ramp_limit(RegularizedRate(system, form, start));
}

Simulation simulate_ode(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start,
                        const OdeOptions& options) {
  require_fit(system, start);
  check(options, start);
  RegularizedRate rate(system, form, start, options.rate);
  SimulationReport about;
  about.regularization = form.name();
  if (form.half_width() > 0) about.epsilon = form.epsilon();
  about.balance = rate.balance() == BalanceRule::fixed_point ? "fixed-point" : "partition";
  if (const double limit = ramp_limit(rate); options.method == OdeMethod::rk4 && options.step > limit)
    about.warnings.push_back(fmt::format(
        "step {:g} is above {:.4g}, up to which RK4 is sure to be stable on the ramp of {} with epsilon = {:g}: "
        "friction may chatter; take a shorter step or a larger epsilon",
        options.step, limit, form.name(), form.epsilon()));
  return OdeRun(system, rate, start, options, std::move(about)).run();
}

Simulation simulate_ode(const MechanicalSystem& system, const LuGre& lugre, const State& start,
                        const OdeOptions& options) {
  require_fit(system, start);
  check(options, start);
  LuGreRate rate(system, lugre, start, options.states);
  SimulationReport about;
  about.regularization = "lugre";
  warn_of_step(options, rate, "the bristles", about);
  return OdeRun(system, rate, start, options, std::move(about), lugre.sigma0).run();
}

Simulation simulate_ode(const MechanicalSystem& system, const State& start, const OdeOptions& options) {
  require_fit(system, start);
  check(options, start);
  ElasticRate rate(system, start, options.states);
  SimulationReport about;
  about.regularization = "elastic";
  warn_of_step(options, rate, "the elastic contacts", about);
  return OdeRun(system, rate, start, options, std::move(about)).run();
}

}  // namespace slipset
