// Planar friction laws (C, D) for ordinary integrators.               docs/theory/regularized.md
//   r = r(v, b):  v slip velocity [m/s], r resistance, b the balance resistance: the one that would hold the contact at
//   rest (minus the balance force over the normal force). σ = |v|/ε. cut_C(x) = x/max(1, k_C(x)) is in C, which is
//   star-shaped. s(v) is the slip resistance, made continuous across the flat sides of D by fans (R.13).
// sign          s(v);  at v = 0 exactly: cut_C(b)
// martins-oden  min(σ, 1) s(v)
// karnopp       cut_C(b) for σ < 1, else s(v)
// arctan        (2/π) arctan(πσ/2) s(v)
// quinn         cut_C( y + w (s(v) - y) ),  y = cut_C( cut_C(b) + σ s(v) ),  w = σ - 2 cut to [0, 1]        (R.12)
// Quinn's form is cut_C(b) at rest, and s(v) for |v| ≥ 3ε in every direction, whatever b is. Where b and v lie on an
// axis of symmetry of both sets it is [Q04 4]. A Stribeck factor scales C, at the speed |v|.
#pragma once

#include "slipset/laws/regularized.hpp"
#include "slipset/laws/slip_path.hpp"

namespace slipset {

class RegularizedLaw {
 public:
  RegularizedLaw(FrictionLaw law, const RegularizedCoulomb& form);

  const FrictionLaw& law() const { return law_; }
  const RegularizedCoulomb& form() const { return form_; }

  // r(v, b), in the reservoir. NaN in, NaN out. No allocation.
  Vec2 resistance(const Vec2& v, const Vec2& balance) const;
  // Whether r depends on b at this velocity.
  bool needs_balance(const Vec2& v) const;
  // Largest ‖∂r/∂v‖ on the ramp [s/m], sampled over the directions at b = 0; 0 for sign and karnopp.       (R.14)
  double ramp_slope() const { return slope_; }

 private:
  // A flat side of D and the fan of velocities around its normal in which the resistance goes from its one end to the
  // other.                                                                                              (R.13)
  struct Fan {
    Vec2 normal, across;   // across: to the left of the normal, as from → to
    Vec2 from, to;         // the ends, points of D
    double first, second;  // s(from)·across, s(to)·across
    double share;          // fan over speed, where it is limited by the next side
  };
  const Fan* fan_of(const Vec2& v, double speed) const;
  double fan_width(const Fan& fan, double speed) const;
  Vec2 on_reservoir(const Vec2& z) const { return z / law_.reservoir().gauge(z); }
  Vec2 cut_to_reservoir(const Vec2& x) const;
  Vec2 in_fan(const Fan& fan, const Vec2& v, double speed, const Vec2* balance) const;
  // s(v) without rate dependence, v ≠ 0; `balance` null: the middle of a side takes its place.
  Vec2 slip(const Vec2& v, double speed, const Vec2* balance) const;
  Vec2 without_rate(const Vec2& v, double speed, const Vec2& balance) const;
  double sampled_slope() const;

  FrictionLaw law_;
  RegularizedCoulomb form_;
  std::vector<Fan> fans_;
  double slope_ = 0;
};

}  // namespace slipset
