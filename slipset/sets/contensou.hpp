// The Coulomb-Contensou set: sliding and drilling friction of a circular patch.      docs/theory/rolling.md
// Every point r of the patch slips with v + ω × r and resists with Coulomb's law, with the pressure p(r) (∫ p dA = 1):
//   h(v, ω) = ∫ p |v + ω × r| dA = |ω| φ(|v|/|ω|),   φ(c) = ∫ p |r - c| dA                                     (T.1)
// in units of the patch's radius R and of the friction coefficient μ: v slip velocity, ω spin times R; points of the
// set are (force over μN, torque over μNR). h is the support function of a convex set that is round about the third
// axis:
//   force φ'(c) along v, torque φ(c) - c φ'(c) along ω, c the distance of the centre of rotation                  (T.2)
// φ is closed for the three pressures: elliptic integrals (uniform, ring), elementary (Hertz). Smooth but at v = ω = 0;
// for the ring the curvature radius is infinite, as a logarithm, at |v| = |ω|.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "slipset/core/vec.hpp"

namespace slipset {

enum class PatchPressure { uniform, hertz, ring };
// The names used in scenario files, in the order of the enumeration.
inline constexpr std::array<std::string_view, 3> kPatchPressureNames = {"uniform", "hertz", "ring"};

class ContensouSet {
 public:
  explicit ContensouSet(PatchPressure pressure) : pressure_(pressure) {}

  PatchPressure pressure() const { return pressure_; }
  // Torque over μNR of pure drilling: 2/3 uniform, 3π/16 Hertz, 1 ring. The force of pure sliding is 1.
  double drilling_limit() const;

  double gauge(const Vec3& t) const;                         // NaN in, NaN out
  Vec3 gauge_gradient(const Vec3& t) const;                  // 0 at t = 0
  double support(const Vec3& v) const;                       //                                                  (T.1)
  Vec3 support_point(const Vec3& v) const;                   // 0 at v = 0                                       (T.2)
  std::optional<Mat3> support_hessian(const Vec3& v) const;  // empty at v = 0
  // The closest point, and its derivative by t if that is not null. NaN in, NaN out.
  Vec3 project(const Vec3& t, Mat3* derivative = nullptr) const;
  bool contains(const Vec3& t) const { return gauge(t) <= 1; }

  // The meridian of the set at the normal (cos angle, sin angle), angle from 0 (sliding) to π/2 (drilling).
  struct Meridian {
    double support;        // h
    Vec2 point;            // force, torque; both from 0 on
    double curvature;      // radius of curvature of the meridian
    double circumference;  // radius of curvature across it: force/cos(angle), also where both are 0
  };
  Meridian meridian(double angle) const { return meridian(std::cos(angle), std::sin(angle)); }

 private:
  Meridian meridian(double a, double b) const;  // a, b >= 0, a² + b² = 1
  double nearest_angle(const Vec2& t) const;    // of the closest point's normal, t outside
  double ray_angle(const Vec2& t) const;        // of the normal where the ray of t leaves the set

  PatchPressure pressure_;
};

// φ and its derivatives, in the form that is regular at both ends.
struct PatchProfile {
  double value;       // φ(c), or s φ(1/s)
  double slope_over;  // its derivative over its argument: φ'(c)/c, or torque/s
  double bending;     // its second derivative
};
PatchProfile patch_inside(PatchPressure pressure, double c);   // φ, 0 <= c <= 1
PatchProfile patch_outside(PatchPressure pressure, double s);  // χ(s) = s φ(1/s), 0 <= s <= 1; χ' is the torque

}  // namespace slipset
