#include "slipset/sets/user_set.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slipset {
namespace {

constexpr int kDirections = 720;

double direction(int k) { return 2 * kPi * k / kDirections; }

}  // namespace

UserSet::UserSet(std::shared_ptr<const UserShape> shape, double angle, double size)
    : SmoothSet(angle), shape_(std::move(shape)), size_(size), log_size_(std::log(size)) {
  if (!shape_) throw InvalidInput("user set: no shape");
  require_positive(size, "user set: size");
  for (int k = 0; k < kDirections; ++k) {
    const LogRadius rho = log_radius(direction(k));
    if (!std::isfinite(rho.value) || !std::isfinite(rho.first) || !std::isfinite(rho.second))
      throw InvalidInput("user set: the logarithm of the radius, or a derivative of it, is not finite");
  }
  set_convex(own_nonconvex_arcs().empty());
}

LogRadius UserSet::log_radius(double angle) const {
  LogRadius rho = shape_->log_radius(angle);
  rho.value += log_size_;
  return rho;
}

// The trapezoidal rule of a periodic function: exact to rounding for smooth ones.
double UserSet::area() const {
  double sum = 0;
  for (int k = 0; k < kDirections; ++k) sum += std::exp(2 * log_radius(direction(k)).value);
  return kPi / kDirections * sum;
}

UserSet UserSet::scaled(double factor) const {
  require_positive(factor, "user set: scale");
  return UserSet(shape_, angle(), size_ * factor);
}

double UserSet::own_gauge(const Vec2& t) const {
  const double size = t.norm();
  if (!(size > 0)) return size;
  return size * std::exp(-log_radius(angle_of(t)).value);
}

Vec2 UserSet::own_gauge_gradient(const Vec2& t) const {
  const LogRadius rho = log_radius(angle_of(t));
  const Vec2 u = t.normalized();
  return std::exp(-rho.value) * (u - rho.first * turn_left(u));
}

std::optional<double> UserSet::own_gauge_bending(const Vec2& t) const {
  const LogRadius rho = log_radius(angle_of(t));
  return std::exp(-rho.value) * rho.convexity() / t.norm();
}

std::vector<AngleInterval> UserSet::own_nonconvex_arcs() const {
  std::vector<AngleInterval> arcs;
  const double half = kPi / kDirections;
  for (int k = 0; k < kDirections; ++k) {
    const LogRadius rho = log_radius(direction(k));
    const double rounding = 1e-9 * (1 + rho.first * rho.first + std::abs(rho.second));
    if (rho.convexity() >= -rounding) continue;
    if (!arcs.empty() && direction(k) - arcs.back().to < 1.5 * half)
      arcs.back().to = direction(k) + half;
    else
      arcs.push_back({direction(k) - half, direction(k) + half});
  }
  return arcs;
}

// Even in the angle, and in the angle of the normal.
std::vector<double> UserSet::own_resolving_angles(int count) const {
  std::vector<double> angles;
  for (int k = 0; k < count / 2; ++k) angles.push_back(2 * kPi * k / (count / 2));
  if (is_convex())
    for (int k = 0; k < count / 2; ++k) {
      const double normal = 2 * kPi * (k + 0.5) / (count / 2);
      angles.push_back(smooth_support_angle([&](double tau) { return log_radius(tau); }, scale(), unit(normal)));
    }
  return angles;
}

std::string UserSet::own_description() const {
  return shape_->description() + (size_ == 1 ? "" : fmt::format(", scaled by {:.6g}", size_));
}

std::vector<double> UserSet::parameters() const {
  throw InvalidInput(fmt::format("{}: a user-defined set cannot be written to a file; sample it as a polar curve",
                                 shape_->description()));
}

UserSet UserSet::from_parameters(std::span<const double>) {
  throw InvalidInput(fmt::format("unknown shape \"{}\"", kName));
}

}  // namespace slipset
