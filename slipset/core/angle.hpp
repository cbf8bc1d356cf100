// Angles in the contact plane: radians in code, degrees in files.
#pragma once

#include <cmath>
#include <numbers>

#include "slipset/core/vec.hpp"

namespace slipset {

inline constexpr double kPi = std::numbers::pi;

inline constexpr double radians(double degrees) { return degrees * (kPi / 180); }
inline constexpr double degrees(double radians) { return radians * (180 / kPi); }

// 20_deg, in radians: Ellipse(0.6, 0.2, 20_deg).
inline namespace literals {
constexpr double operator""_deg(long double degrees) { return radians(static_cast<double>(degrees)); }
constexpr double operator""_deg(unsigned long long degrees) { return radians(static_cast<double>(degrees)); }
}  // namespace literals

inline Vec2 unit(double angle) { return {std::cos(angle), std::sin(angle)}; }
inline double angle_of(const Vec2& x) { return std::atan2(x.y(), x.x()); }

// The unit vector at an angle in degrees, exact at the multiples of 90.
Vec2 unit_at_degrees(double angle);

// The same direction in (-pi, pi].
double wrap_to_pi(double angle);
// The same direction in [0, 2 pi).
double wrap_to_turn(double angle);

// The directions from `from` counter-clockwise to `to`, both included; from <= to <= from + 2 pi.
struct AngleInterval {
  double from;
  double to;

  double width() const { return to - from; }
  // Whether the direction `angle` lies inside; `slack` [rad] widens the interval on both sides.
  bool contains(double angle, double slack = 0) const {
    const double ahead = wrap_to_turn(angle - from + slack);
    return ahead <= width() + 2 * slack;
  }
};

}  // namespace slipset
