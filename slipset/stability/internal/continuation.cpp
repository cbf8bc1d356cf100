#include "slipset/stability/internal/continuation.hpp"

#include <algorithm>
#include <cmath>

namespace slipset::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd scaled(const CurveOptions& o, const CurvePoint& at) {
  VectorXd z(at.y.size() + 1);
  z << at.y / o.y_size, at.p / o.p_size;
  return z;
}

CurvePoint unscaled(const CurveOptions& o, const VectorXd& z) {
  const Index m = z.size() - 1;
  return {o.y_size * z.head(m), o.p_size * z[m], {}};
}

// ∂r/∂z, over r_size.
bool slope_of(const CurveProblem& problem, const CurveOptions& o, const CurvePoint& at, MatrixXd& slope) {
  const Index m = at.y.size();
  MatrixXd by_y(m, m);
  if (!problem.derivative(at.y, at.p, by_y)) return false;
  const double h = 1e-5 * o.p_size;
  VectorXd ahead(m), behind(m);
  const bool up = problem.residual(at.y, at.p + h, ahead), down = problem.residual(at.y, at.p - h, behind);
  if (!up && !down) return false;
  double width = 2 * h;
  if (!up || !down) {  // at the edge of what has an answer
    if (!problem.residual(at.y, at.p, up ? behind : ahead)) return false;
    width = h;
  }
  slope.resize(m, m + 1);
  slope << by_y * (o.y_size / o.r_size), (ahead - behind) / width * (o.p_size / o.r_size);
  return slope.allFinite();
}

}  // namespace

std::optional<CurvePoint> correct(const CurveProblem& problem, const CurveOptions& o, const CurvePoint& predicted,
                                  const VectorXd& direction) {
  const VectorXd start = scaled(o, predicted);
  const Index m = start.size() - 1;
  VectorXd z = start, r(m);
  MatrixXd slope, square(m + 1, m + 1);
  double last = INFINITY;
  FullLu lu;
  for (int i = 0; i < o.max_iterations; ++i) {
    CurvePoint at = unscaled(o, z);
    if (!problem.residual(at.y, at.p, r) || !r.allFinite()) return std::nullopt;
    VectorXd right(m + 1);
    right << r / o.r_size, direction.dot(z - start);
    if (i == 0 || right.norm() > 0.1 * last) {  // a derivative serves as long as it gains a digit a step
      if (!slope_of(problem, o, at, slope)) return std::nullopt;
      square << slope, direction.transpose();
      lu.compute(square);
      if (!lu.invertible()) return std::nullopt;
    }
    const VectorXd step = lu.solve(right);
    const double error = std::max(right.norm(), step.norm());
    if (error < o.tolerance || (error < o.loosest && error > 0.3 * last)) {
      at.tangent = lu.solve(VectorXd(VectorXd::Unit(m + 1, m))).normalized();
      if (at.tangent.dot(direction) < 0) at.tangent = -at.tangent;
      return at;
    }
    if (error > 2 * last) return std::nullopt;
    last = error;
    z -= step;
  }
  return std::nullopt;
}

std::optional<CurvePoint> step_along(const CurveProblem& problem, const CurveOptions& o, const CurvePoint& from,
                                     double s) {
  return correct(problem, o, unscaled(o, scaled(o, from) + s * from.tangent), from.tangent);
}

std::optional<CurvePoint> locate(const CurveProblem& problem, const CurveOptions& o, const CurvePoint& a,
                                 const CurvePoint& b, const std::function<std::optional<double>(const CurvePoint&)>& g,
                                 double accuracy) {
  const VectorXd za = scaled(o, a), zb = scaled(o, b), direction = (zb - za).normalized();
  std::optional<double> ga = g(a), gb = g(b);
  if (!ga || !gb || !(*ga * *gb < 0)) return std::nullopt;
  double lo = 0, hi = 1, at_lo = *ga, at_hi = *gb;
  std::optional<CurvePoint> found;
  int side = 0;
  for (int i = 0; i < 40 && hi - lo > 1e-9; ++i) {
    const double s =
        std::clamp((lo * at_hi - hi * at_lo) / (at_hi - at_lo), lo + 0.01 * (hi - lo), hi - 0.01 * (hi - lo));
    const std::optional<CurvePoint> next = correct(problem, o, unscaled(o, za + s * (zb - za)), direction);
    if (!next) return found;
    const double moved = found ? std::abs(next->p - found->p) / o.p_size : INFINITY;
    found = next;
    const std::optional<double> value = g(*next);
    if (!value) return found;
    if (*value == 0 || moved < accuracy) return found;
    if ((*value > 0) == (at_lo > 0)) {
      lo = s;
      at_lo = *value;
      if (side == -1) at_hi /= 2;
      side = -1;
    } else {
      hi = s;
      at_hi = *value;
      if (side == 1) at_lo /= 2;
      side = 1;
    }
  }
  return found;
}

}  // namespace slipset::internal
