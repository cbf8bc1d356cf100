// Property checks for planar sets, open to users for their own shapes: a Set has the members of Oriented.
// Each returns a defect that is zero exactly for right answers; sums, not std::max, so that a NaN shows.
//   condition: turning a point by an angle moves it by ε|t|, which changes the gauge by ε|t|/r_min; relative to
//   the gauge that is ε r_max/r_min, the aspect ratio. A direction is moved by that much again.
#pragma once

#include "slipset/sets/boundary_scan.hpp"

namespace slipset::test {

// Largest over smallest radius; NaN if one of them is not positive and finite: defects are divided by it.
template <class Set>
double aspect(const Set& set) {
  double least = INFINITY, most = 0;
  for (const double a : set.resolving_angles(64)) {
    const double r = set.radius(a);
    if (!(r > 0 && r < INFINITY)) return NAN;
    least = std::min(least, r);
    most = std::max(most, r);
  }
  return most / least;
}

// z = ∇h(v)  ⇔  k(z) = 1 and z·v = h(v).                                                       (S.5)
// With polar_defect for all v, h is the support function of { k ≤ 1 } and nothing else.
template <class Set>
double support_defect(const Set& set, const Vec2& v) {
  const Face face = set.support_face(v);
  const double h = set.support(v);
  double defect = 0;
  for (const Vec2& z : {face.from, face.to, set.support_point(v)})
    defect += std::abs(set.gauge(z) - 1) + std::abs(z.dot(v) / h - 1);
  return defect;
}

// The normals of a convex set at z and at its neighbours within rounding: where the boundary turns sharply (a
// superellipse of exponent 1.1 next to its axis turns by 45° within 1e-13) no point has a sharper normal.
template <class Set>
AngleInterval blurred_normals(const Set& set, const Vec2& z) {
  const Vec2 off = 16 * std::numeric_limits<double>::epsilon() * turn_left(z);
  const double middle = set.normal_cone(z).from;
  return {middle + wrap_to_pi(set.normal_cone(z - off).from - middle),
          middle + wrap_to_pi(set.normal_cone(z + off).to - middle)};
}

// How far the angle of v is outside these normals.
template <class Set>
double outside_normals(const Set& set, const Vec2& z, const Vec2& v) {
  const AngleInterval cone = blurred_normals(set, z);
  const double outside = std::abs(wrap_to_pi(angle_of(v) - (cone.from + cone.width() / 2))) - cone.width() / 2;
  return outside > 0 || std::isnan(outside) ? outside : 0;
}

// v is normal to the set at z = ∇h(v).
template <class Set>
double normality_defect(const Set& set, const Vec2& v) {
  return outside_normals(set, set.support_point(v), v);
}

// g ∈ ∂k(t)  ⇔  g·t = k(t) and h(g) = 1.                                                      (S.3)
template <class Set>
double gradient_defect(const Set& set, const Vec2& t) {
  const Vec2 g = set.gauge_gradient(t);
  return std::abs(g.dot(t) / set.gauge(t) - 1) + std::abs(set.support(g) - 1);
}

// t·v ≤ k(t) h(v), with equality for v = ∇k(t): gauge and support are polar to each other.
template <class Set>
double polar_defect(const Set& set, const Vec2& t, const Vec2& v) {
  const double slack = 1 - t.dot(v) / (set.gauge(t) * set.support(v));
  const Vec2 g = set.gauge_gradient(t);
  return std::abs(t.dot(g) / (set.gauge(t) * set.support(g)) - 1) + (slack >= 0 ? 0 : -slack) + 0 * slack;
}

// p = P_C(x)  ⇔  k(p) ≤ 1 and h(x-p) = (x-p)·p. Complete: no wrong p passes.                     (S.7)
// Relative to |x| r_max, the size of the products.
template <class Set>
double projection_defect(const Set& set, const Vec2& x, const Vec2& p, double r_max) {
  const Vec2 d = x - p;
  const double outside = set.gauge(p) - 1;
  const double gap = d.isZero(0) ? 0 : (set.support(d) - d.dot(p)) / (x.norm() * r_max);
  return (outside > 0 ? outside : 0) + std::abs(gap) + 0 * outside;
}

// The same to first order: the part of x - p along the boundary, relative to |x|. The gap above is of second
// order in it; this one sees a p that is off by 1e-9.
template <class Set>
double projection_slant(const Set& set, const Vec2& x, const Vec2& p) {
  const Vec2 d = x - p;
  if (d.isZero(0)) return 0;
  const double off = outside_normals(set, p, d);
  return std::sin(std::min(off, kPi / 2)) * d.norm() / x.norm() + 0 * off;
}

// Curvature from the gauge times radius of curvature from the support function is one, where both exist; empty
// elsewhere.
template <class Set>
std::optional<double> curvature_defect(const Set& set, const Vec2& v) {
  const Vec2 z = set.support_point(v), n = v.normalized();
  const auto gauge = set.gauge_hessian(z);
  const auto support = set.support_hessian(n);
  if (!gauge || !support) return std::nullopt;
  const Vec2 tangent = turn_left(n);
  const double curvature = tangent.dot(*gauge * tangent) / set.gauge_gradient(z).norm();
  const double radius = tangent.dot(*support * tangent);
  return std::abs(curvature * radius - 1);
}

}  // namespace slipset::test
