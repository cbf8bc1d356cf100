#include "slipset/dynamics/piecewise_linear.hpp"

#include <fmt/format.h>

#include <chrono>

#include "slipset/dynamics/first_root.hpp"
#include "slipset/dynamics/line_phase.hpp"

namespace slipset {
namespace {

using Eigen::Index;
constexpr int kTerms = LinePhase::kTerms;
constexpr std::size_t kMostKept = 100000;

// A contact whose slip speed (side 0) or force (side ±1, the force's sign) came to its bound at τ.
struct Met {
  double tau;
  Index contact;
  int side;
  bool touches;
};

class ExactMotion {
 public:
  ExactMotion(const LineSystem& system, const State& start, const LineEventOptions& options, LineSimulation& run)
      : system_(&system), options_(&options), run_(&run), phase_(system, options.duration), state_(start) {
    const auto m = static_cast<std::size_t>(system.contacts());
    slip_ = scale_ = VectorX::Zero(system.contacts());
    zeros_.assign(3 * m, 0);
    resting_.assign(m, 1);
    before_.assign(m, 0);
    row_q_ = start.q;
    row_u_ = start.u;
    phase_.slip_of(start.t, start.u, slip_);
    for (Index i = 0; i < system.contacts(); ++i) {
      fastest_ = std::max(fastest_, std::abs(slip_[i]));
      if (slip_[i] != 0) phase_.set_mode(i, slip_[i] > 0 ? 1 : -1);
    }
    met_.reserve(2 * m);
  }

  const State& state() const { return state_; }
  double length() const { return phase_.length(); }
  bool all_stick() const {
    for (Index i = 0; i < system_->contacts(); ++i)
      if (phase_.mode(i) != 0) return false;
    return system_->contacts() > 0;
  }

  // The modes at the start, or after what find_event() found; false if none is consistent. Leaves the series ready.
  bool settle(bool at_start);
  void expand() {
    std::fill(zeros_.begin(), zeros_.end(), 0);
    phase_.project(state_.t, state_.u);
    phase_.expand(state_.t, state_.q, state_.u);
  }
  // τ of the next event, at most `until`; above 1 if there is none.
  double find_event(double until);
  void advance(double tau);
  double dissipated_at(double tau) const { return dissipated_ + phase_.dissipated_to(tau); }
  void add_row(double tau);
  EnergyBalance energy_at(double tau);

 private:
  // Coefficient k of the distance of a force to its limit on side s.
  double margin(Index i, int s, int k) const {
    return (k == 0 ? system_->static_limit(i) : 0.0) - s * phase_.force(i, k);
  }
  int& zeros(Index i, int side) { return zeros_[static_cast<std::size_t>(3 * i + side + 1)]; }
  bool find_violation(Index& contact, int& next, int& level);
  void log_changes(bool at_start);

  const LineSystem* system_;
  const LineEventOptions* options_;
  LineSimulation* run_;
  LinePhase phase_;
  State state_;
  double carried_ = 0;  // of the sum of times
  double dissipated_ = 0, input_ = 0, fastest_ = 0;
  VectorX slip_, scale_, row_q_, row_u_;
  // How many leading coefficients are zero: of the slip (side 0), of the margins (sides ±1). In the step after an
  // event.
  std::vector<int> zeros_;
  std::vector<char> resting_;
  std::vector<int> before_;
  std::vector<Met> met_;
  int level_ = 0;
};

// The violation of lowest derivative among the contacts at rest, the first contact among equals. On the way the number
// of leading zeros of every series.
bool ExactMotion::find_violation(Index& contact, int& next, int& level) {
  level = kTerms;
  for (Index i = 0; i < system_->contacts(); ++i) {
    if (!resting_[static_cast<std::size_t>(i)]) continue;
    const double small = options_->tie * scale_[i];
    const auto met = std::find_if(met_.begin(), met_.end(), [&](const Met& m) { return m.contact == i; });
    if (phase_.mode(i) == 0) {
      for (const int s : {-1, 1}) {
        // What is known to be zero: the force of a contact that was met at this limit; of one that slipped on this side
        // and came to rest without a change of its acceleration.
        int known = 0;
        if (met != met_.end() && met->side == s) known = met->touches ? 2 : 1;
        if (met != met_.end() && met->side == 0 && met->touches && before_[static_cast<std::size_t>(i)] == -s &&
            system_->static_limit(i) == system_->limits()[i])
          known = 1;
        int k = known;
        while (k < kTerms - 1 && std::abs(margin(i, s, k)) <= small) ++k;
        zeros(i, s) = k == kTerms - 1 ? kTerms : k;
        if (k < kTerms - 1 && margin(i, s, k) < 0 && k < level) {
          level = k;
          contact = i;
          next = -s;
        }
      }
    } else {
      const double small_slip = small * system_->delassus_diagonal(i) * phase_.length();
      int k = met != met_.end() && met->side == 0 && met->touches ? 2 : 1;
      while (k < kTerms && std::abs(phase_.slip(i, k)) <= small_slip) ++k;
      zeros(i, 0) = k;
      if (k < kTerms && phase_.mode(i) * phase_.slip(i, k) < 0 && k - 1 < level) {
        level = k - 1;
        contact = i;
        next = 0;
      }
    }
  }
  return level < kTerms;
}

bool ExactMotion::settle(bool at_start) {
  const Index m = system_->contacts();
  phase_.slip_of(state_.t, state_.u, slip_);
  std::fill(zeros_.begin(), zeros_.end(), 0);
  for (Index i = 0; i < m; ++i) {
    before_[static_cast<std::size_t>(i)] = phase_.mode(i);
    const bool met = std::any_of(met_.begin(), met_.end(), [&](const Met& e) { return e.contact == i; });
    const bool rests = met || phase_.mode(i) == 0 || std::abs(slip_[i]) <= options_->tie * fastest_;
    resting_[static_cast<std::size_t>(i)] = rests;
    if (rests) phase_.set_mode(i, 0);
  }
  phase_.factorise();
  phase_.project(state_.t, state_.u);
  phase_.force_scale(state_.t, state_.q, state_.u, scale_);
  level_ = 0;
  const long most = 1000 + 20 * static_cast<long>(m);
  for (long change = 0; change <= most; ++change) {
    phase_.expand(state_.t, state_.q, state_.u);
    Index contact = 0;
    int next = 0, level = 0;
    if (!find_violation(contact, next, level)) {
      log_changes(at_start);
      return true;
    }
    level_ = std::max(level_, level);
    phase_.set_mode(contact, next);
    phase_.factorise();
  }
  return false;
}

void ExactMotion::log_changes(bool at_start) {
  LineReport& report = run_->report;
  const long already = report.events;
  const std::size_t kept = run_->events.size();
  for (Index i = 0; i < system_->contacts(); ++i) {
    const auto n = static_cast<std::size_t>(i);
    if (!resting_[n]) continue;
    const int was = before_[n], now = phase_.mode(i);
    const bool met = std::any_of(met_.begin(), met_.end(), [&](const Met& e) { return e.contact == i; });
    const int zeros_met = now != 0 ? zeros(i, 0) - 1 : std::max(zeros(i, -1), zeros(i, 1));
    const bool at_limit = zeros_met > 1 && zeros_met < kTerms;
    if (at_limit && (met || at_start)) {
      // An ordinary release is decided by the first derivative: the slip's acceleration is zero, its next is not.
      ++report.degenerate;
      report.deepest_derivative = std::max(report.deepest_derivative, zeros_met);
    }
    if (at_start ? now == 0 || was != 0 : !met && was == now) continue;
    FrictionEvent e;
    e.t = state_.t;
    e.contact = i;
    e.slip = now;
    e.kind = was == now ? FrictionEventKind::graze
             : was == 0 ? FrictionEventKind::release
             : now == 0 ? FrictionEventKind::stop
                        : FrictionEventKind::reversal;
    e.derivative = now != 0 ? zeros(i, 0) - 1 : std::min(zeros_met, kTerms - 1);
    ++report.events;
    if (run_->events.size() < kMostKept) run_->events.push_back(e);
  }
  if (report.events - already < 2) return;
  report.ties += report.events - already;
  for (std::size_t k = kept; k < run_->events.size(); ++k) run_->events[k].tied = true;
}

double ExactMotion::find_event(double until) {
  met_.clear();
  double first = 2;
  std::array<double, kTerms> c;
  const auto look = [&](Index i, int side, int zeros, auto&& coefficient) {
    if (zeros >= kTerms) return;
    double rest = 0;
    for (int k = zeros; k < kTerms; ++k) {
      c[static_cast<std::size_t>(k - zeros)] = coefficient(k);
      if (k > zeros) rest += std::abs(c[static_cast<std::size_t>(k - zeros)]);
    }
    if (c[0] > rest) return;
    const FirstRoot root = first_root({c.data(), static_cast<std::size_t>(kTerms - zeros)});
    if (!root.found || root.at > until || root.at > first + options_->tie) return;
    met_.push_back({root.at, i, side, root.touches});
    first = std::min(first, root.at);
  };
  for (Index i = 0; i < system_->contacts(); ++i) {
    if (const int mode = phase_.mode(i); mode != 0)
      look(i, 0, zeros(i, 0), [&](int k) { return mode * phase_.slip(i, k); });
    else
      for (const int s : {-1, 1}) look(i, s, zeros(i, s), [&](int k) { return margin(i, s, k); });
  }
  std::erase_if(met_, [&](const Met& m) { return m.tau > first + options_->tie; });
  return first;
}

void ExactMotion::advance(double tau) {
  dissipated_ += phase_.dissipated_to(tau);
  input_ += phase_.input_to(tau);
  phase_.position_at(tau, state_.q);
  phase_.velocity_at(tau, state_.u);
  // Compensated: the forcing must not drift over many steps.
  const double step = tau * phase_.length() + carried_, t = state_.t + step;
  carried_ = step - (t - state_.t);
  state_.t = t;
  for (Index i = 0; i < system_->contacts(); ++i)
    if (phase_.mode(i) != 0) fastest_ = std::max(fastest_, std::abs(phase_.slip_at(i, tau)));
}

EnergyBalance ExactMotion::energy_at(double tau) {
  phase_.position_at(tau, row_q_);
  phase_.velocity_at(tau, row_u_);
  EnergyBalance e = run_->energy;
  e.kinetic = system_->kinetic_energy(row_u_);
  e.potential = system_->potential_energy(row_q_);
  e.dissipated = dissipated_at(tau);
  e.input = input_ + phase_.input_to(tau);
  return e;
}

void ExactMotion::add_row(double tau) {
  const EnergyBalance e = energy_at(tau);
  std::vector<double> row;
  row.reserve(run_->trajectory.columns.size());
  row.push_back(state_.t + tau * phase_.length());
  row.insert(row.end(), row_q_.begin(), row_q_.end());
  row.insert(row.end(), row_u_.begin(), row_u_.end());
  for (Index i = 0; i < system_->contacts(); ++i)
    row.insert(row.end(), {phase_.force_at(i, tau), phase_.mode(i) == 0 ? 0 : phase_.slip_at(i, tau),
                           static_cast<double>(phase_.mode(i) == 0 ? ContactMode::stick : ContactMode::slip)});
  row.insert(row.end(), {e.kinetic, e.potential, e.dissipated, e.input});
  run_->trajectory.rows.push_back(std::move(row));
}

}  // namespace

LineSimulation simulate_events(const LineSystem& system, const State& start, const LineEventOptions& options) {
  require_positive(options.row_step, "step");
  require_positive(options.duration, "duration");
  if (options.duration * system.rate_bound() > 1e9)
    throw InvalidInput(
        fmt::format("duration {:g} s is more than 1e9 over the fastest rate, {:g} 1/s, of the system; take "
                    "a shorter duration or a softer system",
                    options.duration, system.rate_bound()));
  if (!(options.cycle >= 0)) throw InvalidInput("cycle must be a positive time, or 0 for the period of the forcing");
  if (!(options.tie >= 0 && options.tie < 1e-3)) throw InvalidInput("tie must be from 0 to 1e-3");
  check_start(system, start);
  const auto began = std::chrono::steady_clock::now();
  LineSimulation run;
  LineReport& report = run.report;
  report.integrator = "event-driven";
  report.law = "coulomb";
  report.options.step = options.row_step;
  report.options.duration = options.duration;
  report.why = "duration";
  report.finished = true;
  run.trajectory.columns = trajectory_columns(system);
  run.energy.initial = system.kinetic_energy(start.u) + system.potential_energy(start.q);

  ExactMotion motion(system, start, options, run);
  const auto no_motion = [&] {
    report.why = fmt::format("no consistent motion was found after the event at t = {:.12g}", motion.state().t);
    report.finished = false;
  };
  bool ready = motion.settle(true);
  if (ready) motion.add_row(0);
  if (!ready) no_motion();

  const double end = start.t + options.duration, cycle = options.cycle > 0 ? options.cycle : system.period();
  const double none = std::numeric_limits<double>::infinity();
  const auto rows = static_cast<long>(std::ceil(options.duration / options.row_step - 1e-9));
  long row = 1;
  double at_last_cycle = 0;
  const auto row_time = [&] { return std::min(end, start.t + static_cast<double>(row) * options.row_step); };
  const auto cycle_time = [&] {
    return cycle > 0 ? start.t + cycle * static_cast<double>(run.cycle_dissipation.size() + 1) : none;
  };
  const double rounding = 1e-13 * (std::abs(start.t) + options.duration);
  bool stuck = motion.all_stick(), go_on = report.finished;
  if (stuck) run.stop_time = start.t;
  double left = end - motion.state().t;
  while (go_on && left > rounding && !(stuck && options.until_stick)) {
    if (!ready) motion.expand();
    const double t = motion.state().t, h = motion.length(), last = std::min(1.0, left / h);
    const double event = motion.find_event(last), tau = std::min(event, last), reached = t + tau * h;
    for (; row <= rows && row_time() <= reached + rounding; ++row) {
      motion.add_row(std::clamp((row_time() - t) / h, 0.0, 1.0));
      if (!options.progress || options.progress(row_time() - start.t, options.duration)) continue;
      report.why = "ended by the caller";
      go_on = false;
      break;
    }
    while (cycle_time() <= reached + rounding) {
      const double dissipated = motion.dissipated_at(std::clamp((cycle_time() - t) / h, 0.0, 1.0));
      run.cycle_dissipation.push_back(dissipated - at_last_cycle);
      at_last_cycle = dissipated;
    }
    if (stuck) run.stick_time += tau * h;
    motion.advance(tau);
    ++report.steps;
    left = end - motion.state().t;
    ready = false;
    if (event <= last) {
      ready = motion.settle(false);
      if (!ready) {
        no_motion();
        break;
      }
      const bool now = motion.all_stick();
      if (now && !stuck) run.stop_time = motion.state().t;
      if (!now) run.stop_time.reset();
      stuck = now;
      if (report.events > options.max_events) {
        report.why = fmt::format("more than {} events at t = {:.12g}", options.max_events, motion.state().t);
        report.finished = false;
        break;
      }
    }
  }
  if (report.finished && stuck && options.until_stick) report.why = "every contact sticks";
  if (!ready && report.finished) motion.expand();
  run.end = motion.state();
  run.energy = motion.energy_at(0);
  if (run.trajectory.rows.empty() || run.trajectory.rows.back()[0] < run.end.t - rounding) motion.add_row(0);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

}  // namespace slipset
