// Rectangle: two independent friction bounds, as in an X-Y table.     docs/theory/sets.md
//   R = { t : |t1| ≤ a, |t2| ≤ b } in its own axes, turned by angle                     [WL19 36]
#pragma once

#include "slipset/sets/oriented.hpp"

namespace slipset {

class Rectangle : public Oriented<Rectangle> {
 public:
  static constexpr std::string_view kName = "rectangle";

  Rectangle(double a, double b, double angle = 0);  // throws InvalidInput unless a, b > 0 and finite

  const Vec2& semi_axes() const { return axes_; }
  double area() const { return 4 * axes_.x() * axes_.y(); }
  Rectangle scaled(double factor) const { return {axes_.x() * factor, axes_.y() * factor, angle()}; }

  std::string own_description() const;
  std::vector<double> parameters() const;  // a, b, angle [degrees]
  static Rectangle from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<Rectangle>;
  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  double own_support(const Vec2& v) const { return axes_.dot(v.cwiseAbs()); }
  Face own_support_face(const Vec2& v) const;
  std::optional<double> own_support_bending(const Vec2& v) const;
  Vec2 own_project(const Vec2& t) const { return t.cwiseMax(-axes_).cwiseMin(axes_); }
  AngleInterval own_normal_cone(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const { return {}; }
  std::vector<double> own_corners() const;
  std::vector<double> own_resolving_angles(int count) const;

  Vec2 axes_;
};

}  // namespace slipset
