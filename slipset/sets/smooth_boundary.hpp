// Support and projection for a smooth boundary given by its radius alone.      docs/theory/sets.md
//   p(τ) = S r(τ) (cos τ, sin τ),  ρ = ln r,  S = diag(scale), in the set's own axes          (S.20)
//   the normal at τ, mapped by S, has the angle τ - atan ρ'(τ): increasing, if the set is convex
//   curvature has the sign of 1 + ρ'² - ρ''                                                    (S.21)
// A Boundary is any function τ → LogRadius.
#pragma once

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/roots.hpp"
#include "slipset/core/vec.hpp"
#include "slipset/sets/oriented.hpp"

namespace slipset {

// ρ = ln r and its derivatives with respect to the angle.
struct LogRadius {
  double value;
  double first;
  double second;

  double convexity() const { return 1 + first * first - second; }
};

inline Vec2 smooth_point(const LogRadius& rho, double tau, const Vec2& scale) {
  return std::exp(rho.value) * scale.cwiseProduct(unit(tau));
}

// The angle τ of the boundary point with normal v ≠ 0: t·v is largest there.               (S.22)
template <class Boundary>
double smooth_support_angle(const Boundary& boundary, const Vec2& scale, const Vec2& v) {
  const double normal = angle_of(v.cwiseProduct(scale));
  const auto ahead = [&](double tau) -> ValueAndSlope {
    const LogRadius rho = boundary(tau);
    return {tau - std::atan(rho.first) - normal, 1 - rho.second / (1 + rho.first * rho.first)};
  };
  return increasing_root(ahead, normal - kPi / 2, normal + kPi / 2, normal);
}

// ∇²h across v: radius of curvature over |v|.                                               (S.23)
template <class Boundary>
double smooth_support_bending(const Boundary& boundary, const Vec2& scale, const Vec2& v) {
  const double tau = smooth_support_angle(boundary, scale, v);
  const LogRadius rho = boundary(tau);
  // In the unscaled plane, where the support function is that of w = Sv; then ∇²h = S ∇²h_w S.
  const Vec2 w = v.cwiseProduct(scale);
  const double slope = 1 + rho.first * rho.first;
  const double radius = std::exp(rho.value) * slope * std::sqrt(slope) / rho.convexity();
  const Vec2 across = turn_left(w).cwiseProduct(scale) / w.norm();
  return radius / w.norm() * across.squaredNorm();
}

// The closest boundary point to a point t outside: t - p(τ) is along the normal. The root lies between
// the radial point and the point with normal t; where t does not see p(τ) the search is on the far side
// of the root.                                                                               (S.24)
template <class Boundary>
Vec2 smooth_project(const Boundary& boundary, const Vec2& scale, const Vec2& t) {
  const double radial = angle_of(t.cwiseQuotient(scale));
  const double normal = radial + wrap_to_pi(smooth_support_angle(boundary, scale, t) - radial);
  const double far_side = normal < radial ? -1 : 1;
  const auto misalignment = [&](double tau) -> ValueAndSlope {
    const LogRadius rho = boundary(tau);
    const Vec2 u = unit(tau), w = turn_left(u);
    const double r = std::exp(rho.value);
    const Vec2 p = r * scale.cwiseProduct(u);
    const Vec2 first = r * scale.cwiseProduct(rho.first * u + w);
    const Vec2 second = r * scale.cwiseProduct((rho.first * rho.first + rho.second - 1) * u + 2 * rho.first * w);
    const Vec2 gap = t - p;
    if (cross(gap, first) <= 0) return {far_side, 0};  // p is hidden from t behind the set
    return {-gap.dot(first), first.squaredNorm() - gap.dot(second)};
  };
  const double tau = increasing_root(misalignment, std::min(radial, normal), std::max(radial, normal), radial);
  return smooth_point(boundary(tau), tau, scale);
}

// A set of this kind: a Shape gives log_radius(tau), scale() and its own gauge; the rest is here.
template <class Shape>
class SmoothSet : public Oriented<Shape> {
 protected:
  using Oriented<Shape>::Oriented;

  double own_support(const Vec2& v) const {
    const double size = v.lpNorm<Eigen::Infinity>();
    return size == 0 ? 0 : own_support_face(v / size).from.dot(v);
  }
  Face own_support_face(const Vec2& v) const {
    const double tau = smooth_support_angle(boundary(), shape().scale(), v);
    const Vec2 point = smooth_point(shape().log_radius(tau), tau, shape().scale());
    return {point, point};
  }
  std::optional<double> own_support_bending(const Vec2& v) const {
    return smooth_support_bending(boundary(), shape().scale(), v);
  }
  Vec2 own_project(const Vec2& t) const { return smooth_project(boundary(), shape().scale(), t); }
  AngleInterval own_normal_cone(const Vec2& t) const {
    const double normal = angle_of(shape().own_gauge_gradient(t));
    return {normal, normal};
  }
  std::vector<double> own_corners() const { return {}; }

 private:
  const Shape& shape() const { return static_cast<const Shape&>(*this); }
  auto boundary() const {
    return [this](double tau) { return shape().log_radius(tau); };
  }
};

}  // namespace slipset
