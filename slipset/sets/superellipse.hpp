// Superellipse: from the rhombus (s = 1) by the ellipse (s = 2) towards the rectangle (s → ∞).
//   E = { t : |t1/a|^s + |t2/b|^s ≤ 1 } in its own axes, turned by angle                [WL19 37]
//   k is the s-norm of (t1/a, t2/b), h the s'-norm of (a v1, b v2), 1/s + 1/s' = 1           (S.12)
// Convex for s ≥ 1. For 0 < s < 1 it is a star with its cusps on the axes: a reservoir only.
// Powers are taken of the ratio of the two components, so that neither s = 50 nor a point next to an
// axis overflows or loses digits.                                    docs/theory/sets.md
#pragma once

#include "slipset/sets/oriented.hpp"

namespace slipset {

class Superellipse : public Oriented<Superellipse> {
 public:
  static constexpr std::string_view kName = "superellipse";

  // throws InvalidInput unless a, b, exponent > 0 and finite
  Superellipse(double a, double b, double exponent, double angle = 0);

  const Vec2& semi_axes() const { return axes_; }
  double exponent() const { return exponent_; }
  double area() const;
  Superellipse scaled(double factor) const { return {axes_.x() * factor, axes_.y() * factor, exponent_, angle()}; }

  std::string own_description() const;
  std::vector<double> parameters() const;  // a, b, exponent, angle [degrees]
  static Superellipse from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<Superellipse>;
  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  Vec2 own_normal_ray(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  double own_support(const Vec2& v) const;
  Face own_support_face(const Vec2& v) const;
  Vec2 own_support_ray(const Vec2& v) const;
  std::optional<double> own_support_bending(const Vec2& v) const;
  Vec2 own_project(const Vec2& t) const;
  AngleInterval own_normal_cone(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const;
  std::vector<double> own_corners() const;
  std::vector<double> own_resolving_angles(int count) const;

  Face rhombus_face(const Vec2& v) const;
  Vec2 rhombus_project(const Vec2& t) const;

  Vec2 axes_;
  double exponent_;       // s
  double dual_exponent_;  // s' = s/(s-1); infinite for s = 1
};

}  // namespace slipset
