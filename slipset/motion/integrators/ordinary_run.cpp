// A whole run by an ordinary integrator: RungeKutta4 or Adaptive.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <chrono>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/integrators/internal/axial_rate.hpp"
#include "slipset/motion/integrators/internal/elastic_rate.hpp"
#include "slipset/motion/integrators/internal/lugre_rate.hpp"
#include "slipset/motion/integrators/internal/regularized_rate.hpp"

namespace slipset {

using namespace internal;

namespace {

using Eigen::Index;

constexpr int kMostEvents = 1000;         // within a step
constexpr long kPartsBetweenLooks = 256;  // for whoever wants to end the run

void check(const RunOptions& options, double step) {
  slipset::check(options);
  refuse_after_step(options);
  require_positive(step, "step");
  if (options.until_stick)
    throw InvalidInput(
        "ordinary integrators run for a duration; use Moreau or EventDriven to run until every contact sticks");
  if (options.duration / step > 1e10)
    throw InvalidInput("more than 1e10 steps; choose a longer step or a shorter duration", "step");
}

class OrdinaryRun {
 public:
  OrdinaryRun(const System& system, ContactRate& rate, const State& start, double step, const Adaptive* adaptive,
              const RunOptions& options, RunReport about)
      : dofs_(system.dofs()),
        options_(&options),
        step_(step),
        cycle_(cycle_of(system, options)),
        began_(std::chrono::steady_clock::now()),
        rate_(rate),
        states_(rate.first_states().size()),
        rk4_(2 * dofs_ + states_ + 2),
        y_(2 * dofs_ + states_ + 2),
        watched_(VectorX::Zero(rate.watched())),
        risen_(static_cast<std::size_t>(rate.watched()), 0) {
    y_ << start.q, start.u, rate.first_states(), 0, 0;
    run_.end = start;
    if (adaptive)
      sundials_ = std::make_unique<SundialsSolver>(rate_, y_, start.t, adaptive->method, adaptive->relative_tolerance,
                                                   adaptive->absolute_tolerance, &rate_);
    driven_at_start_ = rate.driven_energy(start);
    run_.report = std::move(about);
    run_.report.options = options;
    run_.report.step = step;
    run_.report.integrator =
        adaptive ? kAdaptiveMethodNames[static_cast<std::size_t>(adaptive->method)] : std::string_view("rk4");
    if (adaptive) run_.report.tolerance = adaptive->relative_tolerance;
    if (adaptive) absolute_tolerance_ = adaptive->absolute_tolerance;
    if (!adaptive) rate.warn_of_step(step, run_.report.warnings);
    warned_of_step_ = !run_.report.warnings.empty();
    require_resolved_drives(system, options, adaptive ? std::nullopt : std::optional(step), run_.report);
    run_.table = Table(rate.columns());
    require_room(options, step * options.every, run_.table.names().size());
    look(start.t);
    run_.energy.initial = run_.energy.kinetic + run_.energy.potential;
    add_row();
  }

  Run run() {
    const double begin = begin_ = run_.end.t, end = begin + options_->duration;
    const auto steps = std::max(1L, static_cast<long>(std::ceil(options_->duration / step_ - 1e-9)));
    bool stuck = false;
    double t = at_ = begin;
    for (long step = 1; step <= steps; ++step) {
      const double to = std::min(begin + static_cast<double>(step) * step_, end);
      const Vec2 before = place();
      double from = t;
      if (!count_cycles(begin, from, to) || !advance(from, to)) {  // somewhere in the step
        t = at_;
        run_.path_length += (place() - before).norm();
        break;
      }
      const double dt = to - t;
      t = to;
      run_.report.steps = step;
      if (!std::isfinite(y_.squaredNorm())) {
        look(t);
        add_row();
        break;
      }
      run_.path_length += (place() - before).norm();
      const bool row = step % options_->every == 0 || step == steps;
      if (rate_.looks_every_step() || row) look(t);
      if (!sundials_) look_at_states(t);
      const bool now = rate_.all_stick(y_);
      if (now && !stuck) run_.stop_time = t - dt;
      if (!now) run_.stop_time.reset();
      run_.stick_time += now ? dt : 0;
      stuck = now;
      if (!row) continue;
      if (!add_row()) break;
      if (!goes_on(t)) break;
    }
    if (run_.report.status == RunStatus::left_range) {
      run_.end = last_good_;
      run_.energy = last_good_energy_;
    } else if (run_.end.t != t) {
      look(t);
    }
    warn_of_states();
    doubt_tolerance();
    judge_energy(run_);
    end_report();
    return std::move(run_);
  }

 private:
  // False: the caller ends the run.
  bool goes_on(double t) {
    if (!options_->progress || options_->progress(t - begin_, options_->duration)) return true;
    run_.report.stop(RunStatus::stopped, "ended by the caller");
    return false;
  }

  // A step too long for the states: these do not blow up, but swing about where they should settle.
  void look_at_states(double t) {
    const double rate = rate_.state_rate();
    if (!(rate * step_ > kRk4RealAxis)) return;
    if (run_.report.unresolved++ == 0) {
      unresolved_since_ = t;
      first_state_rate_ = rate;
    }
    fastest_state_rate_ = std::max(fastest_state_rate_, rate);
  }

  void warn_of_states() {
    if (run_.report.unresolved == 0 || warned_of_step_) return;
    const double rate = run_.report.finished() ? fastest_state_rate_ : first_state_rate_;
    run_.report.warnings.push_back(fmt::format(
        "step {:g} is above {:.4g}, the largest with which rk4 follows {}: from t = {:.6g} on the motion is "
        "not that of the law; use a shorter step, or kind = \"adaptive\"",
        step_, kRk4RealAxis / rate, rate_.state_name(), unresolved_since_));
  }

  // The error test sees nothing below the absolute tolerance.
  void doubt_tolerance() {
    const double seen = std::max(1e3 * run_.report.tolerance, 1e-5) * fastest_;
    if (!sundials_ || !(fastest_ > 0) || absolute_tolerance_ <= seen) return;
    run_.report.doubts.push_back(fmt::format(
        "absolute_tolerance {:g} is large beside velocities of at most {:.3g}: errors of {:.1g} of these are not seen; "
        "choose {:.0e} or less",
        absolute_tolerance_, fastest_, absolute_tolerance_ / fastest_, run_.report.tolerance * fastest_));
  }

  // The dissipation of cycles that end in (t, to]; t is how far it has gone for that. False after a solver gave up.
  bool count_cycles(double begin, double& t, double to) {
    while (cycle_ > 0) {
      const double end = begin + cycle_ * static_cast<double>(run_.cycle_dissipation.size() + 1);
      if (end > to + 1e-12 * cycle_) break;
      const double at = std::min(end, to);
      double dissipated = 0;
      if (sundials_ || watched_.size() > 0) {
        if (!advance(t, at)) return false;
        t = at;
        dissipated = y_[y_.size() - 2];
      } else {  // a step that is not taken, so that the others keep their length
        const VectorX& after = rk4_.step(rate_, t, at - t, y_);
        dissipated = after[after.size() - 2];
      }
      run_.cycle_dissipation.push_back(dissipated - at_last_cycle_);
      at_last_cycle_ = dissipated;
    }
    return true;
  }

  void end_report() {
    RunReport& report = run_.report;
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

  // False: the run has ended.
  bool advance(double t, double to) {
    if (to <= t) return true;
    const bool arrived = sundials_ ? advance_in_parts(t, to) : advance_rk4(t, to);
    if (arrived) at_ = to;
    return arrived;
  }

  bool advance_in_parts(double t, double to) {
    // In parts that no slip fits between: a contact that sticks exactly has a rate of zero, and a solver left alone
    // would take one step over all that follows.
    const double parts = std::max(1.0, std::ceil((to - t) / rate_.longest_step() * (1 - 1e-12)));
    for (double k = 1; k <= parts; ++k) {
      if (!advance_adaptive(k == parts ? to : t + (to - t) * (k / parts))) return false;
      if (++parts_ % kPartsBetweenLooks == 0 && !goes_on(sundials_->reached())) return false;
    }
    return true;
  }

  bool advance_adaptive(double to) {
    for (int events = 0;; ++events) {
      const bool good = sundials_->advance(to);
      at_ = sundials_->reached();
      if (!good) {
        if (rate_.problem().empty())
          run_.report.stop(RunStatus::solver_failed, sundials_->problem());
        else
          no_solution(rate_.problem(), sundials_->reached());
        return false;
      }
      if (!sundials_->at_event()) return true;
      if (events > kMostEvents) return chatters(sundials_->reached());
      rate_.take_modes(sundials_->reached(), y_.data(), sundials_->risen());
      ++run_.report.switches;
      sundials_->restart();
      if (to - sundials_->reached() < 1e-12 * std::max(std::abs(to), step_)) return true;
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
        no_solution(rate_.problem(), t);
        return false;
      }
      if (!next.allFinite()) {
        y_.swap(next);
        return true;  // the caller sees it
      }
      if (events > kMostEvents) return chatters(t);
      const double part = first_event(t, to - t);
      y_.swap(rk4_.step(rate_, t, part, y_));
      at_ = t = part < to - t ? t + part : to;
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
    no_solution("the contact modes chatter", t);
    return false;
  }
  void no_solution(const std::string& what, double t) {
    run_.report.stop(RunStatus::no_solution, fmt::format("{} (t = {:.6g})", what, t));
  }

  Vec2 place() const { return dofs_ >= 2 ? Vec2(y_.head<2>()) : Vec2(y_[0], 0); }

  // Forces, slip and energies at the state.
  void look(double t) {
    rate_.look(t, y_);
    run_.end.t = t;
    run_.end.q = y_.head(dofs_);
    run_.end.u = y_.segment(dofs_, dofs_);
    fastest_ = std::fmax(fastest_, run_.end.u.lpNorm<Eigen::Infinity>());
    EnergyBalance& e = run_.energy;
    e.kinetic = rate_.kinetic_energy(run_.end);
    e.potential = rate_.potential_energy(run_.end);
    e.dissipated = y_[y_.size() - 2];
    e.input = y_[y_.size() - 1] + rate_.driven_energy(run_.end) - driven_at_start_;
  }

  bool add_row() {
    row_.clear();
    row_.push_back(run_.end.t);
    row_.insert(row_.end(), run_.end.q.begin(), run_.end.q.end());
    row_.insert(row_.end(), run_.end.u.begin(), run_.end.u.end());
    rate_.add_contacts(y_, row_);
    add_energies(run_.energy, row_);
    rate_.add_states(y_, row_);
    const std::size_t rows = run_.table.size();
    const bool more = slipset::add_row(row_, run_);
    if (run_.table.size() > rows) {
      last_good_ = run_.end;
      last_good_energy_ = run_.energy;
    }
    return more;
  }

  Index dofs_;
  const RunOptions* options_;
  double step_, cycle_, begin_ = 0, at_ = 0;  // at_: the time of y_
  std::chrono::steady_clock::time_point began_;
  ContactRate& rate_;
  Index states_;
  Rk4 rk4_;
  VectorX y_, watched_;
  std::vector<char> risen_;
  std::unique_ptr<SundialsSolver> sundials_;
  std::vector<double> row_;
  double driven_at_start_ = 0, at_last_cycle_ = 0;
  double absolute_tolerance_ = 0, fastest_ = 0;  // of adaptive solvers; the largest velocity so far
  bool warned_of_step_ = false;
  double unresolved_since_ = 0, first_state_rate_ = 0, fastest_state_rate_ = 0;
  long parts_ = 0;   // of steps with error control
  State last_good_;  // at the last row
  EnergyBalance last_good_energy_;
  Run run_;
};

// The right-hand side for a system and its friction, and what the report says of it: one function per alternative of
// SmoothFriction::Form.
struct RateMaker {
  const System& system;
  const SmoothFriction& friction;
  const State& start;
  RunReport& about;

  using Rate = std::unique_ptr<ContactRate>;

  Rate operator()(const RegularizedCoulomb& form) const {
    about.law = form.name();
    if (form.half_width() > 0) about.epsilon = form.epsilon();
    if (const auto* axial = dynamic_cast<const AxialSystem*>(&system))
      return make_axial_rate(*axial, form, friction.balance);
    auto rate = std::make_unique<RegularizedRate>(system, form, start, friction.balance);
    about.balance = rate->balance() == BalanceRule::fixed_point ? "fixed-point" : "partition";
    return rate;
  }
  Rate operator()(const LuGre& lugre) const {
    require_planar();
    about.law = "lugre";
    return std::make_unique<LuGreRate>(system, lugre, start, friction.states);
  }
  Rate operator()(std::monostate) const {
    require_planar();
    about.law = "elastic";
    return std::make_unique<ElasticRate>(system, start, friction.states);
  }

 private:
  void require_planar() const {
    if (dynamic_cast<const AxialSystem*>(&system))
      throw InvalidInput(
          "systems along one axis have a friction limit only; give a regularised law, or use the event-driven "
          "integrator");
  }
};

Run run(const System& system, const State& start, const SmoothFriction& friction, double step, const Adaptive* adaptive,
        const RunOptions& options) {
  require_fit(system, start);
  check(options, step);
  RunReport about;
  const std::unique_ptr<ContactRate> rate = std::visit(RateMaker{system, friction, start, about}, friction.form);
  return OrdinaryRun(system, *rate, start, step, adaptive, options, std::move(about)).run();
}

}  // namespace

Run simulate(const System& system, const State& start, const RungeKutta4& integrator, const RunOptions& options) {
  return run(system, start, integrator.friction, integrator.step, nullptr, options);
}

Run simulate(const System& system, const State& start, const Adaptive& integrator, const RunOptions& options) {
  require_positive(integrator.relative_tolerance, "relative_tolerance");
  require_positive(integrator.absolute_tolerance, "absolute_tolerance");
  return run(system, start, integrator.friction, integrator.row_step, &integrator, options);
}

double rk4_ramp_limit(const System& system, const RegularizedCoulomb& form, const State& start) {
  return RegularizedRate(system, form, start).ramp_limit();
}

double step_in_period(double period, double step) {
  require_positive(period, "period");
  require_positive(step, "step");
  return period / std::max(1.0, std::round(period / step));
}

}  // namespace slipset
