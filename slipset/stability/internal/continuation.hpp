// A curve of solutions of r(y, p) = 0 followed in the parameter p, through folds.       docs/theory/stability.md
// In scaled unknowns z = (y/y_size, p/p_size) each step predicts along the tangent t and corrects across it:
//   r(z) = 0,   t·(z - z_predicted) = 0                                       (pseudo-arclength)            (B.10)
#pragma once

#include <functional>
#include <optional>

#include "slipset/core/dense.hpp"

namespace slipset::internal {

class CurveProblem {
 public:
  virtual ~CurveProblem() = default;
  // False: there is no answer at (y, p). No exceptions.
  virtual bool residual(const Eigen::VectorXd& y, double p, Eigen::VectorXd& r) const = 0;
  virtual bool derivative(const Eigen::VectorXd& y, double p, Eigen::MatrixXd& by_y) const = 0;
};

struct CurveOptions {
  double y_size = 1, p_size = 1;  // what counts as much as one
  double r_size = 1;              // of the residual
  double tolerance = 1e-9;        // of the residual and of Newton's last step, scaled
  double loosest = 1e-6;          // taken where Newton's method gets no better
  int max_iterations = 8;
};

struct CurvePoint {
  Eigen::VectorXd y;
  double p = 0;
  Eigen::VectorXd tangent;  // of z, unit length
};

// The solution nearest to the plane through `predicted` across `direction` (scaled, unit length). The tangent of the
// result points along `direction`. Empty if Newton's method does not settle.
std::optional<CurvePoint> correct(const CurveProblem& problem, const CurveOptions& options, const CurvePoint& predicted,
                                  const Eigen::VectorXd& direction);

// The point a step of length s (scaled) from `from` along its tangent.
std::optional<CurvePoint> step_along(const CurveProblem& problem, const CurveOptions& options, const CurvePoint& from,
                                     double s);

// The point between two neighbours at which g changes its sign (Illinois), until it moves by less than `accuracy`
// (scaled). Empty if there is none, or no answer.
std::optional<CurvePoint> locate(const CurveProblem& problem, const CurveOptions& options, const CurvePoint& a,
                                 const CurvePoint& b, const std::function<std::optional<double>(const CurvePoint&)>& g,
                                 double accuracy = 1e-11);

}  // namespace slipset::internal
