#include "slipset/stability/internal/shooting.hpp"

#include <algorithm>

#include "slipset/motion/integrators/integrator.hpp"

namespace slipset::internal {

using Index = Eigen::Index;

namespace {

// Extremes of each coordinate over the rows, refined by the cubic through positions and velocities.
void add_extremes(const Table& table, Index n, Cycle& cycle) {
  cycle.smallest = VectorX::Constant(n, INFINITY);
  cycle.largest = VectorX::Constant(n, -INFINITY);
  for (Index k = 0; k < n; ++k) {
    const auto q = static_cast<std::size_t>(1 + k), u = static_cast<std::size_t>(1 + n + k);
    for (std::size_t i = 0; i < table.rows().size(); ++i) {
      const auto& row = table.rows()[i];
      const auto take = [&](double value) {
        cycle.smallest[k] = std::min(cycle.smallest[k], value);
        cycle.largest[k] = std::max(cycle.largest[k], value);
      };
      take(row[q]);
      if (i == 0 || !(table.rows()[i - 1][u] * row[u] < 0)) continue;
      const auto& before = table.rows()[i - 1];
      const double h = row[0] - before[0], d = row[q] - before[q], a = h * before[u], b = h * row[u];
      const auto slope = [&](double s) { return a + s * (6 * d - 4 * a - 2 * b + s * (3 * (a + b) - 6 * d)); };
      double lo = 0, hi = 1;
      for (int j = 0; j < 60; ++j) {
        const double middle = 0.5 * (lo + hi);
        (slope(middle) * a > 0 ? lo : hi) = middle;
      }
      take(before[q] + lo * (a + lo * (3 * d - 2 * a - b + lo * (a + b - 2 * d))));
    }
  }
}

}  // namespace

Run flow(const System& system, const VectorX& x, double time, double row_step) {
  const Index n = system.dofs();
  return simulate(system, State{0, x.head(n), x.tail(n)}, EventDriven{.row_step = row_step}, {.duration = time});
}

VectorX end_of(const Run& run) {
  VectorX x(run.end.q.size() * 2);
  x << run.end.q, run.end.u;
  return x;
}

MatrixX monodromy(const System& system, const VectorX& x, double time, double size) {
  MatrixX m(x.size(), x.size());
  const double h = 1e-5 * size;
  for (Index k = 0; k < x.size(); ++k) {
    const VectorX e = h * VectorX::Unit(x.size(), k);
    m.col(k) = (end_of(flow(system, x + e, time, time)) - end_of(flow(system, x - e, time, time))) / (2 * h);
  }
  return m;
}

VectorX velocity_at(const System& system, const VectorX& x, double period) {
  const double h = 1e-6 * period;
  return (end_of(flow(system, x, h, h)) - x) / h;
}

Cycle cycle_through(const System& system, const VectorX& x, double period, const MatrixX& turn, int rows) {
  const Index n = system.dofs();
  const Run once = flow(system, x, period, period / rows);
  Cycle cycle;
  cycle.found = true;
  cycle.period = period;
  cycle.stick_time = once.stick_time;
  cycle.at = State{0, x.head(n), x.tail(n)};
  cycle.rows = once.table;
  add_extremes(once.table, n, cycle);
  // Without the multiplier of the motion itself, the one next to 1, and without those that are zero to the differences.
  const Eigen::VectorXcd all = eigenvalues(turn);
  Index own = 0;
  (all.array() - 1.0).abs().minCoeff(&own);
  for (Index k = 0; k < all.size(); ++k)
    if (k != own && std::abs(all[k]) > 1e-5) cycle.multipliers.push_back(all[k]);
  std::sort(cycle.multipliers.begin(), cycle.multipliers.end(),
            [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return cycle;
}

}  // namespace slipset::internal
