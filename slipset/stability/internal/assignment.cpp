#include "slipset/stability/internal/assignment.hpp"

#include <cmath>

namespace slipset::internal {
namespace {

using Index = Eigen::Index;

// Shortest augmenting paths with potentials (Kuhn, Munkres), for each old item in turn.
std::vector<Index> by_shortest_paths(const Eigen::MatrixXd& cost) {
  const Index n = cost.rows();
  std::vector<double> old_potential(static_cast<std::size_t>(n) + 1, 0), new_potential(old_potential);
  std::vector<Index> owner(static_cast<std::size_t>(n) + 1, 0), way(owner);  // 1-based; 0: nobody
  const auto at = [](std::vector<double>& v, Index i) -> double& { return v[static_cast<std::size_t>(i)]; };
  const auto who = [](std::vector<Index>& v, Index i) -> Index& { return v[static_cast<std::size_t>(i)]; };
  for (Index i = 1; i <= n; ++i) {
    std::vector<double> least(static_cast<std::size_t>(n) + 1, INFINITY);
    std::vector<bool> used(static_cast<std::size_t>(n) + 1, false);
    who(owner, 0) = i;
    Index column = 0;
    do {
      used[static_cast<std::size_t>(column)] = true;
      const Index row = who(owner, column);
      Index next = 0;
      double delta = INFINITY;
      for (Index j = 1; j <= n; ++j) {
        if (used[static_cast<std::size_t>(j)]) continue;
        const double reduced = cost(row - 1, j - 1) - at(old_potential, row) - at(new_potential, j);
        if (reduced < at(least, j)) {
          at(least, j) = reduced;
          who(way, j) = column;
        }
        if (at(least, j) < delta) {
          delta = at(least, j);
          next = j;
        }
      }
      for (Index j = 0; j <= n; ++j) {
        if (used[static_cast<std::size_t>(j)]) {
          at(old_potential, who(owner, j)) += delta;
          at(new_potential, j) -= delta;
        } else {
          at(least, j) -= delta;
        }
      }
      column = next;
    } while (who(owner, column) != 0);
    while (column != 0) {
      const Index before = who(way, column);
      who(owner, column) = who(owner, before);
      column = before;
    }
  }
  std::vector<Index> result(static_cast<std::size_t>(n));
  for (Index j = 1; j <= n; ++j) result[static_cast<std::size_t>(who(owner, j) - 1)] = j - 1;
  return result;
}

}  // namespace

std::vector<Eigen::Index> least_cost_assignment(const Eigen::MatrixXd& cost) {
  const Index n = cost.rows();
  // Mostly everybody's nearest is a different one: then that is the answer.
  std::vector<Index> nearest(static_cast<std::size_t>(n));
  std::vector<bool> taken(static_cast<std::size_t>(n), false);
  bool distinct = true;
  for (Index i = 0; i < n && distinct; ++i) {
    Index best = 0;
    cost.row(i).minCoeff(&best);
    distinct = cost.row(i).allFinite() && !taken[static_cast<std::size_t>(best)];
    taken[static_cast<std::size_t>(best)] = true;
    nearest[static_cast<std::size_t>(i)] = best;
  }
  if (distinct) return nearest;
  return by_shortest_paths(cost.unaryExpr([](double c) { return std::isfinite(c) ? c : 1e100; }));
}

}  // namespace slipset::internal
