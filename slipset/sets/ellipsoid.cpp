#include "slipset/sets/ellipsoid.hpp"

#include <Eigen/Geometry>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/sets/internal/ellipsoid_multiplier.hpp"

namespace slipset {
namespace {

// ∇²|Lx| = Lᵀ(I - ŷŷᵀ)L/|y| with y = Lx, as MᵀM/|y| with the columns of M = ŷ × L: no difference of large numbers.
Mat3 norm_hessian(const Mat3& l, const Vec3& x) {
  const Vec3 y = l * x, direction = y.normalized();
  Mat3 m;
  for (int i = 0; i < 3; ++i) m.col(i) = direction.cross(Vec3(l.col(i)));
  return m.transpose() * m / y.norm();
}

}  // namespace

Ellipsoid::Ellipsoid(const Vec3& semi_axes, double angle) : axes_(semi_axes), angle_(angle) {
  for (const double a : {semi_axes.x(), semi_axes.y(), semi_axes.z()}) require_positive(a, "ellipsoid: semi-axis");
  require_finite(angle, "ellipsoid: angle");
  const Vec2 axis = unit_at_degrees(degrees(angle));
  into_axes_ << axis.x(), axis.y(), 0, -axis.y(), axis.x(), 0, 0, 0, 1;
}

double Ellipsoid::gauge(const Vec3& t) const { return (into_axes_ * t).cwiseQuotient(axes_).norm(); }

Vec3 Ellipsoid::gauge_gradient(const Vec3& t) const {
  const double size = t.lpNorm<Eigen::Infinity>();
  if (size == 0) return Vec3::Zero();
  const Vec3 u = (into_axes_ * (t / size)).cwiseQuotient(axes_);
  return into_axes_.transpose() * (u.cwiseQuotient(axes_) / u.norm());
}

std::optional<Mat3> Ellipsoid::gauge_hessian(const Vec3& t) const {
  if (t.isZero(0)) return std::nullopt;
  return norm_hessian(axes_.cwiseInverse().asDiagonal() * into_axes_, t);
}

double Ellipsoid::support(const Vec3& v) const { return (into_axes_ * v).cwiseProduct(axes_).norm(); }

Vec3 Ellipsoid::support_point(const Vec3& v) const {
  const double size = v.lpNorm<Eigen::Infinity>();
  if (size == 0) return Vec3::Zero();
  const Vec3 w = (into_axes_ * (v / size)).cwiseProduct(axes_);
  return into_axes_.transpose() * (w.cwiseProduct(axes_) / w.norm());
}

std::optional<Mat3> Ellipsoid::support_hessian(const Vec3& v) const {
  if (v.isZero(0)) return std::nullopt;
  return norm_hessian(axes_.asDiagonal() * into_axes_, v);
}

Vec3 Ellipsoid::project(const Vec3& t) const {
  const Vec3 own = into_axes_ * t;
  const double k = own.cwiseQuotient(axes_).norm();
  if (k <= 1) return t;
  if (!std::isfinite(k)) return Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  const Vec3 squared = axes_.cwiseProduct(axes_);
  const double beta = internal::ellipsoid_multiplier(axes_, own);
  const Vec3 closest = own.array() * squared.array() / (squared.array() + beta);
  return into_axes_.transpose() * closest;
}

double Ellipsoid::volume() const { return 4.0 / 3 * kPi * axes_.prod(); }

}  // namespace slipset
