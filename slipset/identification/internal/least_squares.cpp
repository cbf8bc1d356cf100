#include "slipset/identification/internal/least_squares.hpp"

#include <ceres/ceres.h>
#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>

namespace slipset::internal {
namespace {

class DifferenceCost : public ceres::CostFunction {
 public:
  DifferenceCost(const ResidualFunction& f, Eigen::Index parameters, Eigen::Index count, const Eigen::VectorXd& scale)
      : f_(f), parameters_(parameters), count_(count), scale_(scale) {
    set_num_residuals(static_cast<int>(count));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(parameters));
  }
  bool Evaluate(double const* const* blocks, double* residuals, double** jacobians) const override {
    const Eigen::VectorXd x = Eigen::VectorXd::Map(blocks[0], parameters_);
    Eigen::VectorXd here(count_);
    if (!f_(x, here) || !here.allFinite()) return false;
    Eigen::VectorXd::Map(residuals, count_) = here;
    if (jacobians == nullptr || jacobians[0] == nullptr) return true;
    Eigen::MatrixXd jacobian;
    if (!differences(x, jacobian)) return false;
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(jacobians[0], count_,
                                                                                       parameters_) = jacobian;
    return true;
  }
  bool differences(const Eigen::VectorXd& x, Eigen::MatrixXd& jacobian) const {
    jacobian.resize(count_, parameters_);
    Eigen::VectorXd above(count_), below(count_);
    for (Eigen::Index k = 0; k < parameters_; ++k) {
      Eigen::VectorXd moved = x;
      const double step = 1e-4 * scale_[k];
      moved[k] = x[k] + step;
      if (!f_(moved, above)) return false;
      moved[k] = x[k] - step;
      if (!f_(moved, below)) return false;
      jacobian.col(k) = (above - below) / (2 * step);
    }
    return jacobian.allFinite();
  }

 private:
  const ResidualFunction& f_;
  Eigen::Index parameters_, count_;
  const Eigen::VectorXd& scale_;
};

// Told, one after the other: parameters are dropped, the worst first, until the rest has deviations below the limit.
void covariance_of(LeastSquares& result, const LeastSquaresOptions& options, const std::vector<std::string>& names,
                   double limit) {
  const Eigen::Index n = result.parameters.size();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < n; ++k) kept.push_back(k);
  result.identified.assign(static_cast<std::size_t>(n), true);
  result.why.assign(static_cast<std::size_t>(n), "");
  result.covariance = Eigen::MatrixXd::Constant(n, n, std::nan(""));
  const double variance = std::max(result.rms * result.rms, 1e-300);
  while (!kept.empty()) {
    Eigen::MatrixXd j(result.jacobian.rows(), static_cast<Eigen::Index>(kept.size()));
    for (std::size_t k = 0; k < kept.size(); ++k)
      j.col(static_cast<Eigen::Index>(k)) = result.jacobian.col(kept[k]) * options.scale[kept[k]];
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(j, Eigen::ComputeThinV);
    const Eigen::VectorXd& s = svd.singularValues();
    const double floor = 1e-11 * s[0];
    const Eigen::MatrixXd inverse = svd.matrixV() *
                                    s.cwiseMax(std::max(floor, 1e-300)).cwiseAbs2().cwiseInverse().asDiagonal() *
                                    svd.matrixV().transpose();
    Eigen::Index worst = 0;
    const double largest = inverse.diagonal().maxCoeff(&worst) * variance;
    const bool singular = s[s.size() - 1] <= floor;
    if (largest <= limit * limit && !singular) {
      for (std::size_t a = 0; a < kept.size(); ++a)
        for (std::size_t b = 0; b < kept.size(); ++b)
          result.covariance(kept[a], kept[b]) = variance *
                                                inverse(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) *
                                                options.scale[kept[a]] * options.scale[kept[b]];
      return;
    }
    // With whom it can be exchanged: the direction of the smallest singular value.
    const Eigen::VectorXd weak = svd.matrixV().col(s.size() - 1).cwiseAbs();
    if (singular) weak.maxCoeff(&worst);
    std::string with;
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (static_cast<Eigen::Index>(k) != worst && weak[static_cast<Eigen::Index>(k)] > 0.3)
        with += (with.empty() ? "" : ", ") + names[static_cast<std::size_t>(kept[k])];
    const auto dropped = static_cast<std::size_t>(kept[static_cast<std::size_t>(worst)]);
    result.identified[dropped] = false;
    result.why[dropped] =
        with.empty() ? "the data do not depend on it" : fmt::format("a change of it can be compensated by {}", with);
    kept.erase(kept.begin() + worst);
  }
}

}  // namespace

LeastSquares solve_least_squares(const ResidualFunction& residuals, const Eigen::VectorXd& start, Eigen::Index count,
                                 const LeastSquaresOptions& options, const std::vector<std::string>& names,
                                 double limit) {
  LeastSquares result;
  result.parameters = start;
  const Eigen::Index n = start.size();
  auto* const cost = new DifferenceCost(residuals, n, count, options.scale);
  ceres::Problem problem;
  problem.AddResidualBlock(cost, options.robust > 0 ? new ceres::HuberLoss(options.robust) : nullptr,
                           result.parameters.data());
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::DENSE_QR;
  solver.function_tolerance = 1e-14;
  solver.parameter_tolerance = 1e-12;
  solver.gradient_tolerance = 1e-16;
  solver.max_num_iterations = options.max_iterations;
  solver.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  ceres::Solve(solver, &problem, &summary);
  result.iterations = static_cast<int>(summary.iterations.size());
  result.residuals.resize(count);
  result.converged = summary.IsSolutionUsable() && residuals(result.parameters, result.residuals) &&
                     cost->differences(result.parameters, result.jacobian);
  if (!result.converged) {
    result.identified.assign(static_cast<std::size_t>(n), false);
    result.why.assign(static_cast<std::size_t>(n), "the fit did not converge");
    return result;
  }
  result.freedom = std::max(1.0, static_cast<double>(count - n));
  result.rms = std::sqrt(result.residuals.squaredNorm() / result.freedom);
  covariance_of(result, options, names, limit);
  return result;
}

}  // namespace slipset::internal
