#include "slipset/stability/cycle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/stability/belt_cycle.hpp"
#include "slipset/stability/internal/shooting.hpp"

namespace slipset {

using namespace internal;

namespace {

using Index = Eigen::Index;

// What a run settled to: its last rows.
struct Settled {
  State at;                           // where a cycle begins: a velocity passes zero downwards
  double period = 0;                  // guess [s]
  double size = 0;                    // of the motion, largest range of a coordinate [m]
  double whole = 0;                   // the same from the start on
  bool fades = false;                 // its last quarter is smaller than the one before
  std::optional<VectorX> last_stick;  // position
};

// Of a column between two rows.
double range_of(const Table::Rows& rows, std::size_t column, std::size_t from, std::size_t to) {
  double least = INFINITY, most = -INFINITY;
  for (std::size_t i = from; i < to; ++i) {
    least = std::min(least, rows[i][column]);
    most = std::max(most, rows[i][column]);
  }
  return most - least;
}

std::optional<Settled> settle(const System& system, const Run& transient) {
  const Table::Rows rows = transient.table.rows();
  const Index n = system.dofs();
  if (rows.size() < 8) return std::nullopt;
  const std::size_t half = rows.size() / 2;
  // The coordinate that moves most in the second half.
  Settled settled;
  std::size_t coordinate = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    double least = INFINITY, most = -INFINITY;
    for (std::size_t i = rows.size(); i-- > half;) {
      least = std::min(least, rows[i][1 + k]);
      most = std::max(most, rows[i][1 + k]);
    }
    settled.whole = std::max({settled.whole, most - rows[0][1 + k], rows[0][1 + k] - least, most, -least});
    if (most - least > settled.size) {
      settled.size = most - least;
      coordinate = k;
    }
  }
  settled.fades = range_of(rows, 1 + coordinate, 3 * rows.size() / 4, rows.size()) <
                  0.999 * range_of(rows, 1 + coordinate, half, 3 * rows.size() / 4);
  const std::size_t speed = 1 + static_cast<std::size_t>(n) + coordinate;
  std::vector<std::size_t> passes;
  for (std::size_t i = half; i < rows.size(); ++i)
    if (rows[i - 1][speed] > 0 && rows[i][speed] <= 0) passes.push_back(i);
  if (passes.size() < 3) return std::nullopt;
  // Where between two rows the velocity is zero.
  struct Pass {
    double time;
    State state;
  };
  const auto pass_at = [&](std::size_t i) {
    const double part = rows[i - 1][speed] / (rows[i - 1][speed] - rows[i][speed]);
    VectorX x(2 * n);
    for (Index k = 0; k < 2 * n; ++k) {
      const auto column = static_cast<std::size_t>(1 + k);
      x[k] = (1 - part) * rows[i - 1][column] + part * rows[i][column];
    }
    return Pass{(1 - part) * rows[i - 1][0] + part * rows[i][0], State{0, x.head(n), x.tail(n)}};
  };
  // The latest earlier pass that the motion comes back to, well or as well as it ever does.
  const Pass last = pass_at(passes.back());
  const State end = last.state;
  std::vector<double> off, period;
  for (std::size_t back = 2; back <= std::min<std::size_t>(passes.size(), 9); ++back) {
    const Pass other = pass_at(passes[passes.size() - back]);
    off.push_back((other.state.q - end.q).norm());
    period.push_back(last.time - other.time);
  }
  const double near = std::max(0.005 * settled.size, 1.3 * *std::min_element(off.begin(), off.end()));
  for (std::size_t k = 0; k < off.size(); ++k)
    if (off[k] <= near) {
      settled.period = period[k];
      break;
    }
  settled.at = end;
  const std::size_t mode = transient.table.column(system.contacts().front().name + ".mode");
  const double last_period = rows[rows.size() - 1][0] - 1.1 * settled.period;  // what stuck before does not any more
  for (std::size_t i = half; i < rows.size(); ++i)
    if (rows[i][mode] == static_cast<double>(ContactMode::stick) && rows[i][0] >= last_period) {
      settled.last_stick = VectorX(n);
      for (Index k = 0; k < n; ++k) (*settled.last_stick)[k] = rows[i][static_cast<std::size_t>(1 + k)];
    }
  return settled;
}

// Whether a motion that gets smaller is drawn to steady sliding: a fixed point of the flow for every period, without
// velocity, found by Newton's method with the period held.
bool fades_to_a_point(const Flow& flow, const Settled& settled) {
  if (!settled.fades) return false;
  VectorX x = flow.of(settled.at);
  const MatrixX one = MatrixX::Identity(x.size(), x.size());
  MatrixX turn = one;
  for (int i = 0; i < 4 && x.allFinite(); ++i) {
    // A motion that is small already is no measure for differences: beside a point the flow is smooth further out.
    turn = flow.monodromy(x, settled.period, std::max(settled.size, 1e-4 * settled.whole));
    x -= FullLu(turn - one).solve(VectorX(flow.end(x, settled.period) - x));
  }
  return x.allFinite() && eigenvalues(turn).cwiseAbs().maxCoeff() < 1 &&
         flow.unit_time * flow.velocity(x, settled.period).norm() <
             std::max(0.01 * settled.size, 1e-10 * settled.whole);  // the second: rounding
}

Cycle no_cycle_of(const Flow& flow, const Settled& settled, std::string otherwise) {
  Cycle none;
  none.dies_out = fades_to_a_point(flow, settled);
  none.why = none.dies_out ? "the motion settles on steady sliding: no cycle" : std::move(otherwise);
  return none;
}

Cycle shoot(const System& system, const CycleOptions& options, const Settled& settled,
            const std::function<bool()>& go_on) {
  const Index n = system.dofs();
  const Flow flow{system, unit_time_of(settled.period), go_on};
  Cycle cycle;
  VectorX x = flow.of(settled.at);
  double period = settled.period;
  const VectorX reference = x;
  const VectorX along = flow.unit_time * flow.velocity(x, period);
  double last = INFINITY;
  for (int i = 0;; ++i) {
    const VectorX end = flow.end(x, period), off = end - x;
    cycle.closing = off.norm() / settled.size;
    if (!std::isfinite(cycle.closing) || i == options.max_iterations) {
      const double closing = cycle.closing;
      cycle = no_cycle_of(flow, settled,
                          fmt::format("the shooting left a gap of {:.2g} of the cycle's size", cycle.closing));
      cycle.closing = closing;
      return cycle;
    }
    if (cycle.closing < options.tolerance || (cycle.closing < 1e-6 && cycle.closing > 0.5 * last)) break;
    last = cycle.closing;
    MatrixX a(2 * n + 1, 2 * n + 1);  // the last unknown is the period over τ
    a << flow.monodromy(x, period, settled.size) - MatrixX::Identity(2 * n, 2 * n),
        flow.unit_time * flow.velocity(end, period), along.transpose(), 0;
    VectorX r(2 * n + 1);
    r << off, along.dot(x - reference);
    const VectorX step = FullLu(a).solve(r);
    const double change = flow.unit_time * step[2 * n];
    const double limit = std::min(1.0, 0.3 * period / std::abs(change));
    x -= limit * step.head(2 * n);
    period -= limit * change;
  }
  const double gap = cycle.closing * settled.size;
  cycle = flow.cycle_through(x, period, settled.size, options.rows);
  const double size = (cycle.largest - cycle.smallest).maxCoeff();
  // Steady sliding is a fixed point of the flow for every period, and Newton's method may go there. What it finds is a
  // cycle if it closes to a small part of its own size: beside a focus a motion comes back to itself only as nearly as
  // the focus draws it in.
  constexpr double kPoint = 1e-4, kClosed = 1e-5;
  if (!(size >= kPoint * settled.size && gap <= kClosed * size))
    return no_cycle_of(flow, settled,
                       "the shooting left the motion and came to steady sliding; give another [initial], or a longer "
                       "[integrator] duration");
  cycle.closing = gap / size;
  cycle.why = fmt::format("by shooting with the event-driven flow, closed to {:.2g} of its size", cycle.closing);
  return cycle;
}

std::optional<Cycle> on_belt(const System& system, const Settled& settled, const std::function<bool()>& go_on) {
  BeltMotion motion{};
  std::optional<PeriodicCycle> periodic;
  try {
    motion = belt_motion_of(system);
    motion.go_on = go_on;
    periodic = periodic_belt_cycle(motion, Vec2(*settled.last_stick));
  } catch (const InvalidInput&) {
    return std::nullopt;  // of another kind
  }
  // A motion that only stops for a moment may lead to another cycle than its own. The settled period may be that of
  // several cycles.
  if (!periodic) return std::nullopt;
  const double ratio = settled.period / periodic->cycle.period();
  if (!(ratio > 0.95 && std::abs(ratio - std::round(ratio)) < 0.05)) return std::nullopt;
  const BeltCycle& c = periodic->cycle;
  Cycle cycle;
  cycle.found = true;
  cycle.why = fmt::format("as a fixed point of the map from one beginning of stick to the next, with {} cycles",
                          periodic->cycles);
  cycle.period = c.period();
  cycle.stick_time = c.stick_time;
  cycle.multipliers = {periodic->multiplier};
  cycle.multiplier_error = kReturnMapError;
  cycle.smallest = c.smallest;
  cycle.largest = c.largest;
  cycle.at = State{0, VectorX(c.stick_start), VectorX(motion.belt_velocity)};
  cycle.closing = std::abs(c.next_offset - c.offset) / (c.largest - c.smallest).norm();
  cycle.rows = c.slip.table;
  return cycle;
}

}  // namespace

CycleStability Cycle::stability() const {
  double radius = 0;
  for (const auto& m : multipliers) radius = std::max(radius, std::abs(m));
  if (!(std::abs(radius - 1) > multiplier_error)) return CycleStability::neutral;
  return radius < 1 ? CycleStability::stable : CycleStability::unstable;
}

Cycle find_cycle(const System& system, const CycleOptions& options) {
  if (system.contacts().empty()) throw InvalidInput("cycle: the system has no contact");
  Cycle none;
  bool stopped = false;
  const auto show = [&](double done, double all, const char* what) {
    stopped = stopped || (options.progress && !options.progress(done, all, what));
    return !stopped;
  };
  const auto go_on = [&] { return show(0, 0, "looking for a cycle that closes"); };
  RunOptions leading{.duration = options.duration};
  leading.progress = [&](double done, double all) { return show(done, all, "simulated seconds"); };
  const Run transient = simulate(system, options.start,
                                 Moreau{.step = options.step, .closing_distance = options.closing_distance}, leading);
  const RunReport& report = transient.report;
  // Said of every result, found or not.
  const auto with_trouble = [&](Cycle cycle) {
    if (report.not_converged > 0)
      cycle.why += fmt::format("; the contacts did not converge in {} of {} steps of the simulation before it",
                               report.not_converged, report.steps);
    return cycle;
  };
  const auto no_cycle = [&](std::string why) {
    none.why = std::move(why);
    return with_trouble(none);
  };
  if (stopped) return no_cycle("stopped");
  if (!report.finished())
    return no_cycle("the simulation that was to lead to the cycle ended early: " + report.stop_reason);
  if (report.steps < 100)
    return no_cycle(
        fmt::format("the simulation that was to lead to the cycle has {} steps; give a duration of many "
                    "periods, and a step that is a small part of one",
                    report.steps));
  const std::optional<Settled> settled = settle(system, transient);
  if (!settled)
    return no_cycle("the motion does not keep oscillating; give another [initial], or a longer [integrator] duration");
  if (settled->size < 1e-8 * settled->whole) {  // no more than the errors of the flow
    none.dies_out = true;
    return no_cycle("the motion settles on steady sliding: no cycle");
  }
  try {
    if (settled->last_stick)
      if (std::optional<Cycle> belt = on_belt(system, *settled, go_on)) return with_trouble(*belt);
    if (!stopped) return with_trouble(shoot(system, options, *settled, go_on));
  } catch (const InvalidInput&) {
    if (!stopped) throw;
  }
  return no_cycle("stopped");
}

}  // namespace slipset
