// PlanarSet: any of the planar shapes, as a value.                    docs/theory/sets.md
// It has the members of every shape, each dispatched once. A loop over many points should dispatch
// outside: set.visit([&](const auto& shape) { for (...) shape.gauge(t); }).
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "slipset/sets/disk.hpp"
#include "slipset/sets/ellipse.hpp"
#include "slipset/sets/norm_mix.hpp"
#include "slipset/sets/polar_curve.hpp"
#include "slipset/sets/polygon.hpp"
#include "slipset/sets/rectangle.hpp"
#include "slipset/sets/stadium.hpp"
#include "slipset/sets/superellipse.hpp"
#include "slipset/sets/wedge.hpp"

namespace slipset {

class PlanarSet {
 public:
  using Shape = std::variant<Disk, Ellipse, Superellipse, Rectangle, Stadium, Polygon, PolarCurve, Wedge, NormMix>;

  template <class S>
  requires std::is_constructible_v<Shape, S> PlanarSet(S shape)
      : shape_(std::move(shape)) {}  // implicit: an Ellipse is a PlanarSet

  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), shape_);
  }
  // The shape if it is of this kind, else null.
  template <class S>
  const S* as() const {
    return std::get_if<S>(&shape_);
  }

  // See oriented.hpp for each.
  double angle() const {
    return visit([](const auto& s) { return s.angle(); });
  }
  double gauge(const Vec2& t) const {
    return visit([&](const auto& s) { return s.gauge(t); });
  }
  Vec2 gauge_gradient(const Vec2& t) const {
    return visit([&](const auto& s) { return s.gauge_gradient(t); });
  }
  Vec2 normal_ray(const Vec2& t) const {
    return visit([&](const auto& s) { return s.normal_ray(t); });
  }
  std::optional<Mat2> gauge_hessian(const Vec2& t) const {
    return visit([&](const auto& s) { return s.gauge_hessian(t); });
  }
  double support(const Vec2& v) const {
    return visit([&](const auto& s) { return s.support(v); });
  }
  Face support_face(const Vec2& v) const {
    return visit([&](const auto& s) { return s.support_face(v); });
  }
  Vec2 support_point(const Vec2& v) const {
    return visit([&](const auto& s) { return s.support_point(v); });
  }
  Vec2 support_ray(const Vec2& v) const {
    return visit([&](const auto& s) { return s.support_ray(v); });
  }
  std::optional<Mat2> support_hessian(const Vec2& v) const {
    return visit([&](const auto& s) { return s.support_hessian(v); });
  }
  Vec2 project(const Vec2& t) const {
    return visit([&](const auto& s) { return s.project(t); });
  }
  bool contains(const Vec2& t) const { return gauge(t) <= 1; }
  double radius(double direction) const {
    return visit([&](const auto& s) { return s.radius(direction); });
  }
  Vec2 boundary_point(double direction) const {
    return visit([&](const auto& s) { return s.boundary_point(direction); });
  }
  AngleInterval normal_cone(const Vec2& t) const {
    return visit([&](const auto& s) { return s.normal_cone(t); });
  }
  AngleInterval tangent_cone(const Vec2& t) const {
    return visit([&](const auto& s) { return s.tangent_cone(t); });
  }
  std::vector<AngleInterval> nonconvex_arcs() const {
    return visit([](const auto& s) { return s.nonconvex_arcs(); });
  }
  bool is_convex() const {
    return visit([](const auto& s) { return s.is_convex(); });
  }
  bool is_star_shaped() const {
    return visit([](const auto& s) { return s.is_star_shaped(); });
  }
  std::vector<double> corners() const {
    return visit([](const auto& s) { return s.corners(); });
  }
  std::vector<double> resolving_angles(int count) const {
    return visit([&](const auto& s) { return s.resolving_angles(count); });
  }
  double area() const {
    return visit([](const auto& s) { return s.area(); });
  }
  PlanarSet turned(double by) const {
    return visit([&](const auto& s) { return PlanarSet(s.turned(by)); });
  }
  PlanarSet scaled(double factor) const {
    return visit([&](const auto& s) { return PlanarSet(s.scaled(factor)); });
  }

  // "ellipse", "polar", ...: the name in scenario files.
  std::string_view name() const;
  // In words, with its numbers: "ellipse with semi-axes 0.6 and 0.3, turned by 30 degrees".
  std::string description() const;

 private:
  Shape shape_;
};

}  // namespace slipset
