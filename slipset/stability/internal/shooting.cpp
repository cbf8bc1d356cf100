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

// How many directions of motion the contacts hold while all of them stick.
Index constraints_of_stick(const System& system, const State& at) {
  SystemAt here = sized_for(system);
  system.evaluate(at.t, at.q, at.u, here);
  MatrixX w(system.dofs(), 2 * static_cast<Index>(here.contacts.size()));
  for (std::size_t i = 0; i < here.contacts.size(); ++i)
    w.middleCols<2>(2 * static_cast<Index>(i)) = here.contacts[i].tangents;
  const SymmetricEigen eigen(w * w.transpose());
  const double largest = eigen.values().maxCoeff();
  return (eigen.values().array() > 1e-10 * largest).count();
}

// Largest first, without the motion's own, the one next to 1. Where two are next to it, rounding may make them a pair of
// complex ones, whose product is theirs: the other one is real.
std::vector<std::complex<double>> multipliers_of(const MatrixX& turn) {
  Eigen::VectorXcd all = eigenvalues(turn);
  Index own = 0;
  (all.array() - 1.0).abs().minCoeff(&own);
  if (all[own].imag() != 0) {
    Index other = 0;
    (all.array() - std::conj(all[own])).abs().minCoeff(&other);
    all[other] = std::norm(all[own]);
  }
  std::vector<std::complex<double>> others;
  for (Index k = 0; k < all.size(); ++k)
    if (k != own) others.push_back(all[k]);
  std::sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return others;
}

}  // namespace

State Flow::state(const VectorX& x) const {
  const Index n = system.dofs();
  return {0, x.head(n), x.tail(n) / unit_time};
}

VectorX Flow::of(const State& s) const {
  VectorX x(s.q.size() + s.u.size());
  x << s.q, unit_time * s.u;
  return x;
}

Run Flow::run(const VectorX& x, double time, double row_step) const {
  RunOptions options{.duration = time};
  if (go_on) options.progress = [this](double, double) { return go_on(); };
  Run run = simulate(system, state(x), EventDriven{.row_step = row_step}, options);
  if (run.report.status == RunStatus::stopped) throw InvalidInput("cycle: stopped");
  return run;
}

MatrixX Flow::monodromy(const VectorX& x, double time, double size) const {
  const auto [ahead, behind] = one_sided(x, time, size);
  return (ahead + behind) / 2;
}

std::pair<MatrixX, MatrixX> Flow::one_sided(const VectorX& x, double time, double size) const {
  MatrixX ahead(x.size(), x.size()), behind = ahead;
  const double h = 1e-5 * size;
  const VectorX here = end(x, time);
  for (Index k = 0; k < x.size(); ++k) {
    const VectorX e = h * VectorX::Unit(x.size(), k);
    ahead.col(k) = (end(x + e, time) - here) / h;
    behind.col(k) = (here - end(x - e, time)) / h;
  }
  return {ahead, behind};
}

VectorX Flow::velocity(const VectorX& x, double period) const {
  const double h = 1e-6 * period;
  return (end(x, h) - x) / h;
}

Cycle Flow::cycle_through(const VectorX& x, double period, double size, int rows) const {
  const Index n = system.dofs();
  const Run once = run(x, period, period / rows);
  Cycle cycle;
  cycle.found = true;
  cycle.period = period;
  // Beside the moment where the slip grazes zero it is below the integrator's error for about so long.
  cycle.stick_time = once.stick_time < 1e-4 * period ? 0 : once.stick_time;
  cycle.at = state(x);
  cycle.rows = once.table;
  add_extremes(once.table, n, cycle);
  cycle.multiplier_error = kShootingError;
  // In stick the velocities are those of the surfaces: as many multipliers are zero. The motion's own, next to 1, is
  // left out, too.
  Index left = 2 * n - 1;
  if (cycle.stick_time > 0) left -= constraints_of_stick(system, cycle.at);
  if (left <= 0) {
    cycle.note = "after stick every motion is the same: the multipliers are zero";
    return cycle;
  }
  // Where the slip only grazes zero, the flow has other derivatives from side to side.
  const auto [ahead, behind] = one_sided(x, period, size);
  const bool grazes = (ahead - behind).norm() > 0.01 * (ahead + behind).norm();
  cycle.multipliers = grazes ? std::max(multipliers_of(ahead), multipliers_of(behind),
                                        [](const auto& a, const auto& b) { return std::abs(a[0]) < std::abs(b[0]); })
                             : multipliers_of((ahead + behind) / 2);
  cycle.multipliers.resize(static_cast<std::size_t>(left));
  while (!cycle.multipliers.empty() && std::abs(cycle.multipliers.back()) < 1e-5)  // zero to the differences
    cycle.multipliers.pop_back();
  if (cycle.multipliers.empty()) cycle.note = "the multipliers are zero";
  if (grazes) cycle.note = "the slip grazes zero: multipliers differ from side to side, and these are the larger ones";
  return cycle;
}

}  // namespace slipset::internal
