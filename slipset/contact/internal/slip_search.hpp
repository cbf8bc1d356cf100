// The scalar equation of slip (C.2) as a function of the resistance's ray, for a pair of sets of known kinds.
#pragma once

#include <algorithm>

#include "slipset/contact/planar_local.hpp"

namespace slipset::internal {

constexpr double kNoMobility = 1e-20;  // of the other axis: rounding

// Whether a contact with this block of its tangents can move along one line only.
inline bool is_along_one_line(const Mat2& tangential) {
  const double a = tangential(0, 0), b = tangential(1, 1);
  return a + b > 0 && !(std::min(a, b) > kNoMobility * std::max(a, b) && tangential.determinant() > 1e-13 * a * b);
}

// Where a ray leads: slip velocity, times a positive factor `weight` that keeps it finite.
struct SlipTrial {
  Vec2 resistance;  // on the boundary of C
  Vec2 velocity;    // weight × slip velocity
  double weight;    // has the sign of p_N; 1 for a given normal impulse
};

class SlipEquation {
 public:
  explicit SlipEquation(const PlanarProblem& p)
      : tangential_(p.delassus.block<2, 2>(1, 1)),
        normal_to_tangential_(p.delassus.block<2, 1>(1, 0)),
        tangential_to_normal_(p.delassus.block<1, 2>(0, 1)),
        free_(p.free_velocity.tail<2>()),
        factor_(p.reservoir_factor),
        given_(p.normal_impulse.has_value()),
        impulse_(p.normal_impulse.value_or(std::abs(p.free_velocity[0]))),
        closing_(p.free_velocity[0] < 0 ? 1 : -1),
        normal_block_(p.delassus(0, 0)) {}

  SlipTrial at(const Vec2& resistance) const {
    const Vec2 reaction = normal_to_tangential_ - factor_ * (tangential_ * resistance);
    if (given_) return {resistance, free_ + impulse_ * reaction, 1};
    const double weight = closing_ * (normal_block_ - factor_ * tangential_to_normal_.dot(resistance));
    return {resistance, weight * free_ + impulse_ * reaction, weight};
  }

  // p_N and p_T at a trial with positive weight.
  Vec3 impulse(const SlipTrial& trial) const {
    const double normal = impulse_ / trial.weight;
    Vec3 p;
    p << normal, -normal * factor_ * trial.resistance;
    return p;
  }

 private:
  Mat2 tangential_;
  Vec2 normal_to_tangential_, tangential_to_normal_, free_;
  double factor_;
  bool given_;
  double impulse_;  // p_N if given, else |c_N|
  double closing_, normal_block_;
};

// The root that is reached from a ray by going where the equation points, for laws with one slip solution. Empty if
// what it finds is none (the caller then searches the whole path).
template <class Reservoir, class Direction>
std::optional<SlipTrial> follow_slip(const SlipEquation& equation, const Reservoir& c, const Direction& d, Vec2 ray) {
  struct Point {
    Vec2 ray;
    SlipTrial trial;
    double misalignment, alignment;  // cross(n, v), n·v
  };
  const auto evaluate = [&](const Vec2& r) -> Point {
    const SlipTrial trial = equation.at(r / c.gauge(r));
    const Vec2 n = d.normal_ray(r);
    return {r, trial, cross(n, trial.velocity), n.dot(trial.velocity)};
  };
  const auto done = [](const Point& p) { return std::abs(p.misalignment) <= 1e-15 * std::abs(p.alignment); };

  Point a = evaluate(ray / ray.norm());
  if (done(a)) return a.alignment > 0 ? std::optional(a.trial) : std::nullopt;
  // Ahead while the velocity is counter-clockwise of the normal; the first step aims at it.
  Point b = a;
  double step = std::clamp(std::abs(a.misalignment / a.alignment), 1e-9, 0.3);
  for (int i = 0; (a.misalignment > 0) == (b.misalignment > 0); ++i) {
    if (i == 200) return std::nullopt;
    a = b;
    b = evaluate((a.ray + std::copysign(step, a.misalignment) * turn_left(a.ray)).normalized());
    step = std::min(2 * step, 0.5);
  }
  // Illinois: the secant through both ends, halving the value of an end that stays.
  double fa = a.misalignment, fb = b.misalignment;
  for (int i = 0; i < 100; ++i) {
    const double share = fa / (fa - fb);
    const Vec2 middle = a.ray + share * (b.ray - a.ray);
    Point m = evaluate(middle);
    if (done(m) || (b.ray - a.ray).squaredNorm() < 1e-31)
      return m.alignment > 0 ? std::optional(m.trial) : std::nullopt;
    if ((m.misalignment > 0) == (b.misalignment > 0)) {
      fa /= 2;
    } else {
      a = b;
      fa = fb;
    }
    b = m;
    fb = m.misalignment;
  }
  return b.alignment > 0 ? std::optional(b.trial) : std::nullopt;
}

}  // namespace slipset::internal
