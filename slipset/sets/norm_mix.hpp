// NormMix: the level set of a weighted sum of the 2-norm and the 4-norm.        docs/theory/sets.md
//   k(t) = w2 ‖u‖₂ + w4 ‖u‖₄,  u = (t1/a, t2/b) in its own axes
//   [WL16 31] has weights (2.5, -1.5): a non-convex reservoir inside its ellipse, equal at the axes.
//   Along the unit circle k + k'' = w2 + w4 q, q = 3 c²s²/(c⁴ + s⁴)^(7/4) from 0 at the axes to 3/4·2^(7/4)
//   at 45°: convex exactly when w2 ≥ 0 and w2 + 3/4·2^(7/4) w4 ≥ 0                             (S.27)
#pragma once

#include "slipset/sets/smooth_boundary.hpp"

namespace slipset {

class NormMix : public SmoothSet<NormMix> {
 public:
  static constexpr std::string_view kName = "norm_mix";

  // Throws InvalidInput unless a, b > 0 and k > 0 for every t ≠ 0: w2 + w4 > 0, w2 + 2^(-1/4) w4 > 0.
  NormMix(double a, double b, double w2, double w4, double angle = 0);

  const Vec2& semi_axes() const { return axes_; }
  double w2() const { return w2_; }
  double w4() const { return w4_; }
  double area() const;
  NormMix scaled(double factor) const { return {axes_.x() * factor, axes_.y() * factor, w2_, w4_, angle()}; }

  std::string own_description() const;
  std::vector<double> parameters() const;  // a, b, w2, w4, angle [degrees]
  static NormMix from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<NormMix>;
  friend class SmoothSet<NormMix>;
  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const;
  std::vector<double> own_resolving_angles(int count) const;

  LogRadius log_radius(double tau) const;
  const Vec2& scale() const { return axes_; }

  Vec2 axes_;
  double w2_, w4_;
};

}  // namespace slipset
