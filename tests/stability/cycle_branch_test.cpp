// Branches of limit cycles: the belt's over its speed, against an independent computation in long double.
#include <doctest/doctest.h>

#include "slipset/stability/belt_cycle.hpp"
#include "slipset/stability/cycle_diagram.hpp"
#include "slipset/stability/internal/continuation.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;

namespace {

const SystemAtParameter kBelt = [](double v) { return std::make_unique<MassOnBelt>(belt(50, v)); };

CycleOptions options_at(double) {
  CycleOptions options;
  options.start = {0, *belt(50).equilibrium() + Vec2(0.1, 0), Vec2(0, 0)};
  options.step = 0.02;
  return options;
}

const BranchEvent* event_of(const CycleBranch& branch, CycleEvent kind) {
  for (const BranchEvent& e : branch.events)
    if (e.kind == kind) return &e;
  return nullptr;
}

// The unit circle as a curve of solutions y² + p² = 1.
class Circle : public CurveProblem {
 public:
  bool residual(const VectorX& y, double p, VectorX& r) const override {
    r[0] = y[0] * y[0] + p * p - 1;
    return true;
  }
  bool derivative(const VectorX& y, double, MatrixX& by_y) const override {
    by_y(0, 0) = 2 * y[0];
    return true;
  }
};

}  // namespace

TEST_CASE("B.10 a curve is followed through its folds, and they are located") {
  const Circle circle;
  CurveOptions o;
  CurvePoint at{VectorX::Constant(1, 1.0), 0, Eigen::Vector2d(0, 1)};
  int folds = 0, steps = 0;
  double turned = 0;
  for (; steps < 200 && turned < 2 * 3.14159; ++steps) {
    const auto next = step_along(circle, o, at, 0.1);
    REQUIRE(next);
    CHECK(std::abs(next->y[0] * next->y[0] + next->p * next->p - 1) < 1e-8);
    if (next->tangent[1] * at.tangent[1] < 0) {
      const auto fold = locate(circle, o, at, *next, [](const CurvePoint& c) { return std::optional(c.tangent[1]); });
      REQUIRE(fold);
      CHECK(std::abs(std::abs(fold->p) - 1) < 1e-9);
      ++folds;
    }
    turned += std::acos(std::clamp((at.y[0] * next->y[0] + at.p * next->p), -1.0, 1.0));
    at = *next;
  }
  CHECK(folds == 2);
  CHECK(steps < 80);
}

// In long double, with explicit Runge-Kutta steps of order 8, the variation of (B.9) and onsets of slip from 1e-3 to
// 1e-4 s: -0.6152398136842.
TEST_CASE("B.9 the multiplier of the belt's cycle, by its variation and by differences") {
  const MassOnBelt system = belt(50);
  const BeltMotion motion = belt_motion_of(system);
  const auto cycle = periodic_belt_cycle(motion, Vec2(13.255, -0.1226));
  REQUIRE(cycle);
  CHECK(std::abs(cycle->multiplier + 0.6152398136842) < 2e-9);
  const Vec2 at = cycle->cycle.stick_start, across(-std::sin(radians(50)), std::cos(radians(50)));
  const double h = 0.02;
  const double difference =
      (belt_return(motion, at + h * across).next_offset - belt_return(motion, at - h * across).next_offset) / (2 * h);
  CHECK(std::abs(difference - cycle->multiplier) < 1e-4);
}

TEST_CASE("Moreau's scheme tends to the belt's cycle in first order") {
  const MassOnBelt system = belt(50);
  const BeltMotion motion = belt_motion_of(system);
  const State start{0, Vec2(13.2552589, -0.1226316), motion.belt_velocity};
  const auto error = [&](double step) {
    return moreau_cycle(motion, start, step, Vec2(18, 5.5), 10).period - 28.703449339;
  };
  const double coarse = error(0.04), fine = error(0.01);
  CHECK(coarse > 0);
  CHECK(std::abs(std::log(coarse / fine) / std::log(4.0) - 1) < 0.1);
}

// The same long double computation, with stick phases of 0.0267 to 0.0068 s extrapolated to none: 14.818020(1).
TEST_CASE("B.11 where stick vanishes along the belt's branch") {
  const Cycle start = find_cycle(belt(50, 13), options_at(13));
  REQUIRE_MESSAGE(start.found, start.why);
  BranchOptions options;
  options.from = 12.9;
  options.to = 16;
  options.step = 0.1;
  const CycleBranch branch = continue_cycle(kBelt, 13, start, options);
  REQUIRE(branch.points.size() > 3);
  const BranchEvent* event = event_of(branch, CycleEvent::stick_vanishes);
  REQUIRE(event);
  CHECK(std::abs(event->parameter - 14.8180205) < 1e-5);
  CHECK(branch.last_end == "stick vanishes");
  CHECK(branch.first_end == "end of the range");
  CHECK(branch.points.front().parameter == 12.9);
  for (const BranchPoint& p : branch.points) CHECK(p.cycle.is_stable());
}

TEST_CASE("two stable cycles without stick at one speed, from two starts") {
  const double v = 20;
  const MassOnBelt system = belt(50, v);
  const Vec2 middle = *system.equilibrium();
  const auto from = [&](const Vec2& q, const Vec2& u) {
    CycleOptions options;
    options.start = {0, middle + q, u};
    options.step = 0.02;
    return find_cycle(system, options);
  };
  const Cycle first = from(Vec2(2, 0), Vec2(0, 0));
  const Cycle second = from(Vec2(-29.04, 1.66), Vec2(22.13, -10.15));
  REQUIRE_MESSAGE(first.found, first.why);
  REQUIRE_MESSAGE(second.found, second.why);
  CHECK(std::abs(first.period - 7.24973) < 1e-4);
  CHECK(std::abs(second.period - 5.76307) < 1e-4);
  CHECK(first.is_stable());
  CHECK(second.is_stable());
  CHECK(first.stick_time < 1e-6);
  CHECK(second.stick_time < 1e-6);
}

// A falling characteristic: the stick-slip cycle of a block, followed over the belt's speed by shooting, is what Moreau's
// steps, which know nothing of cycles, come to: its largest and smallest position, and how long it sticks.
TEST_CASE("a branch found by shooting agrees with simulation") {
  const SystemAtParameter block = [](double v) {
    BlockOnBeltParameters p;
    p.belt_speed = v;
    p.damping = 0.05;
    return std::make_unique<BlockOnBelt>(shared(falling(1.5, 1, 0.5)), p);
  };
  const CycleOptionsAt options = [&](double v) {
    CycleOptions o;
    const auto system = block(v);
    o.start = {0, linearize_sliding(*system).position + VectorX::Constant(1, 0.05), VectorX::Zero(1)};
    o.step = 0.01;
    o.duration = 200;
    return o;
  };
  DiagramOptions d;
  d.from = 0.4;
  d.to = 0.5;
  d.count = 2;
  d.starts = 1;
  d.step = 0.5;
  const CycleDiagram diagram = cycle_diagram(block, options, d);
  REQUIRE(diagram.branches.size() >= 1);
  REQUIRE(diagram.motions.size() == 2);
  for (const SettledMotion& m : diagram.motions) {
    CHECK(!m.maxima.empty());
    CHECK(m.explained);
  }
  const std::vector<BranchPoint>& points = diagram.branches[0].points;
  CHECK(points.size() >= 3);
  for (const BranchPoint& p : {points.front(), points[points.size() / 2], points.back()}) {
    const auto system = block(p.parameter);
    const double settled = 200, observed = 5 * p.cycle.period, step = 1e-3;
    const Run run =
        simulate(*system, options(p.parameter).start, Moreau{.step = step}, {.duration = settled + observed});
    Worst highest;
    Least lowest;
    double stuck = 0;
    const std::vector<double> t = run.table["t"], x = run.table["x"], mode = run.table["contact.mode"];
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (t[i] <= settled) continue;
      highest.add(x[i]);
      lowest.add(x[i]);
      stuck += mode[i] == 2 ? step : 0;
    }
    CHECK(highest.value() == within(p.cycle.largest[0], 5e-3));
    CHECK(lowest.value() == within(p.cycle.smallest[0], 5e-3));
    CHECK(highest.value() - lowest.value() > 0.5);  // what the tolerance is small beside
    CHECK(stuck / 5 == within(p.cycle.stick_time, 2e-2));
    CHECK(p.cycle.stick_time > 0.5);
  }
}

TEST_CASE("simulations that cannot be made are counted, and are none that came to rest") {
  const SystemAtParameter block = [](double v) -> std::unique_ptr<System> {
    if (v > 0.35) throw InvalidInput("the belt is too fast");
    return std::make_unique<BlockOnBelt>(
        shared(isotropic(0.3)),
        BlockOnBeltParameters{.stiffness = 10, .damping = 1, .normal_force = 10, .belt_speed = v});
  };
  const CycleOptionsAt options = [](double) {
    CycleOptions o;
    o.start = {0, VectorX::Constant(1, 0.32), VectorX::Zero(1)};
    o.step = 0.01;
    o.duration = 30;
    return o;
  };
  DiagramOptions d;
  d.from = 0.2;
  d.to = 0.4;
  d.count = 3;
  d.starts = 2;
  const CycleDiagram diagram = cycle_diagram(block, options, d);
  CHECK(diagram.motions.size() + static_cast<std::size_t>(diagram.without_answer) == 6);
  CHECK(diagram.without_answer == 2);
  CHECK(diagram.why == "the belt is too fast");
  for (const SettledMotion& m : diagram.motions) CHECK(m.parameter < 0.35);
}

TEST_CASE("a sweep over motions that fade finds nothing that oscillates") {
  const SystemAtParameter block = [](double v) {
    return std::make_unique<BlockOnBelt>(
        shared(isotropic(0.3)),
        BlockOnBeltParameters{.stiffness = 10, .damping = 0.01, .normal_force = 10, .belt_speed = v});
  };
  const CycleOptionsAt options = [](double) {
    CycleOptions o;
    o.start = {0, VectorX::Constant(1, 0.32), VectorX::Zero(1)};
    o.step = 0.005;
    o.duration = 100;  // two thirds of the amplitude are left
    return o;
  };
  DiagramOptions d;
  d.from = 0.2;
  d.to = 0.4;
  d.count = 2;
  d.starts = 2;
  const CycleDiagram diagram = cycle_diagram(block, options, d);
  CHECK(diagram.branches.empty());
  REQUIRE(diagram.motions.size() == 4);
  for (const SettledMotion& m : diagram.motions) {
    CHECK(m.fades);
    CHECK(m.maxima.empty());
    CHECK(m.explained);
  }
}
