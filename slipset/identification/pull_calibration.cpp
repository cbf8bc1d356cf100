#include "slipset/identification/pull_calibration.hpp"

#include <ceres/ceres.h>
#include <fmt/format.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/quiet_solve.hpp"

namespace slipset {
namespace {

// φ as a function of x = log r.
template <class T>
T model(double alpha, const T& x) {
  using std::atan2, std::exp;
  const double s = std::sin(alpha), c = std::cos(alpha);
  const T square = exp(2.0 * x);
  return atan2((1.0 - square) * (s * c), square * (c * c) + s * s);
}

struct Residual {
  PullAngle point;
  template <class T>
  bool operator()(const T* x, T* residual) const {
    residual[0] = model(point.alpha, x[0]) - point.phi;
    return true;
  }
};

double sum_of_squares(std::span<const PullAngle> data, double x) {
  double sum = 0;
  for (const PullAngle& p : data) sum += std::pow(model(p.alpha, x) - p.phi, 2);
  return sum;
}

constexpr double kLargestLogarithm = 7.5;  // of the ratio: 1800

struct Range {
  double low, high;
};
// Where the sum of squares is at most `limit`, about x; empty if it is so up to the largest ratios, or again further
// away.
std::optional<Range> range_below(std::span<const PullAngle> data, double x, double limit) {
  constexpr double kStep = 0.025;
  const auto end = [&](double sign) -> std::optional<double> {
    double in = x, out = NAN;
    for (double y = x + sign * kStep; std::abs(y) < kLargestLogarithm; y += sign * kStep) {
      const bool inside = sum_of_squares(data, y) <= limit;
      if (inside && !std::isnan(out)) return std::nullopt;
      if (inside) in = y;
      if (!inside && std::isnan(out)) out = y;
    }
    if (std::isnan(out)) return std::nullopt;
    for (int i = 0; i < 50; ++i) {
      const double middle = (in + out) / 2;
      (sum_of_squares(data, middle) <= limit ? in : out) = middle;
    }
    return in;
  };
  const std::optional<double> low = end(-1), high = end(1);
  return low && high ? std::optional(Range{*low, *high}) : std::nullopt;
}

void check(std::span<const PullAngle> data) {
  if (data.empty()) throw InvalidInput("no points (alpha, phi) to fit");
  for (std::size_t i = 0; i < data.size(); ++i)
    if (!std::isfinite(data[i].alpha) || !(std::abs(data[i].phi) < kPi / 2))
      throw InvalidInput(
          fmt::format("point {}: found alpha = {:.6g}, phi = {:.6g} degrees; phi must be between -90 and 90", i + 1,
                      degrees(data[i].alpha), degrees(data[i].phi)));
}

}  // namespace

double friction_from_forces(double force, double force_without_block, double normal_force) {
  require_positive(normal_force, "normal force");
  require_finite(force, "force");
  require_finite(force_without_block, "force without the block");
  return (force - force_without_block) / normal_force;
}

double modelled_pull_angle(double alpha, double ratio) {
  require_positive(ratio, "ratio of the eigenvalues");
  require_finite(alpha, "orientation of the surface");
  return model(alpha, std::log(ratio));
}

double ratio_from_maximum(double largest_angle) {
  if (!(std::abs(largest_angle) < kPi / 2)) throw InvalidInput("the largest angle must be between -90 and 90 degrees");
  const double t = std::tan(largest_angle), root = std::hypot(t, 1.0);
  return t > 0 ? 1 / (t + root) : root - t;
}

double stiffness_ratio(double ratio, double friction_1, double friction_2) {
  require_positive(ratio, "ratio of the eigenvalues");
  require_positive(friction_1, "friction coefficient along the first axis");
  require_positive(friction_2, "friction coefficient along the second axis");
  return friction_2 / friction_1 * ratio;
}

std::optional<double> ratio_by_published_formula(std::span<const PullAngle> data) {
  double above = 0, below = 0;
  for (const PullAngle& p : data) {
    if (std::abs(std::sin(p.alpha)) < 1e-9) continue;             // its weight is infinite, and it has no information
    const double b = 1 / std::tan(p.alpha), f = std::tan(p.phi);  // tan β, β = π/2 - α
    above += b * (1 + b * b) * (b - f);
    below += b * (1 + b * b) * (b + f);
  }
  const double square = above / below;
  return square > 0 && std::isfinite(square) ? std::optional(std::sqrt(square)) : std::nullopt;
}

namespace {

PullCalibration fit_ratio(std::span<const PullAngle> data) {
  check(data);
  PullCalibration result;
  result.points = data.size();
  double largest = 0, telling = 0;
  for (const PullAngle& p : data) {
    if (std::abs(p.phi) > std::abs(largest)) largest = std::copysign(1, std::sin(2 * p.alpha)) * p.phi;
    telling = std::max(telling, std::abs(std::sin(2 * p.alpha)));
  }
  if (telling < 1e-9) {
    result.why =
        "every orientation is 0 or 90 degrees, where the model's angle is zero for every ratio: not identifiable from "
        "these data; measure at angles in between";
    return result;
  }
  result.by_maximum = ratio_from_maximum(largest);
  result.by_published_formula = ratio_by_published_formula(data);
  // A look at the whole range of r first, so that the fit starts in the deepest valley.
  double x = 0, least = INFINITY;
  for (int k = -280; k <= 280; ++k) {
    const double sum = sum_of_squares(data, 0.025 * k);
    if (sum < least) {
      least = sum;
      x = 0.025 * k;
    }
  }
  ceres::Problem problem;
  for (const PullAngle& p : data)
    problem.AddResidualBlock(new ceres::AutoDiffCostFunction<Residual, 1, 1>(new Residual{p}), nullptr, &x);
  ceres::Solver::Options options;
  options.function_tolerance = options.gradient_tolerance = options.parameter_tolerance = 1e-15;
  options.max_num_iterations = 100;
  options.logging_type = ceres::SILENT;
  options.minimizer_progress_to_stdout = false;
  ceres::Solver::Summary summary;
  internal::quiet_solve(options, problem, summary);
  result.iterations = static_cast<int>(summary.iterations.size());
  result.converged = summary.termination_type == ceres::CONVERGENCE;
  if (!(std::abs(x) < kLargestLogarithm)) {
    result.why = "the sum of squares falls towards a ratio of zero or infinity: it is not identifiable from these data";
    return result;
  }
  result.identifiable = true;
  result.ratio = std::exp(x);
  result.rms = std::sqrt(sum_of_squares(data, x) / static_cast<double>(data.size()));
  result.why = "angles determine only the ratio lambda1/lambda2 = (eps1/eps2)(mu1/mu2); neither stiffness by itself";
  if (data.size() < 2) {
    result.why += "; one point has no interval: measure more";
    return result;
  }

  const double freedom = static_cast<double>(data.size() - 1);
  const double t = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  const std::optional<Range> range = range_below(data, x, sum_of_squares(data, x) * (1 + t * t / freedom));
  if (!range) {
    PullCalibration nothing;
    nothing.points = result.points;
    nothing.iterations = result.iterations;
    nothing.converged = result.converged;
    nothing.by_maximum = result.by_maximum;
    nothing.by_published_formula = result.by_published_formula;
    nothing.why = "ratios that differ by any factor fit as well within the scatter: not determined by these data";
    return nothing;
  }
  result.low = std::exp(range->low);
  result.high = std::exp(range->high);
  ceres::Covariance covariance{ceres::Covariance::Options()};
  double unit_variance = 0;
  const std::vector<const double*> parameters{&x};
  if (!covariance.Compute(parameters, &problem) || !covariance.GetCovarianceBlock(&x, &x, &unit_variance))
    return result;
  const double deviation = std::sqrt(unit_variance * sum_of_squares(data, x) / freedom);  // of log r
  result.sigma = *result.ratio * deviation;
  return result;
}

}  // namespace

PullCalibration calibrate_pull(std::span<const PullAngle> data, const std::optional<Vec2>& friction) {
  PullCalibration result = fit_ratio(data);
  if (!friction) return result;
  const double per_ratio = stiffness_ratio(1, friction->x(), friction->y());  // refuses what is not positive
  if (result.ratio) result.stiffness_ratio = per_ratio * *result.ratio;
  return result;
}

}  // namespace slipset
