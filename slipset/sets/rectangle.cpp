#include "slipset/sets/rectangle.hpp"

#include <fmt/format.h>

#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

Rectangle::Rectangle(double a, double b, double angle) : Oriented(angle), axes_(a, b) {
  require_positive(a, "rectangle: first semi-axis");
  require_positive(b, "rectangle: second semi-axis");
}

double Rectangle::own_gauge(const Vec2& t) const {
  const double x = std::abs(t.x()) / axes_.x(), y = std::abs(t.y()) / axes_.y();
  return x >= y || std::isnan(x) ? x : y;
}

Vec2 Rectangle::own_gauge_gradient(const Vec2& t) const {
  const double x = std::abs(t.x()) / axes_.x(), y = std::abs(t.y()) / axes_.y();
  const Vec2 first(std::copysign(1 / axes_.x(), t.x()), 0), second(0, std::copysign(1 / axes_.y(), t.y()));
  if (x == y) return 0.5 * (first + second);
  return x > y ? first : second;
}

std::optional<double> Rectangle::own_gauge_bending(const Vec2& t) const {
  const double x = std::abs(t.x()) / axes_.x(), y = std::abs(t.y()) / axes_.y();
  if (std::abs(x - y) <= kCornerTolerance * std::max(x, y)) return std::nullopt;
  return 0;
}

Face Rectangle::own_support_face(const Vec2& v) const {
  const Vec2 corner(std::copysign(axes_.x(), v.x()), std::copysign(axes_.y(), v.y()));
  if (v.hasNaN()) return {v, v};
  if (std::abs(v.x()) <= kFaceTolerance * std::abs(v.y())) {
    const double first = std::copysign(axes_.x(), v.y());  // counter-clockwise: the top from right to left
    return {{first, corner.y()}, {-first, corner.y()}};
  }
  if (std::abs(v.y()) <= kFaceTolerance * std::abs(v.x())) {
    const double second = std::copysign(axes_.y(), v.x());
    return {{corner.x(), -second}, {corner.x(), second}};
  }
  return {corner, corner};
}

std::optional<double> Rectangle::own_support_bending(const Vec2& v) const {
  if (v.cwiseAbs().minCoeff() <= kFaceTolerance * v.cwiseAbs().maxCoeff()) return std::nullopt;
  return 0;
}

AngleInterval Rectangle::own_normal_cone(const Vec2& t) const {
  const double x = std::abs(t.x()) / axes_.x(), y = std::abs(t.y()) / axes_.y();
  if (std::abs(x - y) <= kCornerTolerance * std::max(x, y)) {
    const double from = t.x() > 0 ? (t.y() > 0 ? 0 : -kPi / 2) : (t.y() > 0 ? kPi / 2 : -kPi);
    return {from, from + kPi / 2};
  }
  const double normal = x > y ? (t.x() > 0 ? 0 : kPi) : (t.y() > 0 ? kPi / 2 : -kPi / 2);
  return {normal, normal};
}

std::vector<double> Rectangle::own_corners() const {
  const double corner = std::atan2(axes_.y(), axes_.x());
  return {corner, kPi - corner, kPi + corner, 2 * kPi - corner};
}

std::vector<double> Rectangle::own_resolving_angles(int count) const {
  std::vector<double> angles = stretched_angles(axes_.x(), axes_.y(), std::max(4, count - 4));
  for (const double corner : own_corners()) angles.push_back(corner);
  return angles;
}

std::string Rectangle::own_description() const {
  return fmt::format("rectangle with semi-axes {:.6g} and {:.6g}", axes_.x(), axes_.y());
}

std::vector<double> Rectangle::parameters() const { return {axes_.x(), axes_.y(), degrees(angle())}; }

Rectangle Rectangle::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 3);
  return {x[0], x[1], radians(x[2])};
}

}  // namespace slipset
