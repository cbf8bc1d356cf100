// Ellipse: section of an anisotropic friction cone.                   docs/theory/sets.md
//   E = { t : tᵀA⁻¹t ≤ 1 },  A = R diag(a², b²) Rᵀ,  R = rotation by angle             [WL19 34]
//   k(t) = √(tᵀA⁻¹t),  h(v) = √(vᵀAv),  ∇h(v) = Av/h(v)                            [WL19 116, 117]
// As a reservoir: a, b principal friction coefficients [-].
#pragma once

#include "slipset/sets/oriented.hpp"

namespace slipset {

class Ellipse : public Oriented<Ellipse> {
 public:
  static constexpr std::string_view kName = "ellipse";

  Ellipse(double a, double b, double angle = 0);  // throws InvalidInput unless a, b > 0 and finite

  const Vec2& semi_axes() const { return axes_; }
  double area() const { return kPi * axes_.x() * axes_.y(); }
  Ellipse scaled(double factor) const { return {axes_.x() * factor, axes_.y() * factor, angle()}; }
  Ellipse turned(double by) const { return {axes_.x(), axes_.y(), angle() + by}; }

  std::string own_description() const;
  std::vector<double> parameters() const;  // a, b, angle [degrees]
  static Ellipse from_parameters(std::span<const double> parameters);

  // What contact steps are made of, with the rotation multiplied into the matrices.
  double gauge(const Vec2& t) const { return (to_unit_circle_ * t).norm(); }
  Vec2 support_ray(const Vec2& v) const { return a_matrix_ * v; }
  Vec2 normal_ray(const Vec2& t) const { return to_unit_circle_.transpose() * (to_unit_circle_ * t); }

  // What the transformation to a circle gives in place of the projection [WL16 7, Sect. 4]: the closest
  // point of the unit circle to the image of t, mapped back. It is t/k(t), the closest point in the
  // ellipse's own norm, not the closest point. The normal cone inclusion y ∈ N_E(x) is nevertheless
  // solved by it: x = project_by_circle(x + r A y) for any r > 0 (the step is scaled with A).  (S.11)
  // A y is support_ray(y).
  Vec2 project_by_circle(const Vec2& t) const;

 private:
  friend class Oriented<Ellipse>;
  double own_gauge(const Vec2& t) const { return t.cwiseProduct(inverse_).norm(); }
  Vec2 own_gauge_gradient(const Vec2& t) const {
    const Vec2 u = t.cwiseProduct(inverse_);
    return u.cwiseProduct(inverse_) / u.norm();
  }
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  double own_support(const Vec2& v) const { return v.cwiseProduct(axes_).norm(); }
  Face own_support_face(const Vec2& v) const;
  std::optional<double> own_support_bending(const Vec2& v) const;
  Vec2 own_project(const Vec2& t) const;
  AngleInterval own_normal_cone(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const { return {}; }
  std::vector<double> own_corners() const { return {}; }
  std::vector<double> own_resolving_angles(int count) const { return stretched_angles(axes_.x(), axes_.y(), count); }

  Vec2 axes_, inverse_;
  Mat2 to_unit_circle_;  // diag(1/a, 1/b) Rᵀ
  Mat2 a_matrix_;        // A
};

// { t : (t1/n1)² + (t2/n2)² + ν t1 t2 ≤ 1 }: an ellipse by its intercepts with the axes and a coupling
// |ν| < 2/(n1 n2).                                            [WL19 115, with ν inside the root]
Ellipse quadratic(double n1, double n2, double coupling);

}  // namespace slipset
