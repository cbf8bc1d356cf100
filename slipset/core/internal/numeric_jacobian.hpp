// Derivatives of a smooth function by central differences, extrapolated to step 0 (Richardson's table, as Ridders).
// The steps are halved from a large one; of each component of the function, the entry of the table that changes least is
// taken: components may have different units. A linear function is done after two steps, with the rounding of a large
// step.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace slipset::internal {

// ∂f/∂x at x, one column a component of x. f(x, y) writes into y, which has `rows` numbers. `size`: how large steps may
// be where x is zero.
template <class Function>
Eigen::MatrixXd numeric_jacobian(Function&& f, const Eigen::VectorXd& x, Eigen::Index rows, double size) {
  constexpr int kLevels = 12;
  constexpr double kDone = 4e-15, kRounding = 4 * 2.3e-16;
  Eigen::MatrixXd jacobian(rows, x.size());
  Eigen::VectorXd at = x, ahead(rows), behind(rows), best(rows), noise(rows), change(rows);
  Eigen::MatrixXd table(rows, kLevels), before(rows, kLevels);  // this row of the table and the one above
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    // Powers of two, so that x ± h is exact and h is what it is said to be. A coordinate that is zero but for rounding
    // has no size of its own.
    const bool own = std::abs(x[i]) > 1e-8 * x.template lpNorm<Eigen::Infinity>();
    double h = std::exp2(std::floor(std::log2(own ? std::abs(x[i]) / 2 : size)));
    best.setConstant(INFINITY);
    for (int level = 0; level < kLevels; ++level, h /= 2) {
      at[i] = x[i] + h;
      f(at, ahead);
      const double up = at[i];
      at[i] = x[i] - h;
      f(at, behind);
      table.col(0) = (ahead - behind) / (up - at[i]);
      if (level == 0) {
        jacobian.col(i) = table.col(0);
        noise = kRounding * ahead.cwiseAbs().cwiseMax(behind.cwiseAbs()) / h;
      }
      double power = 1;
      for (int k = 1; k <= level; ++k) {
        power *= 4;
        table.col(k) = table.col(k - 1) + (table.col(k - 1) - before.col(k - 1)) / (power - 1);
        change = (table.col(k) - table.col(k - 1)).cwiseAbs().cwiseMax((table.col(k) - before.col(k - 1)).cwiseAbs());
        for (Eigen::Index r = 0; r < rows; ++r) {
          if (!(change[r] < best[r])) continue;
          best[r] = change[r];
          // Without curvature the plain difference is the better number.
          const bool straight = k == 1 && change[r] <= std::max(kDone * std::abs(table(r, 0)), noise[r]);
          jacobian(r, i) = straight ? before(r, 0) : table(r, k);
        }
      }
      if (((best.array() <= kDone * table.col(0).array().abs()) || best.array() <= noise.array()).all()) break;
      table.swap(before);
    }
    // What rounding alone can be is zero: else it could hold a body that nothing holds.
    for (Eigen::Index r = 0; r < rows; ++r)
      if (std::abs(jacobian(r, i)) <= noise[r]) jacobian(r, i) = 0;
    at[i] = x[i];
  }
  return jacobian;
}

}  // namespace slipset::internal
