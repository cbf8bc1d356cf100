#include "slipset/sets/wedge.hpp"

#include <fmt/format.h>

#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

Wedge::Wedge(double friction, double slope, double angle) : SmoothSet(angle), friction_(friction), slope_(slope) {
  require_positive(friction, "wedge: friction");
  if (!(slope >= 0 && slope < kPi / 2))
    throw InvalidInput(fmt::format("wedge: slope is {} degrees; it must be from 0 to below 90", degrees(slope)));
  if (!(friction * std::tan(slope) < 1))
    throw InvalidInput(
        fmt::format("wedge: friction {} with slope {} degrees locks; friction must be below 1/tan(slope) = {:.6g}",
                    friction, degrees(slope), 1 / std::tan(slope)));
  steepness_ = friction * friction * std::tan(slope) * std::tan(slope);
  level_ = std::cos(slope) / friction;
  scale_ = {1 / std::cos(slope), 1};
  set_convex(steepness_ <= 0.5);
}

// ½∫r² = π(1 + κ)/(2 level² κ^(3/2) cosβ) with κ = 1 - m.
double Wedge::area() const {
  const double kappa = 1 - steepness_;
  return kPi * (1 + kappa) / (2 * level_ * level_ * kappa * std::sqrt(kappa)) * scale_.x();
}

Wedge Wedge::scaled(double factor) const {
  require_positive(factor, "wedge: scale");
  Wedge copy = *this;
  copy.size_ *= factor;
  copy.level_ /= factor;
  return copy;
}

LogRadius Wedge::log_radius(double tau) const {
  const double c = std::cos(tau), s = std::sin(tau);
  const double g = 1 - steepness_ * c * c;  // 1/(level r)
  const double g1 = 2 * steepness_ * c * s, g2 = 2 * steepness_ * (c * c - s * s);
  return {-std::log(level_ * g), -g1 / g, (g1 * g1 - g * g2) / (g * g)};
}

// With u = (t1 cosβ, t2): k = level (|u| - m u1²/|u|).
double Wedge::own_gauge(const Vec2& t) const {
  const Vec2 u = t.cwiseQuotient(scale_);
  const double size = u.norm();
  if (size == 0) return 0;
  return level_ * (u.y() * u.y() + (1 - steepness_) * u.x() * u.x()) / size;
}

Vec2 Wedge::own_gauge_gradient(const Vec2& t) const {
  const Vec2 u = t.cwiseQuotient(scale_).normalized();
  const double squared = u.x() * u.x();
  const Vec2 gradient(u.x() * (1 - steepness_ * (2 - squared)), u.y() * (1 + steepness_ * squared));
  return level_ * gradient.cwiseQuotient(scale_);
}

// In the axes of u the gauge along the unit circle is g = level (1 - m cos²τ), and
// g + g'' = level (1 - m/2 + (3m/2) cos 2τ).
std::optional<double> Wedge::own_gauge_bending(const Vec2& t) const {
  const Vec2 u = t.cwiseQuotient(scale_), n = u.normalized();
  const double cos_2tau = n.x() * n.x() - n.y() * n.y();
  const double own = level_ * (1 - steepness_ / 2 + 1.5 * steepness_ * cos_2tau) / u.norm();
  return own * turn_left(n).cwiseQuotient(scale_).squaredNorm();
}

// g + g'' < 0 where cos 2τ < (m - 2)/(3m): around ±90°.
std::vector<AngleInterval> Wedge::own_nonconvex_arcs() const {
  if (is_convex()) return {};
  const double tau = 0.5 * std::acos((steepness_ - 2) / (3 * steepness_));
  const double theta = std::atan2(std::sin(tau), scale_.x() * std::cos(tau));
  return {{theta, kPi - theta}, {kPi + theta, 2 * kPi - theta}};
}

// By the outline, and evenly in the scaled axes, which resolve the turn near the tips for μ near cot β.
std::vector<double> Wedge::own_resolving_angles(int count) const {
  const double long_axis = scale_.x() / (1 - steepness_);
  std::vector<double> angles = stretched_angles(long_axis, 1, count / 2);
  for (const double a : stretched_angles(scale_.x(), 1, count / 2)) angles.push_back(a);
  return angles;
}

std::string Wedge::own_description() const {
  return fmt::format("wedge reservoir with friction {:.6g} and slope {:.6g} degrees", friction_, degrees(slope_)) +
         (size_ == 1 ? "" : fmt::format(", scaled by {:.6g}", size_));
}

std::vector<double> Wedge::parameters() const { return {friction_, degrees(slope_), size_, degrees(angle())}; }

Wedge Wedge::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 4);
  const Wedge wedge(x[0], radians(x[1]), radians(x[3]));
  return x[2] == 1 ? wedge : wedge.scaled(x[2]);
}

}  // namespace slipset
