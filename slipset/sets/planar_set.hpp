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
#include "slipset/sets/user_set.hpp"
#include "slipset/sets/wedge.hpp"

namespace slipset {

class PlanarSet {
 public:
  // A new shape: an alternative here and an entry in scenario/shapes.cpp. Its members: PlanarShape in oriented.hpp.
  using Shape =
      std::variant<Disk, Ellipse, Superellipse, Rectangle, Stadium, Polygon, PolarCurve, Wedge, NormMix, UserSet>;

  template <class S>
  requires std::is_constructible_v<Shape, S> PlanarSet(S shape)
      : shape_(std::move(shape)) {}  // implicit: an Ellipse is a PlanarSet

  // Out of line, as every operation here: a header that made them anew would cost every file that includes it.
  PlanarSet(const PlanarSet& other);
  PlanarSet(PlanarSet&& other) noexcept;
  PlanarSet& operator=(const PlanarSet& other);
  PlanarSet& operator=(PlanarSet&& other) noexcept;
  ~PlanarSet();

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
  double angle() const;
  double gauge(const Vec2& t) const;
  Vec2 gauge_gradient(const Vec2& t) const;
  Vec2 normal_ray(const Vec2& t) const;
  std::optional<Mat2> gauge_hessian(const Vec2& t) const;
  double support(const Vec2& v) const;
  Face support_face(const Vec2& v) const;
  Vec2 support_point(const Vec2& v) const;
  Vec2 support_ray(const Vec2& v) const;
  std::optional<Mat2> support_hessian(const Vec2& v) const;
  Vec2 project(const Vec2& t) const;
  bool contains(const Vec2& t) const { return gauge(t) <= 1; }
  double radius(double direction) const;
  Vec2 boundary_point(double direction) const;
  AngleInterval normal_cone(const Vec2& t) const;
  AngleInterval tangent_cone(const Vec2& t) const;
  std::vector<AngleInterval> nonconvex_arcs() const;
  bool is_convex() const;
  bool is_star_shaped() const;
  std::vector<double> corners() const;
  std::vector<double> resolving_angles(int count) const;
  double area() const;
  PlanarSet turned(double by) const;
  PlanarSet scaled(double factor) const;

  // "ellipse", "polar", ...: the name in scenario files.
  std::string_view name() const;
  // In words, with its numbers: "ellipse with semi-axes 0.6 and 0.3, turned by 30 degrees".
  std::string description() const;

 private:
  Shape shape_;
};

}  // namespace slipset
