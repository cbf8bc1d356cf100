#include "slipset/sets/stadium.hpp"

#include <fmt/format.h>

#include "slipset/sets/internal/ellipsoid_multiplier.hpp"
#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

Stadium::Stadium(double half_length, double half_width, double cap, double angle)
    : Oriented(angle), length_(half_length), width_(half_width), cap_(cap) {
  require_positive(half_length, "stadium: half_length");
  require_positive(half_width, "stadium: half_width");
  require_positive(cap, "stadium: cap");
}

// On a cap the boundary point λt solves ((λ|x| - l)/c)² + (λy/w)² = 1; k = 1/λ.              (S.17)
double Stadium::own_gauge(const Vec2& t) const {
  const double y = std::abs(t.y()) / width_;
  if (flatness(t) >= 0) return y;
  const double x = std::abs(t.x()) / cap_, l = length_ / cap_;
  return (x * x + y * y) / (x * l + std::sqrt(std::max(0.0, x * x + y * y - y * y * l * l)));
}

Vec2 Stadium::own_gauge_gradient(const Vec2& t) const {
  if (flatness(t) >= 0) return {0, std::copysign(1 / width_, t.y())};
  const Vec2 p = t / own_gauge(t);
  const Vec2 normal(std::copysign(std::abs(p.x()) - length_, p.x()) / (cap_ * cap_), p.y() / (width_ * width_));
  return normal / normal.dot(p);
}

// From the cap's curvature κ: ∇²k = κ|∇k| along the tangent, seen across t.                  (S.18)
std::optional<double> Stadium::own_gauge_bending(const Vec2& t) const {
  const double side = flatness(t) / (std::abs(t.y()) * length_ + std::abs(t.x()) * width_);
  if (std::abs(side) <= kCornerTolerance) return std::nullopt;
  if (side > 0) return 0;
  const double k = own_gauge(t);
  const Vec2 gradient = own_gauge_gradient(t), normal = gradient.normalized();
  const double h = normal.cwiseProduct(Vec2(cap_, width_)).norm();
  const double curvature = h * h * h / (cap_ * cap_ * width_ * width_);
  const double slant = t.normalized().dot(normal);
  return curvature * gradient.norm() / (slant * slant * k);
}

double Stadium::own_support(const Vec2& v) const {
  return length_ * std::abs(v.x()) + v.cwiseProduct(Vec2(cap_, width_)).norm();
}

Face Stadium::own_support_face(const Vec2& v) const {
  const Vec2 axes(cap_, width_), w = v.cwiseProduct(axes);
  const Vec2 on_ellipse = w.cwiseProduct(axes) / w.norm();
  if (std::abs(v.x()) <= kFaceTolerance * std::abs(v.y())) {
    const Vec2 first(std::copysign(length_, v.y()), 0);
    const Vec2 middle(0, on_ellipse.y());
    return {middle + first, middle - first};
  }
  const Vec2 point = on_ellipse + Vec2(std::copysign(length_, v.x()), 0);
  return {point, point};
}

std::optional<double> Stadium::own_support_bending(const Vec2& v) const {
  if (std::abs(v.x()) <= kFaceTolerance * std::abs(v.y())) return std::nullopt;
  const double h = v.cwiseProduct(Vec2(cap_, width_)).norm();
  return cap_ * cap_ * width_ * width_ * v.squaredNorm() / (h * h * h);
}

Vec2 Stadium::own_project(const Vec2& t) const {
  const double beyond = std::abs(t.x()) - length_;
  if (beyond <= 0) return {t.x(), std::copysign(width_, t.y())};
  const Vec2 axes(cap_, width_), squared = axes.cwiseProduct(axes), u(beyond, t.y());
  const double beta = internal::ellipsoid_multiplier(axes, u);
  const Vec2 p = u.array() * squared.array() / (squared.array() + beta);
  return {std::copysign(p.x() + length_, t.x()), p.y()};
}

AngleInterval Stadium::own_normal_cone(const Vec2& t) const {
  const double normal = angle_of(own_gauge_gradient(t));
  return {normal, normal};
}

std::vector<double> Stadium::own_resolving_angles(int count) const {
  std::vector<double> angles = stretched_angles(length_ + cap_, width_, std::max(4, count / 2 - 4));
  const double joint = std::atan2(width_, length_);
  angles.insert(angles.end(), {joint, kPi - joint, kPi + joint, 2 * kPi - joint});
  const int quarter = std::max(2, count / 8);
  for (int i = 0; i < quarter; ++i) {  // on the caps, by the ellipse's own angle
    const Vec2 u = unit(kPi / 2 * i / quarter);
    const double a = std::atan2(width_ * u.y(), length_ + cap_ * u.x());
    angles.insert(angles.end(), {a, kPi - a, kPi + a, 2 * kPi - a});
  }
  return angles;
}

std::string Stadium::own_description() const {
  return fmt::format("stadium with half length {:.6g}, half width {:.6g}, caps of {:.6g}", length_, width_, cap_);
}

std::vector<double> Stadium::parameters() const { return {length_, width_, cap_, degrees(angle())}; }

Stadium Stadium::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 4);
  return {x[0], x[1], x[2], radians(x[3])};
}

}  // namespace slipset
