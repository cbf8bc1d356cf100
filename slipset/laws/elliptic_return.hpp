// The return of a trial force to an elliptic reservoir, with an elliptic direction set: no search, no allocation.
//   (I + k B F_D) T = T_trial,   T·F_C T = N²,   k > 0,   slip = k F_D T             [K07 20 made exact] (E.4)
// With a = T_trial/N, κ = k tr(BF_D), b = adj(F_D) adj(B) a / tr(BF_D):
//   T/N = (a + κ b)/p(κ),   p = 1 + κ + δκ²,   δ = det(BF_D)/tr(BF_D)²
// and the yield condition is p(κ)² = q(κ) = (a + κb)·F_C(a + κb), a quartic. For F_C = F_D every coefficient of p and q
// is positive, p/√q is concave and increasing, and T is the closest point in the metric of B⁻¹.
#pragma once

#include "slipset/core/roots.hpp"
#include "slipset/laws/elastic_interface.hpp"

namespace slipset {

struct InterfaceUpdate {
  Vec2 force;                // T after the step [N]
  Vec2 slip;                 // plastic part of the displacement [m], B⁻¹(T_trial - T)
  bool slips;                // else elastic
  int solutions;             // of the step; 0: none was found, force and slip are NaN
  bool by_midpoint = false;  // by the rule of second order (E.6)
};

class EllipticReturn {
 public:
  EllipticReturn(const Adhesion& adhesion, const Ellipse& reservoir, const Ellipse& direction)
      : adhesion_(adhesion),
        reservoir_(friction_tensor(reservoir.turned(-adhesion.angle()))),
        direction_(friction_tensor(direction.turned(-adhesion.angle()))) {
    const Vec2& b = adhesion.stiffness();
    const double trace = b.x() * direction_(0, 0) + b.y() * direction_(1, 1);
    const Vec2 axes = direction.semi_axes();
    const double root = std::sqrt(b.x()) / trace * std::sqrt(b.y()) / (axes.x() * axes.y());
    delta_ = root * root;
    trace_ = trace;
    Mat2 adjugate;
    adjugate << direction_(1, 1), -direction_(0, 1), -direction_(0, 1), direction_(0, 0);
    mix_ = adjugate * Vec2(b.y() / trace, b.x() / trace).asDiagonal();
    associated_ =
        (reservoir_ - direction_ * (reservoir_.trace() / direction_.trace())).norm() <= 1e-12 * reservoir_.norm();
  }

  // T for T_trial outside N C (inside it is T_trial itself) and N > 0. Of several solutions, the one with the least
  // change from `last` in the metric of B⁻¹.
  InterfaceUpdate operator()(const Vec2& trial, double normal_force, const Vec2& last) const {
    const Vec2 a = adhesion_.into_axes(trial) / normal_force;
    const Vec2 fa = reservoir_ * a;
    const double q0 = a.dot(fa);
    if (q0 <= 1) return {trial, Vec2::Zero(), false, 1};
    const Vec2 b = mix_ * a;
    const Quartic f{delta_, q0, fa.dot(b), b.dot(reservoir_ * b)};
    if (associated_ || f.has_one_root()) return at(a, b, f.first_root(), normal_force, 1);
    return nearest(a, b, f, normal_force, adhesion_.into_axes(last) / normal_force);
  }

 private:
  // p² - q: negative at 0, positive far away.
  struct Quartic {
    double delta, q0, q1, q2;

    double p(double x) const { return 1 + x * (1 + delta * x); }
    double q(double x) const { return q0 + x * (2 * q1 + q2 * x); }
    double c1() const { return 2 - 2 * q1; }
    double c2() const { return 1 + 2 * delta - q2; }
    ValueAndSlope slope(double x) const {  // of p² - q
      return {c1() + x * (2 * c2() + x * (6 * delta + x * 4 * delta * delta)),
              2 * c2() + x * (12 * delta + x * 12 * delta * delta)};
    }
    // By the rule of signs; otherwise one or three.
    bool has_one_root() const { return !(c1() > 0 && c2() < 0); }

    // The root between lo and hi, from x. Newton's method for p/√q = 1, kept in the bracket.
    double root(double lo, double hi, double x) const {
      for (int i = 0; i < 200; ++i) {
        const double px = p(x), qx = q(x), rq = std::sqrt(qx);
        const double miss = rq - px;
        (miss > 0 ? lo : hi) = x;
        const double step = miss * qx / ((1 + 2 * delta * x) * qx - px * (q1 + q2 * x));
        double next = x + step;
        if (!(next > lo && next < hi)) {
          if (miss == 0 || std::abs(step) <= 4e-16 * x) return x;
          next = std::isfinite(hi) ? lo + (hi - lo) / 2 : 2 * x + 1;
          if (next == lo || next == hi) return x;
        } else if (std::abs(step) < 1e-8 * next) {
          return next;
        }
        x = next;
      }
      return x;
    }
    double first_root() const { return root(0, INFINITY, 0); }
  };

  InterfaceUpdate at(const Vec2& a, const Vec2& b, double x, double normal_force, int solutions) const {
    Vec2 t = a + x * b;  // over p(κ), which the yield condition says anew
    t /= std::sqrt(t.dot(reservoir_ * t));
    const double k = x / trace_ * normal_force;
    return {adhesion_.out_of_axes(t) * normal_force, adhesion_.out_of_axes(direction_ * t) * k, true, solutions};
  }

  InterfaceUpdate nearest(const Vec2& a, const Vec2& b, const Quartic& f, double normal_force, const Vec2& last) const {
    // The slope of p² - q falls to its least value and then rises: up to two extrema, up to three roots between them.
    const auto falling = [&](double x) { return ValueAndSlope{-f.slope(x).value, -f.slope(x).slope}; };
    const auto rising = [&](double x) { return f.slope(x); };
    const double c3 = 6 * f.delta, c4 = 12 * f.delta * f.delta;  // slope' = 2 c2 + 2 c3 x + c4 x²
    const double turn = -2 * f.c2() / (c3 + std::sqrt(c3 * c3 - 2 * c4 * f.c2()));
    const auto value = [&](double x) { return f.p(x) * f.p(x) - f.q(x); };
    if (!(f.slope(turn).value < 0)) return at(a, b, f.first_root(), normal_force, 1);
    const double top = increasing_root(falling, 0, turn, turn / 2);
    double far = 2 * turn + 1;
    while (f.slope(far).value < 0) far *= 2;
    const double bottom = increasing_root(rising, turn, far, far / 2 + turn / 2);
    const bool low = value(top) > 0, high = value(bottom) < 0;
    if (!(low && high)) return at(a, b, low ? f.root(0, top, top / 2) : f.root(bottom, INFINITY, far), normal_force, 1);
    const double roots[] = {f.root(0, top, top / 2), f.root(top, bottom, (top + bottom) / 2),
                            f.root(bottom, INFINITY, far)};
    double best = roots[0], least = INFINITY;
    for (const double x : roots) {
      const Vec2 change = (a + x * b) / f.p(x) - last;
      const double distance = change.cwiseAbs2().cwiseQuotient(adhesion_.stiffness()).sum();
      if (distance < least) {
        least = distance;
        best = x;
      }
    }
    return at(a, b, best, normal_force, 3);
  }

  Adhesion adhesion_;
  Mat2 reservoir_, direction_;  // F_C, F_D along the axes of B
  Mat2 mix_;                    // adj(F_D) adj(B) / tr(BF_D)
  double trace_ = 0, delta_ = 0;
  bool associated_ = false;
};

}  // namespace slipset
