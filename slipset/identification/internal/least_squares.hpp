// Small least-squares problems whose residuals come from a simulation: Ceres with central differences, covariance, and
// which parameters the data determine.                                       docs/theory/identification.md
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace slipset::internal {

// parameters → residuals; false: not defined there.
using ResidualFunction = std::function<bool(const Eigen::VectorXd&, Eigen::VectorXd&)>;

struct LeastSquaresOptions {
  Eigen::VectorXd scale;  // typical change of each parameter: the step of its differences is 1e-4 of it
  double robust = 0;      // Huber's threshold on single residuals; 0: none
  int max_iterations = 60;
};

struct LeastSquares {
  Eigen::VectorXd parameters;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;
  Eigen::MatrixXd covariance;    // of the identified parameters, rows and columns of the others NaN
  std::vector<bool> identified;  // by the data
  std::vector<std::string> why;  // it is not; empty otherwise
  double rms = 0, freedom = 0;
  int iterations = 0;
  bool converged = false;
};

// `limit`: a parameter counts as identified if its standard deviation is below limit·scale.
LeastSquares solve_least_squares(const ResidualFunction& residuals, const Eigen::VectorXd& start, Eigen::Index count,
                                 const LeastSquaresOptions& options, const std::vector<std::string>& names,
                                 double limit = 1);

}  // namespace slipset::internal
