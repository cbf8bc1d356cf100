// Ellipsoid in R³: two tangential components and drilling.            docs/theory/sets.md
//   E = { t : Σ (t_i/a_i)² ≤ 1 } in its own axes, turned by angle about the third (drilling) axis
// As a reservoir: a1, a2 friction coefficients [-], a3 the drilling torque per unit normal force over a
// reference length, so that t·v is a power with v = (γ1, γ2, length × spin).
#pragma once

#include <optional>

#include "slipset/core/vec.hpp"

namespace slipset {

class Ellipsoid {
 public:
  // throws InvalidInput unless all three semi-axes are positive and finite
  explicit Ellipsoid(const Vec3& semi_axes, double angle = 0);

  const Vec3& semi_axes() const { return axes_; }
  double angle() const { return angle_; }
  double gauge(const Vec3& t) const;
  Vec3 gauge_gradient(const Vec3& t) const;                // 0 at t = 0
  std::optional<Mat3> gauge_hessian(const Vec3& t) const;  // empty at t = 0
  double support(const Vec3& v) const;
  Vec3 support_point(const Vec3& v) const;                   // 0 at v = 0
  std::optional<Mat3> support_hessian(const Vec3& v) const;  // empty at v = 0
  Vec3 project(const Vec3& t) const;                         // closest point; NaN in, NaN out
  bool contains(const Vec3& t) const { return gauge(t) <= 1; }
  double volume() const;
  Ellipsoid scaled(double factor) const { return Ellipsoid(axes_ * factor, angle_); }
  Ellipsoid turned(double by) const { return Ellipsoid(axes_, angle_ + by); }

 private:
  Vec3 axes_;
  double angle_;
  Mat3 into_axes_;
};

}  // namespace slipset
