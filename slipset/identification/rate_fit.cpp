#include "slipset/identification/rate_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/dense.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/least_squares.hpp"
#include "slipset/identification/internal/rate_signs.hpp"
#include "slipset/identification/internal/time_holes.hpp"

namespace slipset {
namespace {

struct Curve {
  double friction, ratio, velocity, sigma2;
};

void check(std::span<const double> velocity, std::span<const double> friction, std::size_t least) {
  if (velocity.size() != friction.size() || velocity.size() < least)
    throw InvalidInput(
        fmt::format("friction over velocity: {} velocities and {} forces; expected as many of each, at least {}",
                    velocity.size(), friction.size(), least));
  double largest = 0;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    if (!std::isfinite(velocity[i]) || !std::isfinite(friction[i]))
      throw InvalidInput(fmt::format("friction over velocity: row {} is not finite", i + 1));
    largest = std::max(largest, std::abs(velocity[i]));
  }
  if (largest == 0) throw InvalidInput("friction over velocity: the velocity is zero everywhere");
}

void require_sign(std::span<const double> velocity, std::span<const double> friction) {
  double along = 0;
  for (std::size_t i = 0; i < velocity.size(); ++i)
    if (velocity[i] != 0) along += velocity[i] > 0 ? friction[i] : -friction[i];
  if (!(along > 0))
    throw InvalidInput(
        fmt::format("friction over velocity: friction must have the sign of the velocity, and over all {} samples it "
                    "has the opposite one, or none; turn the sign of one of the columns (friction=-NAME)",
                    velocity.size()),
        "columns");
}

// For each v_s of a grid the best of the other three, which enter linearly; the best of all.
Curve staged_start(std::span<const double> v, std::span<const double> f) {
  double largest = 0, smallest = INFINITY;
  for (const double x : v)
    if (x != 0) {
      largest = std::max(largest, std::abs(x));
      smallest = std::min(smallest, std::abs(x));
    }
  Curve best{1, 1, largest, 0};
  double least = INFINITY;
  const auto rows = static_cast<Eigen::Index>(v.size());
  Eigen::MatrixX3d a(rows, 3);
  const Eigen::VectorXd b = Eigen::VectorXd::Map(f.data(), rows);
  for (int k = 0; k <= 24; ++k) {
    const double vs =
        std::max(smallest, 1e-4 * largest) * std::pow(largest / std::max(smallest, 1e-4 * largest), k / 24.0);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double x = v[static_cast<std::size_t>(i)], sign = x > 0 ? 1 : x < 0 ? -1 : 0;
      a.row(i) << sign, sign * std::exp(-x * x / (vs * vs)), x;
    }
    const Eigen::Vector3d c = PivotedQr(a).solve(b);
    const double sum = (a * c - b).squaredNorm();
    if (sum < least && c[0] > 0 && c[0] + c[1] > 0) {
      least = sum;
      best = {c[0], 1 + c[1] / c[0], vs, c[2]};
    }
  }
  return best;
}

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

// Ranges of the curve's parameters: logarithms of friction, static ratio and velocity, then their neighbours by the
// caller. Below a tenth of the lowest speed and above ten times the highest the curve has no transition.
void curve_ranges(const Curve& start, std::span<const double> velocity, internal::LeastSquaresProblem& problem) {
  double smallest = INFINITY;
  for (const double x : velocity)
    if (x != 0) smallest = std::min(smallest, std::abs(x));
  problem.lower.head<3>() << std::log(start.friction / 100), std::log(0.02), std::log(smallest / 10);
  problem.upper.head<3>() << std::log(start.friction * 100), std::log(50.0), std::log(10 * largest_of(velocity));
}

// Where the data ask for it, the fit has the friction's zero offset as one more parameter.
void take_offset_off(internal::LeastSquaresProblem& problem, internal::LeastSquares& fit, double friction,
                     std::span<Eigen::VectorXd> starts, RateFit& result) {
  if (!fit.usable) return;
  internal::LeastSquaresProblem more = internal::with_offset(problem, friction);
  const auto longer = [](const Eigen::VectorXd& x) { return (Eigen::VectorXd(x.size() + 1) << x, 0).finished(); };
  internal::LeastSquares tried = internal::solve_least_squares(more, longer(fit.parameters));
  if (!internal::asks_for_offset(fit, tried, friction)) return;
  problem = std::move(more);
  fit = std::move(tried);
  for (Eigen::VectorXd& start : starts) start = longer(start);
  result.offset = fit.parameters[fit.parameters.size() - 1];
  result.notes.push_back(
      fmt::format("friction has a zero offset of {:.4g}: the two directions of slip differ by twice that; it is fitted "
                  "and no part of the law. If it is not the sensor's zero, the surface has no such law",
                  result.offset));
}

// Parameters by name: value and interval; those that are fitted as logarithms are given back as they are.
void name_parameters(const internal::LeastSquaresProblem& problem, const internal::LeastSquares& fit,
                     const std::vector<bool>& logarithm, std::span<const Eigen::VectorXd> starts, RateFit& result) {
  result.autocorrelation = internal::lag_correlation(fit.residuals);
  const std::vector<internal::ParameterInterval> intervals = internal::parameter_intervals(
      problem, fit, fit.parameters.size(), internal::inflation_of(result.autocorrelation), starts);
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    const internal::ParameterInterval& interval = intervals[k];
    const auto value_of = [&](double x) { return logarithm[k] ? std::exp(x) : x; };
    RateParameter p;
    p.name = problem.names[k];
    p.identified = interval.determined;
    p.why = interval.why;
    if (p.identified) {
      p.value = value_of(fit.parameters[static_cast<Eigen::Index>(k)]);
      p.sigma = logarithm[k] ? p.value * interval.sigma : interval.sigma;
      p.low = value_of(interval.low);
      p.high = value_of(interval.high);
    }
    result.parameters.push_back(std::move(p));
  }
  // A curve without a fall has no Stribeck velocity, whatever the fit says.
  const RateParameter& ratio = result.parameters[1];
  RateParameter& vs = result.parameters[2];
  if (ratio.low && *ratio.low <= 1 && *ratio.high >= 1 && vs.identified)
    vs = {.name = vs.name,
          .identified = false,
          .why = "friction does not differ between low and high speed, so there is no transition speed"};
  for (const RateParameter& p : result.parameters)
    if (!p.identified) result.notes.push_back(fmt::format("{} is not determined by this record: {}", p.name, p.why));
  if (result.autocorrelation > 0.5)
    result.notes.push_back(
        fmt::format("neighbouring residuals are correlated ({:.2g}): the model misses something; intervals are "
                    "widened for it, as for fewer samples",
                    result.autocorrelation));
  for (std::size_t k = 3; k < intervals.size(); ++k)
    if (problem.physical[k] &&
        fit.parameters[static_cast<Eigen::Index>(k)] <= problem.lower[static_cast<Eigen::Index>(k)])
      result.notes.push_back(fmt::format("{} is 0, the least that a law can have", problem.names[k]));
  if (const double size = std::exp(fit.parameters[0]); size > kLargestFriction)
    result.notes.push_back(
        fmt::format("friction is {:.4g} times the normal force: no dry surface has that; check the units of both, and "
                    "whether commas are decimal commas or thousands",
                    size));
  result.rms = fit.rms;
  result.iterations = fit.iterations;
  result.converged = fit.converged;
}

}  // namespace

const RateParameter& RateFit::parameter(std::string_view name) const {
  for (const RateParameter& p : parameters)
    if (p.name == name) return p;
  throw InvalidInput(fmt::format("no parameter {}", name));
}

RateFit fit_stribeck(std::span<const double> velocity, std::span<const double> measured) {
  check(velocity, measured, 8);
  const bool magnitude = internal::is_magnitude(velocity, measured);
  std::vector<double> friction(measured.begin(), measured.end());
  for (std::size_t i = 0; magnitude && i < friction.size(); ++i)
    if (velocity[i] < 0) friction[i] = -friction[i];
  require_sign(velocity, friction);
  // At rest friction is a set and says nothing about the curve.
  std::vector<double> v, f;
  for (std::size_t i = 0; i < velocity.size(); ++i)
    if (velocity[i] != 0) v.push_back(velocity[i]), f.push_back(friction[i]);
  if (v.size() < 8) throw InvalidInput("friction over velocity: fewer than 8 samples with a velocity other than zero");
  const Curve start = staged_start(v, f);
  RateFit result;
  result.magnitude = magnitude;
  if (magnitude)
    result.notes.emplace_back(
        "friction is positive in both directions of slip: it is taken as a magnitude, with the sign of the velocity");
  result.samples = result.steady = v.size();
  internal::LeastSquaresProblem problem;
  problem.residuals = [&](const Eigen::VectorXd& p, Eigen::VectorXd& e) {
    const Stribeck curve{std::exp(p[1]), std::exp(p[2]), p[3] * std::exp(-p[0])};
    for (std::size_t i = 0; i < v.size(); ++i)
      e[static_cast<Eigen::Index>(i)] = stribeck_friction(v[i], std::exp(p[0]), curve) - f[i];
    return true;
  };
  problem.count = static_cast<Eigen::Index>(v.size());
  const double viscous = start.friction / largest_of(v);
  problem.scale = Eigen::Vector4d(1, 1, 1, viscous);
  problem.lower = Eigen::VectorXd::Zero(4);
  problem.upper = Eigen::VectorXd::Constant(4, 100 * viscous);
  curve_ranges(start, v, problem);
  problem.physical = {false, false, false, true};
  problem.names = {"friction", "static", "velocity", "sigma2"};
  const Eigen::Vector4d x(std::log(start.friction), std::log(start.ratio), std::log(start.velocity),
                          std::max(0.0, start.sigma2));
  std::vector<Eigen::VectorXd> starts;  // of the profile: transitions at low, middle and high speeds
  for (const double part : {0.2, 0.5, 0.8}) {
    Eigen::VectorXd other = x;
    other[2] = problem.lower[2] + part * (problem.upper[2] - problem.lower[2]);
    starts.push_back(other);
  }
  internal::LeastSquares fit = internal::solve_least_squares(problem, x);
  if (!magnitude && internal::sides_of(v, f).both) take_offset_off(problem, fit, start.friction, starts, result);
  name_parameters(problem, fit, {true, true, true, false, false}, starts, result);
  result.friction = std::exp(fit.parameters[0]);
  result.stribeck = {std::exp(fit.parameters[1]), std::exp(fit.parameters[2]), fit.parameters[3] / result.friction};
  return result;
}

RateFit fit_lugre(std::span<const double> time, std::span<const double> velocity, std::span<const double> friction) {
  check(velocity, friction, 40);
  if (time.size() != velocity.size()) throw InvalidInput("LuGre: expected as many times as velocities");
  for (std::size_t i = 1; i < time.size(); ++i)
    if (!(time[i] > time[i - 1])) throw InvalidInput(fmt::format("LuGre: the time does not increase at row {}", i + 1));
  RateFit result;
  result.samples = time.size();
  if (std::string holes = internal::time_holes(time); !holes.empty()) result.notes.push_back(std::move(holes));
  // Stage 1: the curve, where the same direction has been kept for a while: more than a tenth of the way between
  // reversals.
  const std::size_t n = time.size();
  std::vector<double> v, f, way(n, 0.0);
  std::vector<std::size_t> reversals;
  for (std::size_t i = 1; i < n; ++i) {
    way[i] = way[i - 1] + std::abs(velocity[i] + velocity[i - 1]) / 2 * (time[i] - time[i - 1]);
    if (velocity[i] * velocity[i - 1] <= 0 && velocity[i] != velocity[i - 1]) reversals.push_back(i);
  }
  double since = 0;
  const double typical = way[n - 1] / static_cast<double>(reversals.size() + 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (next < reversals.size() && i >= reversals[next]) since = way[reversals[next++]];
    if (way[i] - since > 0.15 * typical && velocity[i] != 0) v.push_back(velocity[i]), f.push_back(friction[i]);
  }
  if (v.size() < 8) throw InvalidInput("LuGre: too few samples in steady sliding; record longer strokes");
  if (internal::is_magnitude(v, f))
    throw InvalidInput(
        "LuGre: friction is positive in both directions of slip, as a magnitude is; after a reversal its sign is not "
        "that of the velocity, so the model needs it. Record signed friction, or fit a Stribeck curve",
        "columns");
  require_sign(velocity, friction);
  result.steady = v.size();
  const Curve curve = staged_start(v, f);
  // Stage 2: σ0 from the change of force over the way after reversals: f runs from -g to g.
  double sigma0 = 0;
  std::vector<double> stiffness;
  for (const std::size_t r : reversals) {
    std::size_t end = r;
    while (end + 1 < n && std::abs(friction[end] - friction[r]) < 0.7 * curve.friction &&
           way[end] - way[r] < 0.5 * typical)
      ++end;
    if (way[end] > way[r] && end > r) stiffness.push_back(std::abs(friction[end] - friction[r]) / (way[end] - way[r]));
  }
  if (!stiffness.empty()) {
    std::nth_element(stiffness.begin(), stiffness.begin() + static_cast<std::ptrdiff_t>(stiffness.size() / 2),
                     stiffness.end());
    sigma0 = stiffness[stiffness.size() / 2];
  }
  if (!(sigma0 > 0)) sigma0 = 100 * curve.friction / std::max(typical, 1e-300);
  // Stage 3: all, and the bristles' deflection at the start.
  const double viscous = curve.friction / largest_of(velocity), z_scale = curve.friction / sigma0;
  internal::LeastSquaresProblem problem;
  problem.residuals = [&](const Eigen::VectorXd& p, Eigen::VectorXd& e) {
    const std::vector<double> force = lugre_response(time, velocity, std::exp(p[0]), {std::exp(p[1]), std::exp(p[2])},
                                                     {std::exp(p[3]), p[4], p[5]}, p[6]);
    for (std::size_t i = 0; i < n; ++i) e[static_cast<Eigen::Index>(i)] = force[i] - friction[i];
    return e.allFinite();
  };
  problem.count = static_cast<Eigen::Index>(n);
  problem.scale.resize(7);
  problem.scale << 1, 1, 1, 1, viscous, viscous, z_scale;
  problem.lower = Eigen::VectorXd::Zero(7);
  problem.upper = 100 * problem.scale;
  curve_ranges(curve, velocity, problem);
  problem.lower[3] = std::log(sigma0 / 1e4);
  problem.upper[3] = std::log(sigma0 * 1e4);
  problem.upper[4] = 1e4 * viscous;
  problem.lower[6] = -problem.upper[6];
  problem.physical = {false, false, false, false, true, true, false};
  problem.names = {"friction", "static", "velocity", "sigma0", "sigma1", "sigma2", "z0"};
  internal::LeastSquares fit;
  for (const double factor : {1.0, 4.0, 0.25}) {
    Eigen::VectorXd start(7);
    start << std::log(curve.friction), std::log(curve.ratio), std::log(curve.velocity), std::log(factor * sigma0), 0,
        std::max(0.0, curve.sigma2), friction[0] / (factor * sigma0);
    const internal::LeastSquares tried = internal::solve_least_squares(problem, start);
    if (tried.usable && (!fit.usable || tried.rms < fit.rms)) fit = tried;
  }
  if (!fit.usable) {
    result.notes.emplace_back("the joint fit did not converge; only the steady curve is given");
    result.friction = curve.friction;
    result.stribeck = {curve.ratio, curve.velocity, std::max(0.0, curve.sigma2) / curve.friction};
    return result;
  }
  if (internal::sides_of(velocity, friction).both) take_offset_off(problem, fit, curve.friction, {}, result);
  name_parameters(problem, fit, {true, true, true, true, false, false, false, false}, {}, result);
  result.friction = std::exp(fit.parameters[0]);
  result.stribeck = {std::exp(fit.parameters[1]), std::exp(fit.parameters[2])};
  result.lugre = LuGre{std::exp(fit.parameters[3]), fit.parameters[4], fit.parameters[5]};
  result.deflection = fit.parameters[6];
  return result;
}

}  // namespace slipset
