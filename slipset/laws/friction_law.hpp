// A dry friction law is two sets in the contact plane.                docs/theory/laws.md
//   reservoir  C: resistances that the contact can supply, per unit normal force; star-shaped
//   direction  D: the slip velocity is normal to D where the resistance's ray leaves it; convex
//   stick: resistance ∈ C     slip: s(v) = z / k_C(z), z = ∇h_D(v)                          [WL19 55, 84]
// `resistance` is minus the friction force over the normal force; it points along the slip.
// Sets hold no scale of D: it is normalised to the largest copy inside C, as [WL19 63] asks.
#pragma once

#include <optional>

#include "slipset/laws/adhesion.hpp"
#include "slipset/sets/planar_set.hpp"

namespace slipset {

// Rate dependence: the reservoir is multiplied by 1 + (static - 1) exp(-(|v|/velocity)²) + viscous |v|.   (L.1)
struct Stribeck {
  double static_ratio;  // factor at rest over that well above the Stribeck velocity, without the viscous part [-], > 0
  double velocity;      // Stribeck velocity [m/s], > 0
  double viscous = 0;   // growth of the factor with speed [s/m], >= 0

  double factor(double speed) const;
  double slope(double speed) const;  // d factor / d speed [s/m]
  bool falls() const;                // the slope is negative at some speed
};

// Throws InvalidInput, naming `what`, for a set so large, small or elongated (1e7) that double precision could not tell
// its directions apart.
void require_moderate(const PlanarSet& set, const char* what);

class FrictionLaw {
 public:
  // Throws InvalidInput unless both are moderate and `direction` is convex. Scales `direction` to the largest copy
  // inside `reservoir`.
  FrictionLaw(PlanarSet reservoir, PlanarSet direction, std::optional<Stribeck> stribeck = std::nullopt);

  const PlanarSet& reservoir() const { return reservoir_; }
  const PlanarSet& direction() const { return direction_; }
  const std::optional<Stribeck>& stribeck() const { return stribeck_; }

  // The contact's elasticity before it slips; empty: rigid. Only time-stepping and ElasticReturn use it.
  const std::optional<Adhesion>& elastic() const { return elastic_; }

  FrictionLaw with_stribeck(const Stribeck& stribeck) const;
  FrictionLaw with_elastic(const Adhesion& adhesion) const;
  // The same surface turned counter-clockwise by `by` [rad].
  FrictionLaw turned(double by) const;

  // Calls visitor(C, D) with the two shapes as what they are. For loops over many velocities.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return reservoir_.visit([&](const auto& c) -> decltype(auto) {
      return direction_.visit([&](const auto& d) -> decltype(auto) { return visitor(c, d); });
    });
  }

 private:
  PlanarSet reservoir_;
  PlanarSet direction_;
  std::optional<Stribeck> stribeck_;
  std::optional<Adhesion> elastic_;
};

// s(v) for a pair of sets, without rate dependence; v ≠ 0. NaN in, NaN out.                 [WL19 84]
template <class Reservoir, class Direction>
Vec2 slip_resistance(const Reservoir& reservoir, const Direction& direction, const Vec2& v) {
  const Vec2 z = direction.support_ray(v);
  const double k = reservoir.gauge(z);
  if (!(k > 1e-120 && k < 1e120)) [[unlikely]] {  // a speed whose square may leave the range of numbers
    const double size = v.lpNorm<Eigen::Infinity>();
    if (size == 0) return Vec2::Zero();
    if (size < 1e-60 || (size > 1e60 && std::isfinite(size)))
      return slip_resistance(reservoir, direction, Vec2(v / size));
  }
  return z / k;
}

// The resistance at slip velocity v; where D has a flat side normal to v, that of the side's middle. At v = 0
// the law is set-valued (any point of C): returns 0, which is one of them.                    [WL19 84]
Vec2 slip_resistance(const FrictionLaw& law, const Vec2& v);
// The two ends of the set of resistances at v ≠ 0: the image of D's flat side, or twice the same point.
Face slip_resistance_range(const FrictionLaw& law, const Vec2& v);
// ∂s/∂v, analytic. Empty where it does not exist: v = 0, v normal to a flat side of D, s at a corner of C.
//                                                                                        [WL19 87, 88]
std::optional<Mat2> slip_jacobian(const FrictionLaw& law, const Vec2& v);
// s(v)·v: power turned into heat, per unit normal force [m/s].                               [WL19 26]
double dissipation(const FrictionLaw& law, const Vec2& v);
// Whether the contact can supply this resistance while it sticks. `slack` is relative.    [WL19 57]
bool is_admissible(const FrictionLaw& law, const Vec2& resistance, double slack = 0);

// α(s) = 1/(k_D(s) - k_C(s) + 1): α s is in D, and on its boundary exactly when s is on that of C. [WL19 56]
double alpha_of_resistance(const FrictionLaw& law, const Vec2& resistance);
// α as a function of z = α s: k_C(z) - k_D(z) + 1.                                           [WL19 67]
double alpha_of_scaled(const FrictionLaw& law, const Vec2& z);

}  // namespace slipset
