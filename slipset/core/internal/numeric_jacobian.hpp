// Derivatives of a smooth function by central differences, extrapolated to step 0 (Richardson's table, as Ridders).
// The steps are halved from a large one; the entry of the table that changes least is taken. A linear function is done
// after two steps, with the rounding of a large step.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace slipset::internal {

// ∂f/∂x at x, one column a component of x. f(x, y) writes into y, which has `rows` numbers. `size`: how large steps may
// be where x is zero.
template <class Function>
Eigen::MatrixXd numeric_jacobian(Function&& f, const Eigen::VectorXd& x, Eigen::Index rows, double size) {
  constexpr int kLevels = 12;
  constexpr double kDone = 4e-15;
  Eigen::MatrixXd jacobian(rows, x.size());
  Eigen::VectorXd at = x, ahead(rows), behind(rows);
  Eigen::MatrixXd table(rows, kLevels), before(rows, kLevels);  // this row of the table and the one above
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    // Powers of two, so that x ± h is exact and h is what it is said to be.
    double h = std::exp2(std::floor(std::log2(x[i] != 0 ? std::abs(x[i]) / 2 : size)));
    double best = INFINITY;
    for (int level = 0; level < kLevels; ++level, h /= 2) {
      at[i] = x[i] + h;
      f(at, ahead);
      const double up = at[i];
      at[i] = x[i] - h;
      f(at, behind);
      table.col(0) = (ahead - behind) / (up - at[i]);
      if (level == 0) jacobian.col(i) = table.col(0);
      double power = 1;
      for (int k = 1; k <= level; ++k) {
        power *= 4;
        table.col(k) = table.col(k - 1) + (table.col(k - 1) - before.col(k - 1)) / (power - 1);
        const double change = std::max((table.col(k) - table.col(k - 1)).template lpNorm<Eigen::Infinity>(),
                                       (table.col(k) - before.col(k - 1)).template lpNorm<Eigen::Infinity>());
        if (change < best) {
          best = change;
          jacobian.col(i) = table.col(k);
          // Without curvature the plain difference is the better number.
          if (k == 1 && change <= kDone * table.col(0).template lpNorm<Eigen::Infinity>())
            jacobian.col(i) = before.col(0);
        }
      }
      if (best <= kDone * table.col(0).template lpNorm<Eigen::Infinity>()) break;
      table.swap(before);
    }
    at[i] = x[i];
  }
  return jacobian;
}

}  // namespace slipset::internal
