// Stadium: a rectangle closed by two half ellipses, as for runners on ice.      docs/theory/sets.md
//   S = [-l, l] × {0}  ⊕  ellipse with semi-axes (c, w), in its own axes        [WL19 Fig. 7b] (S.16)
// l half length of the rectangle, w its half width, c how far the caps reach beyond it.
#pragma once

#include "slipset/sets/oriented.hpp"

namespace slipset {

class Stadium : public Oriented<Stadium> {
 public:
  static constexpr std::string_view kName = "stadium";

  // throws InvalidInput unless all three lengths are positive and finite
  Stadium(double half_length, double half_width, double cap, double angle = 0);

  double half_length() const { return length_; }
  double half_width() const { return width_; }
  double cap() const { return cap_; }
  double area() const { return 4 * length_ * width_ + kPi * cap_ * width_; }
  Stadium scaled(double factor) const { return {length_ * factor, width_ * factor, cap_ * factor, angle()}; }

  std::string own_description() const;
  std::vector<double> parameters() const;  // half length, half width, cap, angle [degrees]
  static Stadium from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<Stadium>;
  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  double own_support(const Vec2& v) const;
  Face own_support_face(const Vec2& v) const;
  std::optional<double> own_support_bending(const Vec2& v) const;
  Vec2 own_project(const Vec2& t) const;
  AngleInterval own_normal_cone(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const { return {}; }
  std::vector<double> own_corners() const { return {}; }
  std::vector<double> own_resolving_angles(int count) const;

  // Positive on the flat sides, negative on the caps, zero at the four joints.
  double flatness(const Vec2& t) const { return std::abs(t.y()) * length_ - std::abs(t.x()) * width_; }

  double length_, width_, cap_;
};

}  // namespace slipset
