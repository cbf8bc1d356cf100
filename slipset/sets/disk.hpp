// Disk: isotropic friction.                                           docs/theory/sets.md
//   B = { t : |t| ≤ r },  k(t) = |t|/r,  h(v) = r|v|
// As a reservoir: r the friction coefficient [-].
#pragma once

#include "slipset/sets/oriented.hpp"

namespace slipset {

class Disk : public Oriented<Disk> {
 public:
  static constexpr std::string_view kName = "disk";

  explicit Disk(double radius);  // throws InvalidInput unless radius > 0 and finite

  using Oriented<Disk>::radius;
  double radius() const { return radius_; }
  double area() const { return kPi * radius_ * radius_; }
  Disk scaled(double factor) const { return Disk(radius_ * factor); }

  std::string own_description() const;
  std::vector<double> parameters() const;  // radius
  static Disk from_parameters(std::span<const double> parameters);

  // Without a rotation, which a disk does not have.
  double gauge(const Vec2& t) const { return t.norm() / radius_; }
  Vec2 support_ray(const Vec2& v) const { return v; }

 private:
  friend class Oriented<Disk>;
  double own_gauge(const Vec2& t) const { return gauge(t); }
  Vec2 own_gauge_gradient(const Vec2& t) const { return t / (radius_ * t.norm()); }
  std::optional<double> own_gauge_bending(const Vec2& t) const { return 1 / (radius_ * t.norm()); }
  double own_support(const Vec2& v) const { return radius_ * v.norm(); }
  Face own_support_face(const Vec2& v) const {
    const Vec2 point = v * (radius_ / v.norm());
    return {point, point};
  }
  std::optional<double> own_support_bending(const Vec2& v) const { return radius_ / v.norm(); }
  Vec2 own_project(const Vec2& t) const { return t * (radius_ / t.norm()); }
  AngleInterval own_normal_cone(const Vec2& t) const { return {angle_of(t), angle_of(t)}; }
  std::vector<AngleInterval> own_nonconvex_arcs() const { return {}; }
  std::vector<double> own_corners() const { return {}; }
  std::vector<double> own_resolving_angles(int count) const { return stretched_angles(1, 1, count); }

  double radius_;
};

}  // namespace slipset
