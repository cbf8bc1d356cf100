#include "slipset/identification/sliding_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/dense.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/slide.hpp"

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
  if (!(half_width >= 0 && std::isfinite(half_width)))
    throw InvalidInput(fmt::format(
        "sliding path: a window of half width {} s; expected a positive time, or 0 for one that suits", half_width));
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
  require_positive(options.gravity, "gravity");
  require_positive(options.part, "part of a step");
  require_positive(options.rest, "velocity at rest");
  if (options.most_steps < 1)
    throw InvalidInput(fmt::format("slide: at most {} steps; expected 1 or more", options.most_steps));
  if (!velocity.allFinite()) throw InvalidInput("slide: the velocity at the start is not finite");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] >= (i > 0 ? times[i - 1] : 0) && std::isfinite(times[i])))
      throw InvalidInput(
          fmt::format("slide: time {} is {} s; expected times from 0 on that do not decrease", i + 1, times[i]));
  return internal::slide([&](const Vec2& v) { return slip_resistance(law, v); }, !law.stribeck(), velocity, times,
                         options, summary);
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

}  // namespace slipset
