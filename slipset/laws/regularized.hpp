// Coulomb friction along one line for ordinary integrators.           docs/theory/regularized.md
//   f = f(v, b; L):  v slip velocity [m/s], L = μN friction limit [N], f force on the body [N],
//   b the balance force: the friction force that would hold the contact at rest, f_eq in [Q04]
// sign          f = -L sgn v;  at v = 0 exactly: b cut to [-L, L]                                     [Q04 1, 2]
// martins-oden  f = -L cut(v/ε)                                                                       [Q04 3]
// karnopp       f = b cut to [-L, L] for |v| < ε, else -L sgn v                                       [Q04 Fig. 2]
// arctan        f = -(2L/π) arctan(πv/2ε), the slope of martins-oden at rest                          (R.1)
// quinn         f = L cut( cut(b/L) - v/ε )                                                           [Q04 4]
// with cut(x) = min(max(x, -1), 1). `width` half puts ε/2 in the place of ε, as [Q04 Sect. 3.1.1] does.
// For loops: visit() hands out the law as a small function object, so that its kind is looked up once.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace slipset {

enum class Regularization { sign, martins_oden, karnopp, arctan, quinn };
enum class RampWidth { full, half };

// The names used in scenario files, in the order of the enumerations.
constexpr std::array<std::string_view, 5> kRegularizationNames = {"sign", "martins-oden", "karnopp", "arctan", "quinn"};
constexpr std::array<std::string_view, 2> kRampWidthNames = {"full", "half"};

// x cut to [-limit, limit]. NaN stays NaN.
inline double cut(double x, double limit) {
  const double below = x > limit ? limit : x;  // one after the other: loops over it can then be vectorised
  return below < -limit ? -limit : below;
}

// The five laws. `kUsesBalance`: the force depends on b. `kContinuous`: in v and b.
struct SignForce {
  static constexpr bool kUsesBalance = true, kContinuous = false;
  double operator()(double v, double balance, double limit) const {
    return v > 0 ? -limit : v < 0 ? limit : v == 0 ? cut(balance, limit) : v;
  }
};
struct MartinsOdenForce {
  static constexpr bool kUsesBalance = false, kContinuous = true;
  double inverse_width;
  double operator()(double v, double, double limit) const { return -cut(limit * inverse_width * v, limit); }
};
struct KarnoppForce {
  static constexpr bool kUsesBalance = true, kContinuous = false;
  double width;
  double operator()(double v, double balance, double limit) const {
    return v >= width ? -limit : v <= -width ? limit : v == v ? cut(balance, limit) : v;
  }
};
struct ArctanForce {
  static constexpr bool kUsesBalance = false, kContinuous = true;
  double inverse_width;
  double operator()(double v, double, double limit) const {
    constexpr double half_pi = 1.5707963267948966;
    return -limit / half_pi * std::atan(half_pi * inverse_width * v);
  }
};
struct QuinnForce {
  static constexpr bool kUsesBalance = true, kContinuous = true;
  double inverse_width;
  double operator()(double v, double balance, double limit) const {
    return cut(cut(balance, limit) - limit * inverse_width * v, limit);
  }
};

class RegularizedCoulomb {
 public:
  // `epsilon` [m/s], the half width of the ramp for RampWidth::full. Throws InvalidInput unless it is finite and
  // positive; the sign law has none and takes any.
  RegularizedCoulomb(Regularization kind, double epsilon, RampWidth width = RampWidth::full);
  static RegularizedCoulomb sign() { return {Regularization::sign, 1}; }

  Regularization kind() const { return kind_; }
  std::string_view name() const { return kRegularizationNames[static_cast<std::size_t>(kind_)]; }
  double epsilon() const { return epsilon_; }
  RampWidth width() const { return width_; }
  // Slip speed up to which a contact counts as near stick: ε, or ε/2; 0 for sign.
  double half_width() const { return half_width_; }
  // -df/dv at rest over the limit [s/m]: 1/half_width for the three with a ramp, 0 for sign and karnopp.
  double ramp_slope() const;

  double force(double v, double balance, double limit) const;

  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    const double inverse = half_width_ > 0 ? 1 / half_width_ : 0;
    switch (kind_) {
      case Regularization::martins_oden: return visitor(MartinsOdenForce{inverse});
      case Regularization::karnopp: return visitor(KarnoppForce{half_width_});
      case Regularization::arctan: return visitor(ArctanForce{inverse});
      case Regularization::quinn: return visitor(QuinnForce{inverse});
      case Regularization::sign: break;
    }
    return visitor(SignForce{});
  }

 private:
  Regularization kind_;
  double epsilon_, half_width_;
  RampWidth width_;
};

}  // namespace slipset
