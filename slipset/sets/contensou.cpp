#include "slipset/sets/contensou.hpp"

#include "slipset/core/angle.hpp"
#include "slipset/core/roots.hpp"

namespace slipset {
namespace {

// A point of R³ in the half plane of the meridian, and the direction in the contact plane that leads there.
struct Reduced {
  Vec2 point;      // both components from 0 on
  Vec2 direction;  // unit
  double side;     // of the third component, 1 or -1

  explicit Reduced(const Vec3& t) {
    const Vec2 plane = t.head<2>();
    const double length = plane.norm();
    point = {length, std::abs(t.z())};
    direction = length > 0 ? Vec2(plane / length) : Vec2(1, 0);
    side = t.z() < 0 ? -1 : 1;
  }
  Vec3 out(const Vec2& p) const { return {p.x() * direction.x(), p.x() * direction.y(), side * p.y()}; }
};

bool is_zero(const Vec3& t) { return t.x() == 0 && t.y() == 0 && t.z() == 0; }

}  // namespace

double ContensouSet::drilling_limit() const { return patch_inside(pressure_, 0).value; }

ContensouSet::Meridian ContensouSet::meridian(double a, double b) const {
  if (a <= b) {
    const double c = a / b;
    const PatchProfile f = patch_inside(pressure_, c);
    return {b * f.value, {c * f.slope_over, f.value - c * c * f.slope_over}, f.bending / (b * b * b), f.slope_over / b};
  }
  const double s = b / a;
  const PatchProfile f = patch_outside(pressure_, s);
  const double force = f.value - s * s * f.slope_over;
  return {a * f.value, {force, s * f.slope_over}, f.bending / (a * a * a), force / a};
}

double ContensouSet::nearest_angle(const Vec2& t) const {
  // The distance to the supporting line, t·n - h(n), is largest there. Along the angle its derivative changes sign once
  // between the two axes.
  const auto slope_of_distance = [&](double angle) {
    const Vec2 n = unit(angle);
    const Meridian m = meridian(std::max(n.x(), 0.0), n.y());
    return ValueAndSlope{(m.point - t).dot(turn_left(n)), m.curvature + t.dot(n) - m.support};
  };
  return increasing_root(slope_of_distance, 0, kPi / 2, std::atan2(t.y(), t.x()));
}

double ContensouSet::ray_angle(const Vec2& t) const {
  const Vec2 ray = t / t.norm();
  const auto beside = [&](double angle) {
    const Vec2 n = unit(angle);
    const Meridian m = meridian(std::max(n.x(), 0.0), n.y());
    return ValueAndSlope{cross(ray, m.point), m.curvature * ray.dot(n)};
  };
  return increasing_root(beside, 0, kPi / 2, std::atan2(ray.y(), ray.x()));
}

double ContensouSet::gauge(const Vec3& t) const {
  if (is_zero(t)) return 0;
  const double size = t.lpNorm<Eigen::Infinity>();
  if (!t.allFinite()) return t.hasNaN() ? std::numeric_limits<double>::quiet_NaN() : size;
  const Vec2 own = Reduced(t / size).point, n = unit(ray_angle(own));
  return size * own.dot(n) / meridian(std::max(n.x(), 0.0), n.y()).support;
}

Vec3 ContensouSet::gauge_gradient(const Vec3& t) const {
  if (is_zero(t)) return Vec3::Zero();
  const Reduced own(t / t.lpNorm<Eigen::Infinity>());
  const Vec2 n = unit(ray_angle(own.point));
  return own.out(n / meridian(std::max(n.x(), 0.0), n.y()).support);
}

double ContensouSet::support(const Vec3& v) const {
  const double size = v.norm();
  if (size == 0) return 0;
  const Vec2 own = Reduced(v).point / size;
  return size * meridian(own.x(), own.y()).support;
}

Vec3 ContensouSet::support_point(const Vec3& v) const {
  const double size = v.norm();
  if (size == 0) return Vec3::Zero();
  const Reduced own(v);
  return own.out(meridian(own.point.x() / size, own.point.y() / size).point);
}

std::optional<Mat3> ContensouSet::support_hessian(const Vec3& v) const {
  const double size = v.norm();
  if (size == 0) return std::nullopt;
  const Reduced own(v);
  const Vec2 n = own.point / size;
  const Meridian m = meridian(n.x(), n.y());
  const Vec3 along = own.out(turn_left(n)), across(-own.direction.y(), own.direction.x(), 0);
  return Mat3((m.curvature * along * along.transpose() + m.circumference * across * across.transpose()) / size);
}

Vec3 ContensouSet::project(const Vec3& t, Mat3* derivative) const {
  const Reduced own(t);
  const bool surely_outside = own.point.x() > 1 || own.point.y() > drilling_limit();
  const double k = surely_outside && t.allFinite() ? 2 : gauge(t);
  if (k <= 1) {
    if (derivative) derivative->setIdentity();
    return t;
  }
  if (!std::isfinite(k)) {
    if (derivative) derivative->setConstant(std::numeric_limits<double>::quiet_NaN());
    return Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  }
  const Vec2 n = unit(nearest_angle(own.point));
  const Meridian m = meridian(std::max(n.x(), 0.0), n.y());
  const Vec3 closest = own.out(m.point);
  if (derivative) {
    const double distance = (t - closest).norm();
    const auto share = [&](double radius) { return std::isfinite(radius) ? radius / (radius + distance) : 1.0; };
    const Vec3 along = own.out(turn_left(n)), across(-own.direction.y(), own.direction.x(), 0);
    *derivative = share(m.curvature) * along * along.transpose() + share(m.circumference) * across * across.transpose();
  }
  return closest;
}

}  // namespace slipset
