// Wedge: the reservoir of parallel wedge-shaped asperities.           docs/theory/sets.md
//   r(θ) = μ/cosβ √(cos²β cos²θ + sin²θ) / (sin²θ + (1 - (1 + μ²) sin²β) cos²θ)         [WL19 50]
//   In the axes (x cosβ, y) this is 1/r = (cosβ/μ)(1 - m cos²τ), m = μ² tan²β: convex exactly for
//   m ≤ 1/2, that is μ tanβ ≤ 1/√2                                                           (S.26)
// μ friction coefficient of the inclined planes, β their slope [rad], e1 across the wedges.
#pragma once

#include "slipset/sets/smooth_boundary.hpp"

namespace slipset {

class Wedge : public SmoothSet<Wedge> {
 public:
  static constexpr std::string_view kName = "wedge";

  // Throws InvalidInput unless μ > 0, 0 ≤ β < π/2 and μ < cot β.
  Wedge(double friction, double slope, double angle = 0);

  double friction() const { return friction_; }
  double slope() const { return slope_; }
  double size() const { return size_; }  // factor on the reservoir above, 1 unless scaled
  double area() const;
  Wedge scaled(double factor) const;

  std::string own_description() const;
  std::vector<double> parameters() const;  // friction, slope [degrees], size, angle [degrees]
  static Wedge from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<Wedge>;
  friend class SmoothSet<Wedge>;
  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const;
  std::vector<double> own_resolving_angles(int count) const;

  LogRadius log_radius(double tau) const;
  const Vec2& scale() const { return scale_; }

  double friction_, slope_, size_ = 1;
  double steepness_;  // m
  double level_;      // cosβ/(μ size): 1/r at τ = 90°
  Vec2 scale_;        // (1/cosβ, 1)
};

}  // namespace slipset
