// Small least-squares problems whose residuals come from a simulation, within bounds: the minimum, intervals, and which
// parameters the data determine.                                       docs/theory/identification.md
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace slipset::internal {

// parameters → residuals; false: not defined there.
using ResidualFunction = std::function<bool(const Eigen::VectorXd&, Eigen::VectorXd&)>;
// parameters → derivatives of the residuals; false: not defined there.
using JacobianFunction = std::function<bool(const Eigen::VectorXd&, Eigen::MatrixXd&)>;

struct LeastSquaresProblem {
  ResidualFunction residuals;
  Eigen::Index count = 0;        // of the residuals
  Eigen::VectorXd scale;         // typical change of each parameter
  Eigen::VectorXd lower, upper;  // where a parameter is looked for; beyond, it counts as not determined
  std::vector<bool> physical{};  // the lower bound is one of the law's own, as zero of a viscosity; empty: none is
  std::vector<std::string> names;
  JacobianFunction jacobian{};  // empty: central differences, with steps of 1e-4 of the scale
  int max_iterations = 200;
  std::function<bool()> stop{};  // asked at every iteration; true: end with what was found
};

struct LeastSquares {
  Eigen::VectorXd parameters;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;
  double rms = 0, freedom = 0;
  int iterations = 0;
  bool usable = false;     // there are residuals and derivatives at the parameters
  bool converged = false;  // to a minimum
  bool stopped = false;    // as asked for
};
LeastSquares solve_least_squares(const LeastSquaresProblem& problem, const Eigen::VectorXd& start);
// The same with one parameter held, to a relative change of the sum of squares.
LeastSquares solve_with_held(const LeastSquaresProblem& problem, const Eigen::VectorXd& start, Eigen::Index held,
                             int max_iterations, double tolerance);

// What the data say about one parameter, whatever the others are.
struct ParameterInterval {
  bool determined = false;
  double sigma = 0, low = 0, high = 0;  // 95 %; of determined parameters only
  std::string why;                      // the parameter is not determined; empty otherwise
};
// Of the first `wanted` parameters. From the covariance of all parameters, if the data determine each of them to a
// tenth of its scale. If not, the sum of squares is no parabola, and where it is flat in one parameter, the curvature
// in another says nothing (the axis ratio of a circle whose angle is free): then from the profile (I.23), the least sum
// over all other parameters, also from `starts`. A profile that stays low up to the end of the range, or is low again
// further away, does not determine its parameter. `inflation`: of the deviations, for correlated residuals.
std::vector<ParameterInterval> parameter_intervals(const LeastSquaresProblem& problem, const LeastSquares& fit,
                                                   Eigen::Index wanted, double inflation = 1,
                                                   std::span<const Eigen::VectorXd> starts = {});

// √((1 + ρ)/(1 - ρ)): residuals with correlation ρ from one to the next carry less than their number says.
double inflation_of(double correlation);

}  // namespace slipset::internal
