// The motion v̇ = -g s(v) until rest, for any function s.
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "slipset/core/error.hpp"
#include "slipset/identification/sliding_paths.hpp"

namespace slipset::internal {

// The resistance s points along v to 1e-9, and does not turn it away from there.
template <class Resistance>
bool keeps_direction(const Resistance& resistance, const Vec2& v, const Vec2& s) {
  constexpr double kOff = 1e-3;
  if (!(std::abs(cross(v, s)) < 1e-9 * std::abs(v.dot(s)))) return false;
  const Vec2 left = v + kOff * turn_left(v), right = v - kOff * turn_left(v);
  const double rounding = 1e-9 * v.norm() * s.norm();
  return cross(left, resistance(left)) > -rounding && cross(right, resistance(right)) < rounding;
}

// See slide_positions. `of_direction`: s does not depend on the speed.
template <class Resistance>
std::vector<Vec2> slide(const Resistance& resistance, bool of_direction, const Vec2& velocity,
                        std::span<const double> times, const SlideOptions& options, PathSummary* summary) {
  std::vector<Vec2> out(times.size(), Vec2::Zero());
  Vec2 x = Vec2::Zero(), v = velocity;
  const double g = options.gravity, rest = options.rest * velocity.norm();
  double t = 0, length = 0;
  std::size_t next = 0;
  for (; next < times.size() && times[next] <= 0; ++next) out[next] = velocity * times[next];
  for (int steps = 0; v.norm() > rest && (summary != nullptr || next < times.size()); ++steps) {
    if (steps == options.most_steps)
      throw InvalidInput(
          fmt::format("the slide has not come to rest after {} steps: the law is too elongated to be followed", steps));
    const Vec2 s = resistance(v), a1 = -g * s;
    if (of_direction && keeps_direction(resistance, v, s)) {  // the rest is a straight line
      const double left = v.norm() / a1.norm();
      for (; next < times.size() && times[next] <= t + left; ++next)
        out[next] = x + (times[next] - t) * v + std::pow(times[next] - t, 2) / 2 * a1;
      x += left / 2 * v;
      length += left / 2 * v.norm();
      t += left;
      break;
    }
    double h = options.part * v.norm() / a1.norm();
    Vec2 a2, a3, a4;
    for (int halved = 0;; ++halved, h /= 2) {
      a2 = -g * resistance(v + h / 2 * a1);
      a3 = -g * resistance(v + h / 2 * a2);
      a4 = -g * resistance(v + h * a3);
      // The resistance of an elongated D turns faster than the velocity does.
      if (halved == 20 || (a4 - a1).norm() < 0.1 * a1.norm()) break;
    }
    const Vec2 v_new = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), x_new = x + h * v + h * h / 6 * (a1 + a2 + a3);
    if (!v_new.allFinite()) throw InvalidInput("the slide leaves the range of numbers");
    const double chord = (x_new - x).norm(), turn = std::atan2(cross(v, v_new), v.dot(v_new));
    length += chord * (1 + turn * turn / 24);
    for (; next < times.size() && times[next] <= t + h; ++next) {  // Hermite
      const double u = (times[next] - t) / h, w = 1 - u;
      out[next] =
          x * (w * w * (1 + 2 * u)) + x_new * (u * u * (3 - 2 * u)) + h * (v * (u * w * w) - v_new * (u * u * w));
    }
    x = x_new;
    v = v_new;
    t += h;
  }
  for (; next < times.size(); ++next) out[next] = x;
  if (summary != nullptr) {
    const Vec2 along = velocity.normalized();
    summary->length = length;
    summary->end = {along.dot(x), cross(along, x)};
    summary->deflection = std::atan2(summary->end.y(), summary->end.x());
    summary->stop_time = t;
  }
  return out;
}

}  // namespace slipset::internal
