#include "slipset/identification/internal/least_squares.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace slipset::internal {
namespace {

bool derivatives(const LeastSquaresProblem& p, const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) {
  jacobian.resize(p.count, p.scale.size());
  if (p.jacobian) return p.jacobian(x, jacobian) && jacobian.allFinite();
  Eigen::VectorXd above(p.count), below(p.count);
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    Eigen::VectorXd moved = x;
    const double step = 1e-4 * p.scale[k];
    moved[k] = x[k] + step;
    if (!p.residuals(moved, above)) return false;
    moved[k] = x[k] - step;
    if (!p.residuals(moved, below)) return false;
    jacobian.col(k) = (above - below) / (2 * step);
  }
  return jacobian.allFinite();
}

Eigen::VectorXd inside(const LeastSquaresProblem& p, const Eigen::VectorXd& x, Eigen::Index held) {
  Eigen::VectorXd y = x;
  for (Eigen::Index k = 0; k < x.size(); ++k)
    if (k != held) y[k] = std::clamp(x[k], p.lower[k], p.upper[k]);
  return y;
}

}  // namespace

LeastSquares solve_least_squares(const LeastSquaresProblem& problem, const Eigen::VectorXd& start) {
  return solve_with_held(problem, start, -1, problem.max_iterations, 1e-13);
}

// Levenberg and Marquardt's method within bounds: a parameter that is pressed against its bound is left there. No step
// changes a parameter by more than its scale, since far away the model is another one.
LeastSquares solve_with_held(const LeastSquaresProblem& p, const Eigen::VectorXd& start, Eigen::Index held,
                             int max_iterations, double tolerance) {
  LeastSquares result;
  const Eigen::Index n = start.size();
  result.freedom = std::max(1.0, static_cast<double>(p.count - n));
  Eigen::VectorXd& x = result.parameters;
  x = inside(p, start, held);
  Eigen::VectorXd& e = result.residuals;
  e.resize(p.count);
  if (!p.residuals(x, e) || !e.allFinite() || !derivatives(p, x, result.jacobian)) return result;
  result.usable = true;
  double sum = e.squaredNorm(), damping = 1e-3, gain = 1;
  Eigen::VectorXd tried_e(p.count);
  for (; result.iterations < max_iterations && !result.converged; ++result.iterations) {
    result.stopped = p.stop && p.stop();
    if (result.stopped) break;
    Eigen::MatrixXd j = result.jacobian * p.scale.asDiagonal();
    const Eigen::VectorXd gradient = j.transpose() * e;
    for (Eigen::Index k = 0; k < n; ++k)
      if (k == held || (x[k] <= p.lower[k] && gradient[k] > 0) || (x[k] >= p.upper[k] && gradient[k] < 0))
        j.col(k).setZero();
    const Eigen::MatrixXd normal = j.transpose() * j;
    const Eigen::VectorXd size = normal.diagonal().cwiseMax(1e-12 * normal.diagonal().maxCoeff() + 1e-300);
    bool moved = false;
    for (int i = 0; i < 30 && !moved; ++i) {
      Eigen::VectorXd step =
          -(normal + damping * Eigen::MatrixXd(size.asDiagonal())).ldlt().solve(j.transpose() * e).eval();
      const double largest = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(largest)) break;
      if (largest > 1) step /= largest;
      const Eigen::VectorXd tried = inside(p, x + p.scale.cwiseProduct(step), held);
      const double tried_sum =
          p.residuals(tried, tried_e) && tried_e.allFinite() ? tried_e.squaredNorm() : std::nan("");
      if (tried_sum < sum) {
        moved = true;
        // Nothing is gained any more, by a step that was not cut short.
        gain = (sum - tried_sum) / sum;
        result.converged = gain <= tolerance && damping < 1;
        x = tried;
        e = tried_e;
        sum = tried_sum;
        damping = std::max(1e-12, damping / 8);
      } else {
        damping *= 5;
      }
    }
    if (!moved) result.converged = true;  // no direction leads down, to rounding
    if (moved && !derivatives(p, x, result.jacobian)) result.usable = result.converged = false;
    if (!result.usable) return result;
  }
  // A flat valley has no end that could be reached: its bottom is good enough.
  result.converged = result.converged || (gain <= 1e-5 && !result.stopped);
  result.rms = std::sqrt(sum / result.freedom);
  return result;
}

}  // namespace slipset::internal
