#include "slipset/identification/sliding_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/dense.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/least_squares.hpp"

namespace slipset {
namespace {

// Polynomial of this degree through the points within H of `at`, in time about `at`: coefficients of both coordinates.
struct Local {
  Eigen::MatrixX2d coefficients;
  double gain = 0;      // variance of the first coefficient (velocity) over that of a position
  double residual = 0;  // sum of squares
  double freedom = 0;
};
// At the ends of the path the window is as wide as inside, on one side.
std::optional<Local> local_fit(const SlidingPath& path, std::size_t at, double half_width, int degree) {
  const double t0 = path.time[at], slack = 1e-9 * half_width;
  const double from = std::max(path.time.front(), std::min(t0 - half_width, path.time.back() - 2 * half_width));
  const double to = std::max(from + 2 * half_width, t0 + half_width);
  std::size_t first = at, last = at;
  while (first > 0 && path.time[first - 1] >= from - slack) --first;
  while (last + 1 < path.time.size() && path.time[last + 1] <= to + slack) ++last;
  const auto rows = static_cast<Eigen::Index>(last - first + 1);
  if (rows < degree + 2) return std::nullopt;
  Eigen::MatrixXd a(rows, degree + 1);
  Eigen::MatrixX2d b(rows, 2);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = (path.time[first + static_cast<std::size_t>(i)] - t0) / half_width;
    double power = 1;
    for (int k = 0; k <= degree; ++k, power *= t) a(i, k) = power;
    b.row(i) = path.position[first + static_cast<std::size_t>(i)].transpose();
  }
  const PivotedQr qr(a);
  Local local;
  local.coefficients = qr.solve(b);
  local.residual = (a * local.coefficients - b).squaredNorm();
  local.freedom = 2 * static_cast<double>(rows - degree - 1);
  double factorial = 1, width = 1;
  const Eigen::MatrixXd inverse = inverse_of(a.transpose() * a);
  local.gain = inverse(1, 1) / (half_width * half_width);
  for (int k = 0; k <= degree; ++k) {  // derivatives
    local.coefficients.row(k) *= factorial / width;
    factorial *= k + 1;
    width *= half_width;
  }
  return local;
}

struct Motion {
  Vec2 x, v;
};

PathSummary measured_summary(const SlidingPath& path, const SmoothedPath& smooth) {
  PathSummary s;
  const Vec2 along = smooth.velocity[0].normalized();
  const Vec2 way = path.position.back() - path.position.front();
  s.end = {along.dot(way), cross(along, way)};
  s.deflection = std::atan2(s.end.y(), s.end.x());
  for (std::size_t i = 1; i < path.time.size(); ++i) s.length += (smooth.position[i] - smooth.position[i - 1]).norm();
  s.stop_time = path.time.back() - path.time.front();
  for (std::size_t i = 0; i < path.time.size(); ++i)
    if (smooth.velocity[i].norm() > 3 * smooth.end_velocity_sigma) s.stop_time = path.time[i] - path.time.front();
  return s;
}

}  // namespace

void require_valid(const SlidingPath& path) {
  if (path.time.size() < 5 || path.time.size() != path.position.size())
    throw InvalidInput(fmt::format("sliding path: {} times and {} points; expected as many of each, at least 5",
                                   path.time.size(), path.position.size()));
  for (std::size_t i = 0; i < path.time.size(); ++i) {
    if (!path.position[i].allFinite() || !std::isfinite(path.time[i]))
      throw InvalidInput(fmt::format("sliding path: row {} is not finite", i + 1));
    if (i > 0 && !(path.time[i] > path.time[i - 1]))
      throw InvalidInput(fmt::format("sliding path: the time does not increase at row {}", i + 1));
  }
}

SmoothedPath smooth_path(const SlidingPath& path, double half_width) {
  require_valid(path);
  const std::size_t n = path.time.size();
  const double duration = path.time.back() - path.time.front(), step = duration / static_cast<double>(n - 1);
  const auto tried = [&](double h) {
    SmoothedPath s;
    s.half_width = h;
    double square = 0, freedom = 0, gain = 0, end_gain = 0, third = 0;
    for (std::size_t i = 0; i < n; ++i) {
      // Near an end the window is not about its point: there a cubic, over twice the width where the path is long
      // enough.
      const double edge = std::min(path.time[i] - path.time.front(), path.time.back() - path.time[i]);
      const bool at_end = edge < h * (1 - 1e-9);
      const double wide = std::min(2 * h, duration / 2);
      auto fit = at_end ? local_fit(path, i, wide, 3) : local_fit(path, i, h, 2);
      if (at_end && fit) {
        end_gain = std::max(end_gain, fit->gain);
        if (i == 0 || i + 1 == n)
          if (const auto quartic = local_fit(path, i, wide, 4))
            s.end_velocity_bias =
                std::max(s.end_velocity_bias, (quartic->coefficients.row(1) - fit->coefficients.row(1)).norm());
      } else if (at_end) {
        fit = local_fit(path, i, h, 2);
        if (fit) end_gain = std::max(end_gain, fit->gain);
      }
      s.position.push_back(fit ? Vec2(fit->coefficients.row(0)) : path.position[i]);
      s.velocity.push_back(fit ? Vec2(fit->coefficients.row(1)) : Vec2::Zero());
      if (!fit) continue;
      square += fit->residual;
      freedom += fit->freedom;
      if (!at_end) gain = std::max(gain, fit->gain);
      const bool inside = path.time[i] - path.time.front() >= 2 * h && path.time.back() - path.time[i] >= 2 * h;
      if (const auto cubic = inside ? local_fit(path, i, 2 * h, 3) : std::nullopt)
        third = std::max(third, cubic->coefficients.row(3).norm());
    }
    s.noise = std::sqrt(square / std::max(1.0, freedom));
    s.velocity_sigma = s.noise * std::sqrt(gain);
    s.velocity_bias = h * h / 10 * third;
    s.end_velocity_sigma = s.noise * std::sqrt(end_gain);
    return s;
  };
  if (half_width > 0) return tried(std::max(half_width, 2.01 * step));
  SmoothedPath best = tried(2.01 * step);
  for (double h = 3.01 * step; h < duration / 5; h *= 1.4) {
    const SmoothedPath s = tried(h);
    if (s.velocity_bias + s.end_velocity_sigma > best.velocity_bias + best.end_velocity_sigma) break;
    best = s;
  }
  return best;
}

std::vector<Vec2> slide_positions(const FrictionLaw& law, const Vec2& velocity, std::span<const double> times,
                                  const SlideOptions& options, PathSummary* summary) {
  std::vector<Vec2> out(times.size(), Vec2::Zero());
  Motion m{Vec2::Zero(), velocity};
  const double g = options.gravity, rest = 1e-9 * velocity.norm();
  double t = 0, length = 0;
  std::size_t next = 0;
  for (; next < times.size() && times[next] <= 0; ++next) out[next] = velocity * times[next];
  while (m.v.norm() > rest) {
    const Vec2 s = slip_resistance(law, m.v);
    const double left = m.v.squaredNorm() / (g * std::max(s.dot(m.v), 1e-300));  // as if it went on like this
    const double h = options.part * left;
    const Vec2 a1 = -g * s, a2 = -g * slip_resistance(law, m.v + h / 2 * a1),
               a3 = -g * slip_resistance(law, m.v + h / 2 * a2), a4 = -g * slip_resistance(law, m.v + h * a3);
    const Vec2 v = m.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), x = m.x + h * m.v + h * h / 6 * (a1 + a2 + a3);
    const double chord = (x - m.x).norm(), turn = std::atan2(cross(m.v, v), m.v.dot(v));
    length += chord * (1 + turn * turn / 24);
    for (; next < times.size() && times[next] <= t + h; ++next) {  // Hermite
      const double u = (times[next] - t) / h, w = 1 - u;
      out[next] = m.x * (w * w * (1 + 2 * u)) + x * (u * u * (3 - 2 * u)) + h * (m.v * (u * w * w) - v * (u * u * w));
    }
    m = {x, v};
    t += h;
  }
  for (; next < times.size(); ++next) out[next] = m.x;
  if (summary != nullptr) {
    const Vec2 along = velocity.normalized();
    summary->length = length;
    summary->end = {along.dot(m.x), cross(along, m.x)};
    summary->deflection = std::atan2(summary->end.y(), summary->end.x());
    summary->stop_time = t;
  }
  return out;
}

PathComparison compare_path(const SlidingPath& path, std::span<const FrictionLaw> laws, const SlideOptions& options) {
  const SmoothedPath smooth = smooth_path(path);
  PathComparison result;
  result.start_velocity = smooth.velocity[0];
  result.measured = measured_summary(path, smooth);
  std::vector<double> times;
  for (const double t : path.time) times.push_back(t - path.time.front());
  for (const FrictionLaw& law : laws) {
    PathSummary s;
    const std::vector<Vec2> x = slide_positions(law, result.start_velocity, times, options, &s);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] + smooth.position[0] - path.position[i]).squaredNorm();
    s.rms = std::sqrt(sum / static_cast<double>(x.size()));
    result.laws.push_back(s);
  }
  return result;
}

PathFit fit_paths(std::span<const SlidingPath> paths, const PathFitOptions& options) {
  if (paths.empty()) throw InvalidInput("no sliding path to fit a law to");
  const FlowModel model = make_flow_model(options.model);
  if (!model.has_superellipse_reservoir() || !model.has_superellipse_direction())
    throw InvalidInput("a law is fitted to paths with disks, ellipses or superellipses");
  const Eigen::Index own = model.size(), count = static_cast<Eigen::Index>(paths.size());
  Eigen::Index residual_count = 0;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(own + 4 * count), scale = Eigen::VectorXd::Ones(own + 4 * count);
  std::vector<std::vector<double>> times;
  double mean_friction = 0, way = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const SlidingPath& path = paths[static_cast<std::size_t>(k)];
    const SmoothedPath smooth = smooth_path(path);
    residual_count += 2 * static_cast<Eigen::Index>(path.time.size());
    std::vector<double>& own_times = times.emplace_back();
    for (const double t : path.time) own_times.push_back(t - path.time.front());
    const double length = (path.position.back() - path.position.front()).norm();
    if (!(length > 0)) throw InvalidInput(fmt::format("sliding path {}: it does not move", k + 1));
    start.segment<2>(own + 4 * k) = smooth.velocity[0];
    start.segment<2>(own + 4 * k + 2) = path.position.front();
    scale.segment<2>(own + 4 * k).setConstant(smooth.velocity[0].norm());
    scale.segment<2>(own + 4 * k + 2).setConstant(length);
    mean_friction +=
        smooth.velocity[0].squaredNorm() / (2 * options.slide.gravity * length) / static_cast<double>(count);
    way = std::max(way, length);
  }
  std::vector<std::string> names;
  const auto named = model.parameters(start.head(own));
  for (Eigen::Index k = 0; k < own; ++k) names.push_back(fmt::format("parameter {}", k + 1));
  for (const NamedParameter& p : named) {
    names[static_cast<std::size_t>(p.index)] = p.name;
    if (p.name.starts_with("reservoir.semi_axes") || p.name == "reservoir.radius")
      start[p.index] = std::log(mean_friction);
    if (p.name.ends_with("exponent")) start[p.index] = 2.3;
    if (p.name == "direction.axis_ratio") start[p.index] = 0.1;
  }
  for (Eigen::Index k = 0; k < count; ++k)
    for (const char* what : {"start velocity x", "start velocity y", "start x", "start y"})
      names.push_back(fmt::format("{} of path {}", what, k + 1));
  const Eigen::VectorXd least = model.lower_bounds();
  const auto law_of = [&](const Eigen::VectorXd& p) -> std::optional<FrictionLaw> {
    const Eigen::VectorXd free = p.head(own).cwiseMax(least);
    if (!(free.cwiseAbs().maxCoeff() < 30)) return std::nullopt;
    try {
      return FrictionLaw(model.reservoir(free), model.direction(free));
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
  };
  const internal::ResidualFunction residuals = [&](const Eigen::VectorXd& p, Eigen::VectorXd& e) {
    const auto law = law_of(p);
    if (!law) return false;
    Eigen::Index row = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Vec2 v = p.segment<2>(own + 4 * k), x0 = p.segment<2>(own + 4 * k + 2);
      const auto& points = paths[static_cast<std::size_t>(k)].position;
      const std::vector<Vec2> x = slide_positions(*law, v, times[static_cast<std::size_t>(k)], options.slide);
      for (std::size_t i = 0; i < x.size(); ++i, row += 2) e.segment<2>(row) = x[i] + x0 - points[i];
    }
    return true;
  };
  internal::LeastSquaresOptions solver;
  solver.scale = scale;
  internal::LeastSquares fit;
  // From several angles and both ratios of D: the paths' misfit has several valleys.
  for (const double angle : {0.0, 30.0, 60.0})
    for (const double ratio : {0.2, -0.2}) {
      Eigen::VectorXd from = start;
      bool angles = false, ratios = false;
      for (const NamedParameter& p : named) {
        if (p.name.ends_with("angle")) from[p.index] = radians(angle), angles = true;
        if (p.name == "direction.axis_ratio") from[p.index] = ratio, ratios = true;
        if (p.name == "reservoir.semi_axes.1") from[p.index] += ratio / 4;
        if (p.name == "reservoir.semi_axes.2") from[p.index] -= ratio / 4;
      }
      if ((!angles && angle > 0) || (!ratios && !angles && ratio < 0)) continue;
      const internal::LeastSquares tried =
          internal::solve_least_squares(residuals, from, residual_count, solver, names);
      if (tried.converged && (!fit.converged || tried.rms < fit.rms)) fit = tried;
    }
  PathFit result;
  result.converged = fit.converged;
  if (!fit.converged) {
    result.notes.push_back("the fit did not converge from any start");
    return result;
  }
  result.iterations = fit.iterations;
  result.rms = fit.rms;
  result.law = law_of(fit.parameters);
  const double t = boost::math::quantile(boost::math::students_t(fit.freedom), 0.975);
  const auto fitted = model.parameters(fit.parameters.head(own));
  result.sensitivities.resize(2 * count, static_cast<Eigen::Index>(fitted.size()));
  Eigen::Index column = 0;
  for (const NamedParameter& p : fitted) {
    const auto k = static_cast<std::size_t>(p.index);
    PathParameter named_parameter{p.name,       p.value,           std::nullopt, std::nullopt,
                                  std::nullopt, fit.identified[k], fit.why[k]};
    if (fit.identified[k]) {
      const double deviation = std::sqrt(fit.covariance(p.index, p.index));
      named_parameter.sigma = std::abs(p.derivative) * deviation;
      named_parameter.low = p.value_of(fit.parameters[p.index] - t * deviation);
      named_parameter.high = p.value_of(fit.parameters[p.index] + t * deviation);
    } else {
      result.notes.push_back(fmt::format("{} is not identifiable from these paths: {}", p.name, fit.why[k]));
    }
    result.parameters.push_back(std::move(named_parameter));
    Eigen::Index row = 0;
    for (Eigen::Index i = 0; i < count; ++i) {
      row += 2 * static_cast<Eigen::Index>(paths[static_cast<std::size_t>(i)].time.size());
      result.sensitivities.block<2, 1>(2 * i, column) = fit.jacobian.block<2, 1>(row - 2, p.index) / p.derivative;
    }
    ++column;
  }
  for (Eigen::Index k = 0; k < count; ++k) result.start_velocities.emplace_back(fit.parameters.segment<2>(own + 4 * k));
  return result;
}

}  // namespace slipset
