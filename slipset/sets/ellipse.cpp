#include "slipset/sets/ellipse.hpp"

#include <fmt/format.h>

#include "slipset/sets/internal/ellipsoid_multiplier.hpp"
#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

Ellipse::Ellipse(double a, double b, double angle) : Oriented(angle), axes_(a, b), inverse_(1 / a, 1 / b) {
  require_positive(a, "ellipse: first semi-axis");
  require_positive(b, "ellipse: second semi-axis");
  Mat2 into;  // Rᵀ
  into.col(0) = into_axes({1, 0});
  into.col(1) = into_axes({0, 1});
  to_unit_circle_ = inverse_.asDiagonal() * into;
  a_matrix_ = into.transpose() * axes_.cwiseProduct(axes_).asDiagonal() * into;
}

Vec2 Ellipse::project_by_circle(const Vec2& t) const { return t / std::max(1.0, gauge(t)); }

// With u = (t1/a, t2/b): ∇²k = (t⊥t⊥ᵀ)/(a²b²|u|³).
std::optional<double> Ellipse::own_gauge_bending(const Vec2& t) const {
  const double k = own_gauge(t);
  const double ratio = inverse_.x() * inverse_.y();
  return t.squaredNorm() * ratio * ratio / (k * k * k);
}

Face Ellipse::own_support_face(const Vec2& v) const {
  const Vec2 w = v.cwiseProduct(axes_);
  const Vec2 point = w.cwiseProduct(axes_) / w.norm();
  return {point, point};
}

std::optional<double> Ellipse::own_support_bending(const Vec2& v) const {
  const double h = own_support(v);
  const double product = axes_.x() * axes_.y();
  return v.squaredNorm() * product * product / (h * h * h);
}

Vec2 Ellipse::own_project(const Vec2& t) const {
  const double beta = internal::ellipsoid_multiplier(axes_, t);
  const Vec2 squared = axes_.cwiseProduct(axes_);
  return t.array() * squared.array() / (squared.array() + beta);
}

AngleInterval Ellipse::own_normal_cone(const Vec2& t) const {
  const double normal = angle_of(own_gauge_gradient(t));
  return {normal, normal};
}

std::string Ellipse::own_description() const {
  return fmt::format("ellipse with semi-axes {:.6g} and {:.6g}", axes_.x(), axes_.y());
}

std::vector<double> Ellipse::parameters() const { return {axes_.x(), axes_.y(), degrees(angle())}; }

Ellipse Ellipse::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 3);
  return {x[0], x[1], radians(x[2])};
}

Ellipse quadratic(double n1, double n2, double coupling) {
  require_positive(n1, "quadratic: first intercept");
  require_positive(n2, "quadratic: second intercept");
  require_finite(coupling, "quadratic: coupling");
  if (!(std::abs(coupling) < 2 / (n1 * n2)))
    throw InvalidInput(
        fmt::format("quadratic: coupling is {}; its size must be below 2/(n1 n2) = {}, or the set is not bounded",
                    coupling, 2 / (n1 * n2)));
  Mat2 form;
  form << 1 / (n1 * n1), coupling / 2, coupling / 2, 1 / (n2 * n2);
  const PlanarEigen eigen = symmetric_eigen(form);  // increasing: the long axis first
  const Vec2 axes = eigen.values.cwiseSqrt().cwiseInverse();
  return {axes.x(), axes.y(), angle_of(eigen.vectors.col(0))};
}

}  // namespace slipset
