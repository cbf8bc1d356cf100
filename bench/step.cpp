// Nanoseconds per step: the mass on a belt and a loop written by hand for that one system; a body that slides on an
// orthotropic plane, and the same with ODE and Bullet where they are installed. All in one run, in turns.
//   bench_step
#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "bench/engines.hpp"
#include "bench/results.hpp"
#include "slipset/motion/moreau.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"

using namespace slipset;

namespace {

constexpr double kStep = 0.02;

MassOnBeltParameters belt_at(double degrees_of_belt) {
  MassOnBeltParameters p;
  p.belt_velocity = unit_at_degrees(degrees_of_belt);
  return p;
}

// m = k = λ_N = 1, two ellipses: x = A⁻¹-norm for C, D's normal by its own matrix. The step's equation along the
// boundary by the secant, from the last direction; nothing else (no energies, no several solutions, no other laws).
class BeltByHand {
 public:
  BeltByHand(const Ellipse& c, const Ellipse& d, const Vec2& belt, const Vec2& start)
      : c_(form_of(c)), d_(form_of(d)), belt_(belt), q_(start), u_(0, 0), ray_(-belt) {}

  void step(double h) {
    q_ += h / 2 * u_;
    const Vec2 free = u_ - h * q_ - belt_;
    const Vec2 r = free / h;
    if (r.dot(c_ * r) <= 1) {
      u_ = belt_;
    } else {
      u_ = belt_ + slip(free, h);
    }
    q_ += h / 2 * u_;
  }
  const Vec2& position() const { return q_; }

 private:
  static Mat2 form_of(const Ellipse& e) {  // k(t)² = tᵀ F t
    const auto square = [&](const Vec2& t) { return e.gauge(t) * e.gauge(t); };
    const double a = square({1, 0}), b = square({0, 1}), ab = (square({1, 1}) - a - b) / 2;
    Mat2 f;
    f << a, ab, ab, b;
    return f;
  }

  Vec2 slip(const Vec2& free, double h) {
    struct Point {
      Vec2 ray, v;
      double f, along;
    };
    const auto at = [&](const Vec2& ray) {
      const Vec2 v = free - h / std::sqrt(ray.dot(c_ * ray)) * ray, n = d_ * ray;
      return Point{ray, v, cross(n, v), n.dot(v)};
    };
    Point a = at(ray_ / ray_.norm());
    double step = std::clamp(std::abs(a.f / a.along), 1e-9, 0.3);
    Point b = a;
    for (int i = 0; i < 100 && (a.f > 0) == (b.f > 0); ++i) {
      a = b;
      b = at((a.ray + std::copysign(step, a.f) * turn_left(a.ray)).normalized());
      step = std::min(2 * step, 0.5);
    }
    double fa = a.f, fb = b.f;
    Point m = b;
    for (int i = 0; i < 100 && std::abs(m.f) > 1e-15 * std::abs(m.along); ++i) {
      m = at(a.ray + fa / (fa - fb) * (b.ray - a.ray));
      if ((m.f > 0) == (fb > 0)) {
        fa /= 2;
      } else {
        a = b;
        fa = fb;
      }
      b = m;
      fb = m.f;
      if ((b.ray - a.ray).squaredNorm() < 1e-31) break;
    }
    ray_ = m.ray;
    return m.v;
  }

  Mat2 c_, d_;
  Vec2 belt_, q_, u_, ray_;
};

struct Timed {
  std::string name;
  std::function<void(int)> steps;  // makes so many steps
  double best = INFINITY;          // ns a step
};

// In turns, so that a noisy machine is noisy for all; the best of many turns counts.
void time_in_turns(std::vector<Timed>& all, int turns, int steps) {
  for (int turn = 0; turn < turns; ++turn)
    for (Timed& one : all) {
      const auto began = std::chrono::steady_clock::now();
      one.steps(steps);
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
      one.best = std::min(one.best, took.count() / steps);
    }
}

Timed stepping(const std::string& name, const System& system, const State& start) {
  auto stepper = std::make_shared<MoreauStepper>(system, start);
  return {name, [stepper](int steps) {
            for (int i = 0; i < steps; ++i) stepper->step(kStep);
          }};
}

void print(const std::vector<Timed>& all, bench::Results& results) {
  for (const Timed& one : all) {
    fmt::print("{:<58} {:9.1f} ns a step {:8.2f} x the first\n", one.name, one.best, one.best / all.front().best);
    results.add({one.name, fmt::format("{:.1f}", one.best), fmt::format("{:.2f}", one.best / all.front().best)});
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  bench::Results results("step", {"name", "ns_per_step", "over_the_first"});
  // Stick and slip with a law that cannot destabilise, then with one that can.
  struct Case {
    const char* what;
    Ellipse c, d;
    double belt;
  };
  for (const Case& one : {Case{"two ellipses 30:10 and 30:20", {30, 10}, {30, 20}, 50},
                          Case{"two ellipses 3:1, C turned by 30 degrees", {30, 10, radians(30)}, {3, 1}, 50}}) {
    const MassOnBelt belt(FrictionLaw(one.c, one.d), belt_at(one.belt));
    const Vec2 start = belt.equilibrium().value() + Vec2(3, -2);
    auto hand = std::make_shared<BeltByHand>(one.c, one.d, unit_at_degrees(one.belt), start);
    std::vector<Timed> all{{fmt::format("by hand, {}", one.what),
                            [hand](int steps) {
                              for (int i = 0; i < steps; ++i) hand->step(kStep);
                            }},
                           stepping(fmt::format("slipset, {}", one.what), belt, {0, start, Vec2(0, 0)})};
    time_in_turns(all, 60, 4000);
    print(all, results);
  }
  const FrictionLaw super(Superellipse(30, 10, 1.6), Superellipse(30, 20, 1.8)),
      mix(NormMix(30, 10, 2.5, -1.5), Ellipse(30, 20)), polygon(Rectangle(30, 10), Rectangle(30, 10));
  const MassOnBelt belts[] = {{super, belt_at(50)}, {mix, belt_at(50)}, {polygon, belt_at(50)}};
  const char* names[] = {"slipset, two superellipses", "slipset, non-convex reservoir, ellipse",
                         "slipset, rectangle (two sign functions)"};
  std::vector<Timed> shapes;
  for (int i = 0; i < 3; ++i)
    shapes.push_back(
        stepping(names[i], belts[i], {0, belts[i].equilibrium().value_or(Vec2(0, 0)) + Vec2(3, -2), Vec2(0, 0)}));
  time_in_turns(shapes, 60, 4000);
  print(shapes, results);

  // A body on an orthotropic plane, driven so that it always slides.
  const SlidingBody body(FrictionLaw(Ellipse(0.4, 0.2), Ellipse(0.4, 0.2)), 1, 9.81);
  auto stepper = std::make_shared<MoreauStepper>(body, State{0, Vec2(0, 0), Vec2(1e6, 1e6)});
  std::vector<Timed> sliders{{"slipset, a body sliding on an orthotropic plane", [stepper](int steps) {
                                for (int i = 0; i < steps; ++i) stepper->step(1e-3);
                              }}};
  for (auto& [name, steps] : bench::sliding_in_engines()) sliders.push_back({name, steps});
  if (sliders.size() == 1) fmt::print("ODE and Bullet: not installed (Debian packages libode-dev, libbullet-dev)\n");
  time_in_turns(sliders, 40, 4000);
  print(sliders, results);
  results.save();
}
