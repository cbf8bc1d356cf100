#include "slipset/sets/superellipse.hpp"

#include <fmt/format.h>

#include "slipset/core/roots.hpp"
#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {
namespace {

// The larger of two non-negative numbers and the ratio of the smaller to it; a NaN in either shows.
struct Ordered {
  double large, ratio;
  bool first_is_large;

  Ordered(double x, double y) {
    first_is_large = x >= y;
    large = first_is_large ? x : y;
    ratio = large == 0 ? 0 : (first_is_large ? y : x) / large;
  }
};

// (x^p + y^p)^(1/p)
double power_norm(double x, double y, double p) {
  const Ordered o(x, y);
  return o.large * std::pow(1 + std::pow(o.ratio, p), 1 / p);
}

// Across its argument the p-norm bends by (p-1) (xy)^(p-2) N^(1-2p) (times |argument|²).   (S.13)
double power_norm_bending(double x, double y, double p) {
  const double norm = power_norm(x, y, p);
  return (p - 1) * std::pow(x / norm * (y / norm), p - 2) / (norm * norm * norm);
}

}  // namespace

Superellipse::Superellipse(double a, double b, double exponent, double angle)
    : Oriented(angle), axes_(a, b), exponent_(exponent), dual_exponent_(exponent / (exponent - 1)) {
  require_positive(a, "superellipse: first semi-axis");
  require_positive(b, "superellipse: second semi-axis");
  require_positive(exponent, "superellipse: exponent");
  set_convex(exponent >= 1);
}

double Superellipse::area() const {
  const double s = exponent_;
  return 4 * axes_.x() * axes_.y() * std::exp(2 * std::lgamma(1 + 1 / s) - std::lgamma(1 + 2 / s));
}

double Superellipse::own_gauge(const Vec2& t) const {
  return power_norm(std::abs(t.x()) / axes_.x(), std::abs(t.y()) / axes_.y(), exponent_);
}

// ∂k/∂t_i = sign(t_i)/a_i (|t_i/a_i|/k)^(s-1). At a cusp (s < 1) the component across it has no value: 0.
Vec2 Superellipse::own_gauge_gradient(const Vec2& t) const {
  const double k = own_gauge(t);
  const auto component = [&](double t_i, double a_i) {
    if (t_i == 0) return 0.0;
    return std::copysign(std::pow(std::abs(t_i) / (a_i * k), exponent_ - 1) / a_i, t_i);
  };
  return {component(t.x(), axes_.x()), component(t.y(), axes_.y())};
}

// The gradient over the power of the larger component. A star's cusps (s < 1) need the gradient's own care.
Vec2 Superellipse::own_normal_ray(const Vec2& t) const {
  if (exponent_ < 1) return own_gauge_gradient(t);
  const Ordered o(std::abs(t.x()) / axes_.x(), std::abs(t.y()) / axes_.y());
  const double small = o.ratio == 0 ? 0 : std::pow(o.ratio, exponent_ - 1);
  const double x = (o.first_is_large ? 1 : small) / axes_.x(), y = (o.first_is_large ? small : 1) / axes_.y();
  return {std::copysign(x, t.x()), std::copysign(y, t.y())};
}

std::optional<double> Superellipse::own_gauge_bending(const Vec2& t) const {
  const double x = std::abs(t.x()) / axes_.x(), y = std::abs(t.y()) / axes_.y();
  const bool on_axis = std::min(x, y) <= kCornerTolerance * std::max(x, y);
  if (exponent_ == 1) return on_axis ? std::nullopt : std::optional(0.0);
  if (on_axis && exponent_ < 2) return std::nullopt;
  const double product = axes_.x() * axes_.y();
  return power_norm_bending(x, y, exponent_) * t.squaredNorm() / (product * product);
}

double Superellipse::own_support(const Vec2& v) const {
  const double x = axes_.x() * std::abs(v.x()), y = axes_.y() * std::abs(v.y());
  if (exponent_ == 1) return x >= y ? x : y;
  return power_norm(x, y, dual_exponent_);
}

// z_i = a_i sign(v_i) (a_i|v_i|/h)^(1/(s-1))                                                 (S.14)
Face Superellipse::own_support_face(const Vec2& v) const {
  if (exponent_ == 1) return rhombus_face(v);
  const Ordered o(axes_.x() * std::abs(v.x()), axes_.y() * std::abs(v.y()));
  const double small = std::pow(o.ratio, dual_exponent_ - 1);
  const double size = std::pow(1 + small * o.ratio, -1 / exponent_);
  const double x = size * axes_.x() * (o.first_is_large ? 1 : small);
  const double y = size * axes_.y() * (o.first_is_large ? small : 1);
  const Vec2 point(std::copysign(x, v.x()), std::copysign(y, v.y()));
  return {point, point};
}

Vec2 Superellipse::own_support_ray(const Vec2& v) const {
  if (exponent_ == 1) return rhombus_face(v).middle();
  const Ordered o(axes_.x() * std::abs(v.x()), axes_.y() * std::abs(v.y()));
  const double small = std::pow(o.ratio, dual_exponent_ - 1);
  const double x = o.first_is_large ? axes_.x() : axes_.x() * small;
  const double y = o.first_is_large ? axes_.y() * small : axes_.y();
  return {std::copysign(x, v.x()), std::copysign(y, v.y())};
}

std::optional<double> Superellipse::own_support_bending(const Vec2& v) const {
  const double x = axes_.x() * std::abs(v.x()), y = axes_.y() * std::abs(v.y());
  if (exponent_ == 1) return std::abs(x - y) <= kFaceTolerance * std::max(x, y) ? std::nullopt : std::optional(0.0);
  if (exponent_ > 2 && std::min(x, y) <= kFaceTolerance * std::max(x, y)) return std::nullopt;
  const double product = axes_.x() * axes_.y();
  return power_norm_bending(x, y, dual_exponent_) * v.squaredNorm() * product * product;
}

// One scalar equation in u = ln((y/b)/(x/a)), the place on the boundary of the first quadrant: is t - p
// along the normal there? The root lies between the radial point and the point with normal t.  (S.15)
Vec2 Superellipse::own_project(const Vec2& t) const {
  if (exponent_ == 1) return rhombus_project(t);
  const double s = exponent_, a = axes_.x(), b = axes_.y();
  const double tx = std::abs(t.x()), ty = std::abs(t.y());
  if (ty == 0) return {std::copysign(a, t.x()), 0};
  if (tx == 0) return {0, std::copysign(b, t.y())};

  const auto point = [&](double u) {  // on the boundary
    const double small = std::exp(-std::abs(u));
    const double size = std::pow(1 + std::pow(small, s), -1 / s);
    return u < 0 ? Vec2(a * size, b * size * small) : Vec2(a * size * small, b * size);
  };
  const auto misalignment = [&](double u) -> ValueAndSlope {
    const Vec2 p = point(u), gap(tx - p.x(), ty - p.y());
    const double share = 1 / (1 + std::exp(-s * u));            // of |y/b|^s in the sum
    const double ratio = a / b * std::exp((s - 1) * u);         // of the normal's components, y to x
    const double dx = p.x() * share, dy = p.y() * (1 - share);  // -dx/du, dy/du
    if (ratio >= 1) return {gap.x() - gap.y() / ratio, dx + (dy + (s - 1) * gap.y()) / ratio};
    return {gap.x() * ratio - gap.y(), ratio * (dx + (s - 1) * gap.x()) + dy};
  };
  const double radial = std::log(ty / b) - std::log(tx / a);
  const double normal = (std::log(ty * b) - std::log(tx * a)) / (s - 1);
  const double u = increasing_root(misalignment, std::min(radial, normal), std::max(radial, normal), radial);
  const Vec2 p = point(u);
  return {std::copysign(p.x(), t.x()), std::copysign(p.y(), t.y())};
}

AngleInterval Superellipse::own_normal_cone(const Vec2& t) const {
  const double x = std::abs(t.x()) / axes_.x(), y = std::abs(t.y()) / axes_.y();
  if (exponent_ <= 1 && std::min(x, y) <= kCornerTolerance * std::max(x, y)) {
    const bool on_first = x >= y;
    const double middle = on_first ? (t.x() > 0 ? 0 : kPi) : (t.y() > 0 ? kPi / 2 : -kPi / 2);
    const double across = on_first ? axes_.x() / axes_.y() : axes_.y() / axes_.x();
    const double half = exponent_ < 1 ? kPi / 2 : std::atan(across);
    return {middle - half, middle + half};
  }
  const double normal = angle_of(own_gauge_gradient(t));
  return {normal, normal};
}

std::vector<AngleInterval> Superellipse::own_nonconvex_arcs() const {
  if (exponent_ >= 1) return {};
  return {{0, kPi / 2}, {kPi / 2, kPi}, {kPi, 3 * kPi / 2}, {3 * kPi / 2, 2 * kPi}};
}

std::vector<double> Superellipse::own_corners() const {
  if (exponent_ > 1) return {};
  return {0, kPi / 2, kPi, 3 * kPi / 2};
}

std::vector<double> Superellipse::own_resolving_angles(int count) const {
  const int quarter = std::max(2, count / 8);  // so many in each quadrant by position, so many by normal
  std::vector<double> angles = stretched_angles(axes_.x(), axes_.y(), 4 * quarter);
  const double power = exponent_ > 1 ? 1 / (exponent_ - 1) : 2 / exponent_;
  for (int i = 1; i < quarter; ++i) {
    const double slope = axes_.y() / axes_.x() * std::pow(std::tan(kPi / 2 * i / quarter), power);
    const double a = std::atan(slope);
    angles.insert(angles.end(), {a, kPi - a, kPi + a, 2 * kPi - a});
  }
  return angles;
}

Face Superellipse::rhombus_face(const Vec2& v) const {
  const Vec2 w = v.cwiseProduct(axes_);
  const Vec2 first(std::copysign(axes_.x(), v.x()), 0), second(0, std::copysign(axes_.y(), v.y()));
  const double difference = std::abs(w.x()) - std::abs(w.y());
  if (std::isnan(difference)) return {w, w};
  if (std::abs(difference) <= kFaceTolerance * w.lpNorm<Eigen::Infinity>()) {
    const bool counter_clockwise = cross(first, second) > 0;
    return counter_clockwise ? Face{first, second} : Face{second, first};
  }
  return difference > 0 ? Face{first, first} : Face{second, second};
}

Vec2 Superellipse::rhombus_project(const Vec2& t) const {
  const Vec2 first(std::copysign(axes_.x(), t.x()), 0), second(0, std::copysign(axes_.y(), t.y()));
  const Vec2 edge = second - first;
  return first + std::clamp((t - first).dot(edge) / edge.squaredNorm(), 0.0, 1.0) * edge;
}

std::string Superellipse::own_description() const {
  return fmt::format("superellipse with semi-axes {:.6g} and {:.6g}, exponent {:.6g}", axes_.x(), axes_.y(), exponent_);
}

std::vector<double> Superellipse::parameters() const { return {axes_.x(), axes_.y(), exponent_, degrees(angle())}; }

Superellipse Superellipse::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 4);
  return {x[0], x[1], x[2], radians(x[3])};
}

}  // namespace slipset
