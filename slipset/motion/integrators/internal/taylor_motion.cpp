// The exact motion of an axial system with Coulomb friction.            docs/theory/regularized.md
// Between events every contact sticks, with its force from γ̇ = 0, or slips, with a constant force: the equations are
// linear, and the Taylor series of the motion follow from a recursion,
//   q_{k+1} = u_k/(k+1),   u_{k+1} = M⁻¹(F_k - D u_k - K q_k + W f_k)/(k+1)                              (R.10)
// Steps of 1.5 over the fastest rate with 24 terms leave less than a rounding error. Slip velocities and forces are
// then polynomials whose first root is found for sure (first_root.hpp): slip ends where γ comes to zero, stick where a
// force comes to its (static) limit. What follows an event: every contact at rest is first taken to stick. The lowest
// derivative of a force that leaves its limits, or of a slip that starts the wrong way, names a contact that changes;
// this is repeated until none is left. At each derivative that is Murty's rule for a linear complementarity problem
// with the matrix R = WᵀM⁻¹W (R.11). The cost of a step is linear in the size of the system, the number of steps grows
// with the fastest rate.
#include <fmt/format.h>

#include "slipset/motion/integrators/internal/axial_rate.hpp"
#include "slipset/motion/integrators/internal/event_motion.hpp"
#include "slipset/motion/integrators/internal/first_root.hpp"
#include "slipset/motion/integrators/internal/taylor_phase.hpp"

namespace slipset::internal {
namespace {

using Eigen::Index;
constexpr int kTerms = TaylorPhase::kTerms;
constexpr std::size_t kMostKept = 100000;

// A contact whose slip speed (side 0) or force (side ±1, the force's sign) came to its bound at τ.
struct Met {
  double tau;
  Index contact;
  int side;
  bool touches;
};

class TaylorMotion final : public EventMotion {
 public:
  TaylorMotion(const AxialSystem& system, const State& start, double tie, double duration, Run& run)
      : system_(&system), tie_(tie), run_(&run), phase_(system, duration), state_(start) {
    const auto m = static_cast<std::size_t>(system.contact_count());
    slip_ = scale_ = VectorX::Zero(system.contact_count());
    zeros_.assign(3 * m, 0);
    resting_.assign(m, 1);
    before_.assign(m, 0);
    row_q_ = start.q;
    row_u_ = start.u;
    initial_ = system.kinetic_energy(start.u) + system.potential_energy(start.t, start.q);
    phase_.slip_of(start.t, start.u, slip_);
    for (Index i = 0; i < system.contact_count(); ++i) {
      fastest_ = std::max(fastest_, std::abs(slip_[i]));
      if (slip_[i] != 0) phase_.set_mode(i, slip_[i] > 0 ? 1 : -1);
    }
    met_.reserve(2 * m);
  }

  std::vector<std::string> columns() const override { return axial_columns(*system_); }
  long default_max_events() const override { return 10000000; }
  bool rows_inside_pieces() const override { return true; }
  bool begin() override { return ready_ = settle(true); }
  const State& state() const override { return state_; }
  bool all_stick() const override {
    for (Index i = 0; i < system_->contact_count(); ++i)
      if (phase_.mode(i) != 0) return false;
    return system_->contact_count() > 0;
  }
  Piece next_piece(double until) override;
  void add_row(double t, Run& run) override;
  double dissipated(double t) override { return dissipated_ + phase_.dissipated_to(tau_of(t)); }
  void finish_piece() override { advance(end_tau_); }
  bool change_modes() override { return ready_ = settle(false); }
  EnergyBalance energy() override {
    if (!ready_) expand();
    return energy_at(0);
  }
  void complete(RunReport& report) const override { report.steps = steps_; }

 private:
  // The modes at the start, or after what find_event() found; false if none is consistent. Leaves the series ready.
  bool settle(bool at_start);
  void expand() {
    std::fill(zeros_.begin(), zeros_.end(), 0);
    phase_.project(state_.t, state_.u);
    phase_.expand(state_.t, state_.q, state_.u);
    ready_ = true;
  }
  // τ of the next event, at most `until`; above 1 if there is none.
  double find_event(double until);
  void advance(double tau);
  EnergyBalance energy_at(double tau);
  double tau_of(double t) const { return std::clamp((t - state_.t) / phase_.length(), 0.0, 1.0); }
  // Coefficient k of the distance of a force to its limit on side s.
  double margin(Index i, int s, int k) const {
    return (k == 0 ? system_->static_limit(i) : 0.0) - s * phase_.force(i, k);
  }
  int& zeros(Index i, int side) { return zeros_[static_cast<std::size_t>(3 * i + side + 1)]; }
  bool find_violation(Index& contact, int& next, int& level);
  void log_changes(bool at_start);

  const AxialSystem* system_;
  double tie_;
  Run* run_;
  TaylorPhase phase_;
  State state_;
  bool ready_ = false;  // the series are those of the state
  double end_tau_ = 0;  // of the piece
  double carried_ = 0;  // of the sum of times
  double initial_ = 0, dissipated_ = 0, input_ = 0, fastest_ = 0;
  long steps_ = 0;
  VectorX slip_, scale_, row_q_, row_u_;
  // How many leading coefficients are zero: of the slip (side 0), of the margins (sides ±1). In the step after an
  // event.
  std::vector<int> zeros_;
  std::vector<char> resting_;
  std::vector<int> before_;
  std::vector<Met> met_;
  int level_ = 0;
  std::vector<double> row_;
};

EventMotion::Piece TaylorMotion::next_piece(double until) {
  if (!ready_) expand();
  const double h = phase_.length(), last = std::min(1.0, (until - state_.t) / h), event = find_event(last);
  end_tau_ = std::min(event, last);
  return {state_.t + end_tau_ * h, event <= last};
}

// The violation of lowest derivative among the contacts at rest, the first contact among equals. On the way the number
// of leading zeros of every series.
bool TaylorMotion::find_violation(Index& contact, int& next, int& level) {
  level = kTerms;
  for (Index i = 0; i < system_->contact_count(); ++i) {
    if (!resting_[static_cast<std::size_t>(i)]) continue;
    const double small = tie_ * scale_[i];
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

bool TaylorMotion::settle(bool at_start) {
  const Index m = system_->contact_count();
  phase_.slip_of(state_.t, state_.u, slip_);
  std::fill(zeros_.begin(), zeros_.end(), 0);
  for (Index i = 0; i < m; ++i) {
    before_[static_cast<std::size_t>(i)] = phase_.mode(i);
    const bool met = std::any_of(met_.begin(), met_.end(), [&](const Met& e) { return e.contact == i; });
    const bool rests = met || phase_.mode(i) == 0 || std::abs(slip_[i]) <= tie_ * fastest_;
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

void TaylorMotion::log_changes(bool at_start) {
  RunReport& report = run_->report;
  const long already = report.events;
  const std::size_t kept = run_->events.size();
  for (Index i = 0; i < system_->contact_count(); ++i) {
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

double TaylorMotion::find_event(double until) {
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
    if (!root.found || root.at > until || root.at > first + tie_) return;
    met_.push_back({root.at, i, side, root.touches});
    first = std::min(first, root.at);
  };
  for (Index i = 0; i < system_->contact_count(); ++i) {
    if (const int mode = phase_.mode(i); mode != 0)
      look(i, 0, zeros(i, 0), [&](int k) { return mode * phase_.slip(i, k); });
    else
      for (const int s : {-1, 1}) look(i, s, zeros(i, s), [&](int k) { return margin(i, s, k); });
  }
  std::erase_if(met_, [&](const Met& m) { return m.tau > first + tie_; });
  return first;
}

void TaylorMotion::advance(double tau) {
  ++steps_;
  ready_ = false;
  dissipated_ += phase_.dissipated_to(tau);
  input_ += phase_.input_to(tau);
  phase_.position_at(tau, state_.q);
  phase_.velocity_at(tau, state_.u);
  // Compensated: the forcing must not drift over many steps.
  const double step = tau * phase_.length() + carried_, t = state_.t + step;
  carried_ = step - (t - state_.t);
  state_.t = t;
  for (Index i = 0; i < system_->contact_count(); ++i)
    if (phase_.mode(i) != 0) fastest_ = std::max(fastest_, std::abs(phase_.slip_at(i, tau)));
}

EnergyBalance TaylorMotion::energy_at(double tau) {
  phase_.position_at(tau, row_q_);
  phase_.velocity_at(tau, row_u_);
  EnergyBalance e;
  e.initial = initial_;
  e.kinetic = system_->kinetic_energy(row_u_);
  e.potential = system_->potential_energy(state_.t + tau * phase_.length(), row_q_);
  e.dissipated = dissipated_ + phase_.dissipated_to(tau);
  e.input = input_ + phase_.input_to(tau);
  return e;
}

void TaylorMotion::add_row(double t, Run& run) {
  if (!ready_) expand();
  const double tau = tau_of(t);
  const EnergyBalance e = energy_at(tau);
  row_.clear();
  row_.push_back(state_.t + tau * phase_.length());
  row_.insert(row_.end(), row_q_.begin(), row_q_.end());
  row_.insert(row_.end(), row_u_.begin(), row_u_.end());
  for (Index i = 0; i < system_->contact_count(); ++i)
    row_.insert(row_.end(), {phase_.force_at(i, tau), phase_.mode(i) == 0 ? 0 : phase_.slip_at(i, tau),
                             static_cast<double>(phase_.mode(i) == 0 ? ContactMode::stick : ContactMode::slip)});
  add_energies(e, row_);
  slipset::add_row(row_, run);
}

}  // namespace

std::unique_ptr<EventMotion> make_taylor_motion(const AxialSystem& system, const State& start,
                                                const EventDriven& options, const RunOptions& with, Run& run) {
  if (with.duration * system.rate_bound() > 1e9)
    throw InvalidInput(
        fmt::format("duration {:g} s is more than 1e9 over the fastest rate, {:g} 1/s, of the system; use a shorter "
                    "duration or a softer system",
                    with.duration, system.rate_bound()));
  return std::make_unique<TaylorMotion>(system, start, options.tie, with.duration, run);
}

}  // namespace slipset::internal
