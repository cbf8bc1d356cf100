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
  std::optional<VectorX> last_stick;  // position
};

std::optional<Settled> settle(const System& system, const Run& transient) {
  const Table::Rows rows = transient.table.rows();
  const Index n = system.dofs();
  const std::size_t half = rows.size() / 2;
  // The coordinate that moves most in the second half.
  Settled settled;
  std::size_t coordinate = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k) {
    double least = INFINITY, most = -INFINITY;
    for (std::size_t i = half; i < rows.size(); ++i) {
      least = std::min(least, rows[i][1 + k]);
      most = std::max(most, rows[i][1 + k]);
    }
    if (most - least > settled.size) {
      settled.size = most - least;
      coordinate = k;
    }
  }
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
  for (std::size_t i = half; i < rows.size(); ++i)
    if (rows[i][mode] == static_cast<double>(ContactMode::stick)) {
      settled.last_stick = VectorX(n);
      for (Index k = 0; k < n; ++k) (*settled.last_stick)[k] = rows[i][static_cast<std::size_t>(1 + k)];
    }
  return settled;
}

Cycle shoot(const System& system, const CycleOptions& options, const Settled& settled) {
  const Index n = system.dofs();
  Cycle cycle;
  VectorX x(2 * n);
  x << settled.at.q, settled.at.u;
  double period = settled.period;
  const VectorX reference = x;
  const VectorX along = velocity_at(system, x, period);
  MatrixX turn;
  double last = INFINITY;
  for (int i = 0;; ++i) {
    const VectorX off = end_of(flow(system, x, period, period)) - x;
    cycle.closing = off.norm() / settled.size;
    if (!std::isfinite(cycle.closing) || i == options.max_iterations) {
      cycle.why = fmt::format("the shooting left a gap of {:.2g} of the cycle's size", cycle.closing);
      return cycle;
    }
    turn = monodromy(system, x, period, settled.size);
    if (cycle.closing < options.tolerance || (cycle.closing < 1e-6 && cycle.closing > 0.5 * last)) break;
    last = cycle.closing;
    MatrixX a(2 * n + 1, 2 * n + 1);
    const VectorX end = x + off;
    a << turn - MatrixX::Identity(2 * n, 2 * n), velocity_at(system, end, period), along.transpose(), 0;
    VectorX r(2 * n + 1);
    r << off, along.dot(x - reference);
    const VectorX step = FullLu(a).solve(r);
    const double limit = std::min(1.0, 0.3 * period / std::abs(step[2 * n]));
    x -= limit * step.head(2 * n);
    period -= limit * step[2 * n];
  }
  const double closing = cycle.closing;
  cycle = cycle_through(system, x, period, turn, options.rows);
  cycle.closing = closing;
  cycle.why = fmt::format("by shooting with the event-driven flow, closed to {:.2g} of its size", closing);
  return cycle;
}

std::optional<Cycle> on_belt(const System& system, const Settled& settled) {
  BeltMotion motion{};
  std::optional<PeriodicCycle> periodic;
  try {
    motion = belt_motion_of(system);
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
  cycle.smallest = c.smallest;
  cycle.largest = c.largest;
  cycle.at = State{0, VectorX(c.stick_start), VectorX(motion.belt_velocity)};
  cycle.closing = std::abs(c.next_offset - c.offset) / (c.largest - c.smallest).norm();
  cycle.rows = c.slip.table;
  return cycle;
}

}  // namespace

bool Cycle::is_stable() const {
  return found && std::all_of(multipliers.begin(), multipliers.end(), [](const auto& m) { return std::abs(m) < 1; });
}

Cycle find_cycle(const System& system, const CycleOptions& options) {
  if (system.contacts().empty()) throw InvalidInput("cycle: the system has no contact");
  Cycle none;
  const Run transient = simulate(system, options.start, Moreau{.step = options.step}, {.duration = options.duration});
  const RunReport& report = transient.report;
  if (!report.finished()) {
    none.why = "the simulation that was to lead to the cycle ended early: " + report.stop_reason;
    return none;
  }
  // Said of every result, found or not.
  const auto with_trouble = [&](Cycle cycle) {
    if (report.not_converged > 0)
      cycle.why += fmt::format("; the contacts did not converge in {} of {} steps of the simulation before it",
                               report.not_converged, report.steps);
    return cycle;
  };
  const std::optional<Settled> settled = settle(system, transient);
  if (!settled) {
    none.why = "the motion does not keep oscillating; give another [initial], or a longer [integrator] duration";
    return with_trouble(none);
  }
  double largest = 0;
  for (const double value : settled->at.q) largest = std::max(largest, std::abs(value));
  if (settled->size < 1e-9 * std::max(1.0, largest)) {
    none.why = "the motion settles on steady sliding: no cycle";
    return with_trouble(none);
  }
  if (settled->last_stick)
    if (std::optional<Cycle> belt = on_belt(system, *settled)) return with_trouble(*belt);
  return with_trouble(shoot(system, options, *settled));
}

}  // namespace slipset
