#include "slipset/identification/internal/turning_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace slipset::internal {
namespace {

struct Points {
  std::vector<double> time, force;  // from the sample at the extreme on, towards the slip; a peak
};

struct Joined {
  double sum = INFINITY;  // of squares
  Eigen::Vector3d coefficients = Eigen::Vector3d::Zero();
};
Joined joined_at(const Points& points, double joint, double frequency) {
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  const auto row = [&](std::size_t i) -> Eigen::Vector3d {
    const double t = points.time[i] - joint;
    if (t < 0) return {1, t, 0};
    const double s = std::sin(frequency * t / 2);
    return {1, std::sin(frequency * t) / frequency, -2 * s * s / (frequency * frequency)};
  };
  for (std::size_t i = 0; i < points.time.size(); ++i) {
    const Eigen::Vector3d r = row(i);
    normal += r * r.transpose();
    right += r * points.force[i];
  }
  // Scaled: the three columns differ by powers of the frequency.
  const Eigen::Vector3d scale = normal.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  Joined result;
  result.coefficients =
      scale.asDiagonal() *
      (scale.asDiagonal() * normal * scale.asDiagonal()).ldlt().solve(scale.asDiagonal() * right).eval();
  result.sum = 0;
  for (std::size_t i = 0; i < points.time.size(); ++i)
    result.sum += std::pow(row(i).dot(result.coefficients) - points.force[i], 2);
  if (!std::isfinite(result.sum)) result.sum = INFINITY;
  return result;
}

// The joint with the least sum of squares: a grid, then golden sections.
double best_joint(const Points& points, double low, double high, double frequency) {
  constexpr int kGrid = 12;
  const auto place = [&](int j) { return low + (high - low) * std::clamp(j, 0, kGrid) / kGrid; };
  int best = 0;
  double least = INFINITY;
  for (int j = 0; j <= kGrid; ++j)
    if (const double sum = joined_at(points, place(j), frequency).sum; sum < least) least = sum, best = j;
  constexpr double kGolden = 0.6180339887498949;
  double a = place(best - 1), b = place(best + 1), x1 = b - kGolden * (b - a), x2 = a + kGolden * (b - a);
  double s1 = joined_at(points, x1, frequency).sum, s2 = joined_at(points, x2, frequency).sum;
  for (int i = 0; i < 22; ++i) {
    if (s1 < s2) {
      b = x2, x2 = x1, s2 = s1;
      x1 = b - kGolden * (b - a);
      s1 = joined_at(points, x1, frequency).sum;
    } else {
      a = x1, x1 = x2, s1 = s2;
      x2 = a + kGolden * (b - a);
      s2 = joined_at(points, x2, frequency).sum;
    }
  }
  return (a + b) / 2;
}

}  // namespace

std::optional<TurningFit> fit_turning(const TurningSamples& samples, std::size_t at, bool peak, double frequency,
                                      double line, double step) {
  constexpr double kLeast = 5;  // samples to each side
  const double slip = std::max(0.8 / frequency, kLeast * step), stick = std::min(slip, line);
  if (slip > 1.5 / frequency || stick < (kLeast - 1) * step) return std::nullopt;
  const double t0 = samples.time[at], way = peak ? 1 : -1;
  Points points;
  const auto add = [&](std::size_t i) {
    const double t = way * (samples.time[i] - t0);
    if (t < -stick * (1 + 1e-9) || t > slip * (1 + 1e-9)) return false;
    if (std::abs(samples.force[i] - samples.smooth[i]) > samples.spike) return true;
    points.time.push_back(t);
    points.force.push_back(way * samples.force[i]);
    return true;
  };
  for (std::size_t i = at; i < samples.time.size() && add(i);) ++i;
  for (std::size_t i = at; i-- > 0 && add(i);) {
  }
  if (static_cast<double>(points.time.size()) < 2 * kLeast - 2) return std::nullopt;
  const double joint = best_joint(points, -0.7 * stick, 0.3 / frequency, frequency);
  const Eigen::Vector3d x = joined_at(points, joint, frequency).coefficients;
  const double radius = x[2] / (frequency * frequency), rise = x[1] / frequency;
  if (!(radius > 0) || !x.allFinite()) return std::nullopt;
  return TurningFit{way * (x[0] - radius + std::hypot(radius, rise)),
                    t0 + way * (joint + std::atan2(rise, radius) / frequency)};
}

}  // namespace slipset::internal
