#include "slipset/core/angle.hpp"

namespace slipset {

Vec2 unit_at_degrees(double angle) {
  const double turns = std::floor(angle / 90 + 0.5);
  const double rest = radians(angle - 90 * turns);  // exact at multiples of 90, small elsewhere
  const double c = std::cos(rest), s = std::sin(rest);
  switch (static_cast<int>(std::fmod(std::fmod(turns, 4) + 4, 4))) {
    case 0: return {c, s};
    case 1: return {-s, c};
    case 2: return {-c, -s};
    default: return {s, -c};
  }
}

double wrap_to_pi(double angle) {
  const double wrapped = std::remainder(angle, 2 * kPi);  // in [-pi, pi]
  return wrapped <= -kPi ? wrapped + 2 * kPi : wrapped;
}

double wrap_to_turn(double angle) {
  const double wrapped = std::fmod(angle, 2 * kPi);
  if (wrapped >= 0) return wrapped;
  const double positive = wrapped + 2 * kPi;
  return positive < 2 * kPi ? positive : 0;  // a tiny negative angle rounds up to a full turn
}

}  // namespace slipset
