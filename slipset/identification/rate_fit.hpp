// Stribeck curve and LuGre model from a record of friction over velocity.       docs/theory/identification.md
//   Stribeck: f(v) = sgn v μ (1 + (q - 1) exp(-(|v|/v_s)²)) + σ2 v, per unit normal force                       (I.13)
//   LuGre:    ż = v - σ0|v| z/g(v),  f = σ0 z + σ1 ż + σ2 v,  g(v) = μ (1 + (q - 1) exp(-(|v|/v_s)²))    [H07 1, 2]
// Staged: for each v_s of a grid the curve is linear in the rest; then Ceres fits all. For LuGre the steady part of the
// record gives the curve first, the slope of force over displacement after reversals gives σ0, then all are fitted to
// the whole record. Between samples v is linear. Over the way w of the bristles, dz/dw = sgn v - σ0 z/g: with g linear
// over a part of a step z has a closed form, and reversals are ends of parts.                               (I.26)
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipset/laws/friction_law.hpp"
#include "slipset/laws/lugre.hpp"

namespace slipset {

struct RateRecord {
  std::vector<double> time, velocity, friction;  // [s], [m/s], per unit normal force; Stribeck curves need no time
};

struct RateParameter {
  std::string name{};  // "friction", "static", "velocity", "sigma0", "sigma1", "sigma2"
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN if not identified
  std::optional<double> sigma{}, low{}, high{};             // 95 % interval, whatever the other parameters are
  bool identified = true;
  std::string why{};  // it is not
};

// Above it friction is flagged: a unit, or thousands that were read as decimals.
inline constexpr double kLargestFriction = 10;

struct RateFit {
  std::vector<RateParameter> parameters;
  // The law of least squares; parameters that are not identified have one of many values that fit as well.
  double friction = 0;      // μ
  Stribeck stribeck{1, 1};  // q, v_s, σ2/μ
  std::optional<LuGre> lugre;
  bool magnitude = false;  // the friction was one, and got the sign of the velocity
  double offset = 0;       // of the friction's zero, taken off; 0 where none was found
  double deflection = 0;   // z of the LuGre model at the first sample [m]
  double rms = 0;          // of the residuals, per unit normal force
  double autocorrelation =
      0;  // of neighbouring residuals; near 1: the model misses something, and intervals are too narrow
  std::size_t samples = 0;
  std::size_t steady = 0;  // samples used in the first stage
  bool converged = false;
  int iterations = 0;
  std::vector<std::string> notes;

  const RateParameter& parameter(std::string_view name) const;
};

// Slip speed [m/s], of either sign, and friction per unit normal force of the same sign. Throws InvalidInput, also where
// the friction has the opposite sign, summed over all samples. With slip in both directions fit_stribeck takes friction
// that is positive in both as its magnitude, with a note; fit_lugre refuses it, since at reversals the sign is missing.
// With slip in both directions a zero offset of the friction is found, as a parameter "offset", where BIC asks for it.
RateFit fit_stribeck(std::span<const double> velocity, std::span<const double> friction);
RateFit fit_lugre(std::span<const double> time, std::span<const double> velocity, std::span<const double> friction);

// The friction of a LuGre model on a line at these times, from z = z0.
std::vector<double> lugre_response(std::span<const double> time, std::span<const double> velocity, double friction,
                                   const Stribeck& stribeck, const LuGre& lugre, double z0 = 0);
double stribeck_friction(double velocity, double friction, const Stribeck& stribeck);

}  // namespace slipset
