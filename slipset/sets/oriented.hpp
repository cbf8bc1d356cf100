// What every planar set can do, written once.                         docs/theory/sets.md
//
//   C ⊂ R², compact, star-shaped about the origin, which is an interior point
//   gauge    k(t) = inf{ s > 0 : t ∈ sC }         1 on the boundary, below 1 inside   [WL19 Def. 3] (S.1)
//   support  h(v) = max{ t·v : t ∈ C }            only for convex C                   [WL19 6]      (S.2)
//
// A shape is written in its own axes (own_gauge, own_support, ...); Oriented<Shape> turns points into
// these axes and results out of them. Both functions are homogeneous, so in the plane each Hessian is a
// number times the projector across its argument: shapes give that number ("bending").
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/vec.hpp"

namespace slipset {

// The points of a convex set that are extreme in one direction: one point, or a flat side, its two ends
// in counter-clockwise order.
struct Face {
  Vec2 from;
  Vec2 to;

  bool is_flat() const { return from != to; }
  Vec2 middle() const { return 0.5 * (from + to); }
};

// A direction this close [rad] to a face's normal belongs to the face: rounding of one rotation.
inline constexpr double kFaceTolerance = 8 * std::numeric_limits<double>::epsilon();
// A boundary point this close to a corner, relative to the set's size, is the corner.
inline constexpr double kCornerTolerance = 1e-12;

template <class Shape>
class Oriented {
 public:
  // Counter-clockwise angle [rad] of the shape's own first axis.
  double angle() const { return angle_; }

  // k(t). Arguments between 1e-150 and 1e150 in size; NaN in, NaN out.                       (S.1)
  double gauge(const Vec2& t) const { return shape().own_gauge(into_axes(t)); }

  // ∇k(t); at a corner, the middle of the subdifferential; 0 at t = 0.                       (S.3)
  Vec2 gauge_gradient(const Vec2& t) const {
    const double size = t.lpNorm<Eigen::Infinity>();
    if (size == 0) return Vec2::Zero();
    return out_of_axes(shape().own_gauge_gradient(into_axes(t / size)));
  }

  // Some positive multiple of ∇k(t), t ≠ 0: a normal, without the roots and powers that only its length takes.
  Vec2 normal_ray(const Vec2& t) const {
    if constexpr (requires { shape().own_normal_ray(t); })
      return out_of_axes(shape().own_normal_ray(into_axes(t)));
    else
      return gauge_gradient(t);
  }

  // ∇²k(t), empty where it does not exist (corners, joints, infinite curvature, t = 0).      (S.4)
  std::optional<Mat2> gauge_hessian(const Vec2& t) const {
    const double size = t.lpNorm<Eigen::Infinity>();
    if (size == 0) return std::nullopt;
    return across(t / size, shape().own_gauge_bending(into_axes(t / size)), 1 / size);
  }

  // h(v).                                                                                    (S.2)
  double support(const Vec2& v) const {
    require_convex();
    return shape().own_support(into_axes(v));
  }

  // All points of the set that reach h(v). At v = 0 every point does: returns the origin.    (S.5)
  Face support_face(const Vec2& v) const {
    require_convex();
    const double size = v.lpNorm<Eigen::Infinity>();
    if (size == 0) return {Vec2::Zero(), Vec2::Zero()};
    const Face own = shape().own_support_face(into_axes(v / size));
    return {out_of_axes(own.from), out_of_axes(own.to)};
  }

  // ∇h(v), the boundary point with normal v; on a flat side its middle.                      (S.5)
  Vec2 support_point(const Vec2& v) const { return support_face(v).middle(); }

  // Some positive multiple of support_point(v): all that slip_resistance needs, without the powers that
  // only its length takes. v ≠ 0, between 1e-150 and 1e150 in size.
  Vec2 support_ray(const Vec2& v) const {
    if constexpr (requires { shape().own_support_ray(v); }) {
      require_convex();
      return out_of_axes(shape().own_support_ray(into_axes(v)));
    } else {
      return support_point(v);
    }
  }

  // ∇²h(v), empty where it does not exist (v normal to a flat side or to a point of no curvature). (S.6)
  std::optional<Mat2> support_hessian(const Vec2& v) const {
    require_convex();
    const double size = v.lpNorm<Eigen::Infinity>();
    if (size == 0) return std::nullopt;
    return across(v / size, shape().own_support_bending(into_axes(v / size)), 1 / size);
  }

  // The closest point of the set, argmin{ |t - p| : p ∈ C }; convex sets only.      [WL19 11] (S.7)
  Vec2 project(const Vec2& t) const {
    require_convex();
    const Vec2 own = into_axes(t);
    const double k = shape().own_gauge(own);
    if (k <= 1) return t;
    if (!std::isfinite(k)) return Vec2::Constant(std::numeric_limits<double>::quiet_NaN());
    return out_of_axes(shape().own_project(own));
  }

  bool contains(const Vec2& t) const { return gauge(t) <= 1; }

  // Distance of the boundary from the origin in a direction.
  double radius(double direction) const { return 1 / gauge(unit(direction)); }
  Vec2 boundary_point(double direction) const { return radius(direction) * unit(direction); }

  // Directions of the normals at the boundary point on the ray of t ≠ 0: one, or at a corner the fan
  // between its two sides (convex corner or re-entrant: Clarke's cone).          [WL19 Def. 6] (S.8)
  AngleInterval normal_cone(const Vec2& t) const {
    const AngleInterval own = shape().own_normal_cone(into_axes(t / t.lpNorm<Eigen::Infinity>()));
    return {own.from + angle_, own.to + angle_};
  }

  // Directions that lead into the set, the polar of the normal cone.             [WL19 Def. 7] (S.9)
  AngleInterval tangent_cone(const Vec2& t) const {
    const AngleInterval normal = normal_cone(t);
    return {normal.to + kPi / 2, normal.from + 3 * kPi / 2};
  }

  // Arcs of the boundary, by polar angle, along which it curves inwards (an arc of no width is a
  // re-entrant corner). Empty for convex sets.
  std::vector<AngleInterval> nonconvex_arcs() const {
    std::vector<AngleInterval> arcs = shape().own_nonconvex_arcs();
    for (AngleInterval& arc : arcs) arc = {arc.from + angle_, arc.to + angle_};
    return arcs;
  }
  bool is_convex() const { return convex_; }
  // Held by every shape's constructor: the origin is inside and each ray leaves the set once.
  bool is_star_shaped() const { return true; }

  // Polar angles of the corners, where the normal cone is a fan.
  std::vector<double> corners() const { return turned_out(shape().own_corners()); }
  // Polar angles that resolve the boundary in position and in normal direction, about `count` of them;
  // every corner and joint is among them.
  std::vector<double> resolving_angles(int count) const { return turned_out(shape().own_resolving_angles(count)); }

  // The same shape turned counter-clockwise by `by` [rad].
  Shape turned(double by) const {
    Shape copy = shape();
    static_cast<Oriented&>(copy).set_angle(angle_ + by);
    return copy;
  }

 protected:
  explicit Oriented(double angle) { set_angle(angle); }

  void set_convex(bool convex) { convex_ = convex; }

  Vec2 into_axes(const Vec2& t) const { return {cos_ * t.x() + sin_ * t.y(), cos_ * t.y() - sin_ * t.x()}; }
  Vec2 out_of_axes(const Vec2& t) const { return {cos_ * t.x() - sin_ * t.y(), cos_ * t.y() + sin_ * t.x()}; }

 private:
  const Shape& shape() const { return static_cast<const Shape&>(*this); }

  void set_angle(double angle) {
    require_finite(angle, "angle");
    angle_ = std::abs(angle) <= 2 * kPi ? angle : std::remainder(angle, 2 * kPi);
    const Vec2 axis = unit_at_degrees(degrees(angle_));
    cos_ = axis.x();
    sin_ = axis.y();
  }

  void require_convex() const {
    if (!convex_)
      throw InvalidInput(
          "support and projection are defined for convex sets only; this one is not convex (nonconvex_arcs() says "
          "where): use its convex hull, or use the set as a reservoir");
  }

  static std::optional<Mat2> across(const Vec2& x, std::optional<double> bending, double factor) {
    if (!bending || !std::isfinite(*bending)) return std::nullopt;
    const Vec2 normal = turn_left(x) / x.norm();
    return Mat2(*bending * factor * normal * normal.transpose());
  }

  std::vector<double> turned_out(std::vector<double> angles) const {
    for (double& a : angles) a = wrap_to_turn(a + angle_);
    std::sort(angles.begin(), angles.end());
    return angles;
  }

  double angle_ = 0, cos_ = 1, sin_ = 0;
  bool convex_ = true;
};

// What an alternative of PlanarSet gives: the public members below, and to Oriented, in its own axes and most often as
// private members with Oriented<S> as friend,
//   own_gauge, own_gauge_gradient, own_gauge_bending, own_nonconvex_arcs, own_resolving_angles;
//   own_support, own_support_face, own_support_bending, own_project, own_normal_cone, own_corners: SmoothSet has these
//   for smooth boundaries (smooth_boundary.hpp);
//   own_normal_ray, own_support_ray: optional, cheaper than what follows from the others.
// Its constructor says whether it is convex (set_convex) unless it always is.
template <class S>
concept PlanarShape = std::derived_from<S, Oriented<S>> &&
    requires(const S& shape, double factor, std::span<const double> parameters) {
  // The name in scenario files and in files of contact problems.
  { S::kName } -> std::convertible_to<std::string_view>;
  // In words, with its numbers to six digits (to recognise, not to compute with), without its angle.
  { shape.own_description() } -> std::same_as<std::string>;
  // The numbers that make it again, in the order of docs/formats.md; angles in degrees, its own angle last. Files hold
  // them: the order stays.
  { shape.parameters() } -> std::same_as<std::vector<double>>;
  // Throws InvalidInput for another number of numbers, and for what the constructor refuses.
  { S::from_parameters(parameters) } -> std::same_as<S>;
  { shape.area() } -> std::same_as<double>;
  { shape.scaled(factor) } -> std::same_as<S>;
};

// `count` polar angles of the points (a cos τ, b sin τ): they resolve a set with semi-axes a and b.
std::vector<double> stretched_angles(double a, double b, int count);

}  // namespace slipset
