// Adhesion tensor: the elastic part of an interface.                  docs/theory/elastic.md
//   T = B e,  B = R diag(ε1, ε2) Rᵀ,  R = rotation by angle                    [K07 13, 30 with its signs corrected]
// T tangential force as the surface feels it [N], e elastic stretch of the interface [m], ε stiffnesses [N/m].
#pragma once

#include "slipset/core/vec.hpp"

namespace slipset {

class Adhesion {
 public:
  Adhesion(double stiffness_1, double stiffness_2, double angle = 0);  // throws InvalidInput unless positive, finite

  const Vec2& stiffness() const { return stiffness_; }
  double angle() const { return angle_; }  // of the first axis [rad]
  const Mat2& tensor() const { return tensor_; }
  const Mat2& compliance() const { return compliance_; }  // B⁻¹
  Adhesion turned(double by) const { return {stiffness_.x(), stiffness_.y(), angle_ + by}; }
  Adhesion scaled(double factor) const { return {stiffness_.x() * factor, stiffness_.y() * factor, angle_}; }

  // Components along the tensor's own axes, and back.
  Vec2 into_axes(const Vec2& x) const { return {cos_ * x.x() + sin_ * x.y(), cos_ * x.y() - sin_ * x.x()}; }
  Vec2 out_of_axes(const Vec2& x) const { return {cos_ * x.x() - sin_ * x.y(), cos_ * x.y() + sin_ * x.x()}; }

  Vec2 stretch(const Vec2& force) const { return out_of_axes(into_axes(force).cwiseQuotient(stiffness_)); }
  Vec2 force(const Vec2& stretch) const { return out_of_axes(into_axes(stretch).cwiseProduct(stiffness_)); }
  double energy(const Vec2& force) const { return into_axes(force).cwiseAbs2().cwiseQuotient(stiffness_).sum() / 2; }

 private:
  Vec2 stiffness_;
  double angle_, cos_, sin_;
  Mat2 tensor_, compliance_;
};

}  // namespace slipset
