#include "slipset/motion/moreau.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/prescribed_circle.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

struct Stop {
  Vec2 place;
  double time;
};

// Slides until it sticks. The last step needs only part of its impulse: that part of the step is the stop time.
Stop slide(const FrictionLaw& law, double dt) {
  const SlidingBody body(law, 1, 9.81);
  MoreauStepper stepper(body, {0, Vec2(0, 0), Vec2(std::sqrt(2), std::sqrt(2))});
  do stepper.step(dt);
  while (stepper.contacts()[0].mode != ContactMode::stick);
  const Vec3 p = stepper.contacts()[0].impulse;
  const double part = law.reservoir().gauge(-p.tail<2>() / p[0]);
  return {stepper.state().q, stepper.state().t - (1 - part) * dt};
}

// The friction force stays the same during the slide: the collinear law, and the rectangle until one axis stops.
bool straight(const FrictionLaw& law) { return law.direction().as<Disk>() || law.direction().as<Rectangle>(); }

}  // namespace

// Walker & Leine 2016 Sect. 4: μ = (0.4, 0.2), 2 m/s at 45°, g = 9.81; end points and stop times from values.md.
TEST_CASE("sliding body: end point and stop time, of first order in the step") {
  struct Row {
    FrictionLaw law;
    double time, x, y;
  };
  const Row rows[] = {{{Ellipse(0.4, 0.2), Ellipse(2, 1)}, 0.873260004774, 0.334146140358, 0.695298400541},
                      {{Ellipse(0.4, 0.2), Disk(1)}, 0.805881157026, 0.569844030963, 0.569844030963},
                      {two_sign(0.4, 0.2), 0.720802019558, 0.254841997961, 0.509683995923},
                      {{NormMix(0.4, 0.2, 2.5, -1.5), Ellipse(2, 1)}, 0.9651908242, 0.3949766340, 0.7989565015}};
  for (const Row& row : rows) {
    INFO(row.law.reservoir().description(), " / ", row.law.direction().description());
    // The step is a fixed part of the stop time, so that the last step ends alike: the order is then clean.
    const auto error = [&](int steps) {
      const Stop stop = slide(row.law, row.time / (steps + 0.5));
      return std::pair((stop.place - Vec2(row.x, row.y)).norm(), std::abs(stop.time - row.time));
    };
    const auto coarse = error(2000), fine = error(8000);
    CHECK(fine.first < 1e-4);
    CHECK(fine.second < 1e-3);
    // With constant friction only the last step errs.
    const double order = std::log(coarse.first / fine.first) / std::log(4);
    CHECK(order == near(straight(row.law) ? 2 : 1, 0.05));
    if (fine.second > 1e-9) CHECK(std::log(coarse.second / fine.second) / std::log(4) == near(1, 0.05));
  }
}

TEST_CASE("mass on belt: the equilibrium, the exact motion along the belt, the limit cycle") {
  MassOnBeltParameters parameters;
  parameters.belt_velocity = unit_at_degrees(50);
  const MassOnBelt belt(FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), parameters);
  const Vec2 equilibrium = belt.equilibrium().value();
  CHECK(equilibrium.x() == near(20.2015502054, 1e-11));
  CHECK(equilibrium.y() == near(2.6750300037, 1e-11));

  // q = q_eq + a e_χ cos(ωt): slip direction and friction stay constant while aω < v. The scheme is of second order in
  // smooth motion.
  double previous = 0;
  for (const double dt : {0.02, 0.01, 0.005}) {
    MoreauStepper stepper(belt, {0, equilibrium + 0.5 * parameters.belt_velocity, Vec2(0, 0)});
    while (stepper.state().t < 2 - dt / 2) stepper.step(dt);
    const double error =
        (Vec2(stepper.state().q) - equilibrium - 0.5 * std::cos(2.0) * parameters.belt_velocity).norm();
    if (previous > 0) CHECK(std::log2(previous / error) == near(2, 0.1));
    previous = error;
  }

  // Stick onsets of the limit cycle: period 28.703449 + O(h); with h = 0.02, 28.7678.
  MoreauStepper stepper(belt, {0, equilibrium + Vec2(0.1, 0), Vec2(0, 0)});
  std::vector<double> onsets;
  double stuck = 0;
  Least least;
  Worst most;
  for (bool before = false; onsets.size() < 24 && stepper.state().t < 900;) {
    stepper.step(0.02);
    const bool now = stepper.contacts()[0].mode == ContactMode::stick;
    if (now && !before) onsets.push_back(stepper.state().t);
    before = now;
    if (onsets.size() < 14) continue;
    least.add(stepper.state().q[0]);
    most.add(stepper.state().q[0]);
    stuck += onsets.size() < 23 && now ? 0.02 : 0;
  }
  REQUIRE(onsets.size() == 24);
  CHECK((onsets[22] - onsets[13]) / 9 == near(28.7678, 2e-4));
  CHECK(stuck / 9 == near(19.774333, 3e-3));
  CHECK(least.value() == near(13.093227883, 5e-3));
  CHECK(most.value() == near(26.917897114, 5e-3));
  CHECK(std::abs(stepper.energy().residual()) < 1e-2);
}

TEST_CASE("prescribed circle: every force lies on the boundary of the non-convex reservoir (WL16 Fig. 7)") {
  const NormMix reservoir(0.4, 0.2, 2.5, -1.5);
  const PrescribedCircle circle({reservoir, Ellipse(2, 1)}, 0.3, 2, 5);
  MoreauStepper stepper(circle, circle.start());
  Least inside_ellipse;
  Worst worst;
  for (int i = 0; i < 1000; ++i) {
    stepper.step(kPi / 1000);
    const Vec3 p = stepper.contacts()[0].impulse;
    const Vec2 s = -p.tail<2>() / p[0];
    worst.add(std::abs(reservoir.gauge(s) - 1));
    inside_ellipse.add(Ellipse(0.4, 0.2).gauge(s));
  }
  CHECK(worst.value() < 1e-12);
  CHECK(inside_ellipse.value() < 0.82);  // it is not the ellipse
  CHECK(Vec2(stepper.state().q).norm() == near(0.3, 1e-5));
}

TEST_CASE("energy: exact for a free slider, second order with springs; friction never creates any") {
  Random random(61);
  for (int i = 0; i < 100; ++i) {
    const SlidingBody body(random_law(random), 2, 5);
    MoreauStepper stepper(body, {0, Vec2(0, 0), Vec2(random.uniform(-1, 1), random.uniform(-1, 1))});
    double dissipated = 0;
    for (int k = 0; k < 3000; ++k) {
      stepper.step(0.01);
      CHECK(stepper.energy().dissipated >= dissipated - 1e-14);
      dissipated = stepper.energy().dissipated;
    }
    CHECK(std::abs(stepper.energy().residual()) < 1e-13);
    CHECK(stepper.contacts()[0].mode == ContactMode::stick);
  }
  double previous = 0;
  for (const double dt : {0.02, 0.01, 0.005}) {
    MassOnBeltParameters parameters;
    parameters.damping = 0.1 * Mat2::Identity();
    parameters.belt_velocity = {2, 1};
    const MassOnBelt belt(associated(Ellipse(0.6, 0.3)), parameters);
    MoreauStepper stepper(belt, {0, Vec2(0.5, 0.2), Vec2(0, 0)});
    while (stepper.state().t < 1 - dt / 2) stepper.step(dt);
    const double residual = std::abs(stepper.energy().residual());
    if (previous > 0) CHECK(std::log2(previous / residual) == near(2, 0.15));
    previous = residual;
  }
}

TEST_CASE("no allocation in the time loop, unique or ambiguous") {
  MassOnBeltParameters parameters;
  parameters.belt_velocity = unit_at_degrees(50);
  const MassOnBelt belt(FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), parameters);
  MoreauStepper stepper(belt, {0, belt.equilibrium().value() + Vec2(0.1, 0), Vec2(0, 0)});
  stepper.step(0.02);
  const std::size_t before = allocations();
  int ambiguous = 0;
  for (int i = 0; i < 10000; ++i) {
    stepper.step(0.02);
    ambiguous += stepper.contacts()[0].solutions > 1;
  }
  CHECK(allocations() == before);
  CHECK(ambiguous > 0);
}

TEST_CASE("a run continues from its memory with the same bits") {
  MassOnBeltParameters parameters;
  parameters.belt_velocity = unit_at_degrees(50);
  const MassOnBelt belt(FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), parameters);
  const State start{0, belt.equilibrium().value() + Vec2(0.1, 0), Vec2(0, 0)};
  MoreauStepper whole(belt, start), part(belt, start);
  Random random(62);
  int at = 0;
  for (const int stop : {137, 2041, 2500, 4000}) {
    for (; at < stop; ++at) {
      whole.step(0.02);
      part.step(0.02);
    }
    MoreauStepper resumed(belt, start);
    resumed.restore(part.memory());
    part = resumed;
  }
  for (; at < 6000; ++at) {
    whole.step(0.02);
    part.step(0.02);
  }
  CHECK(whole.memory() == part.memory());
  CHECK_THROWS_AS(part.restore({1, 2, 3}), InvalidInput);
}

// A block in one direction, carried by the belt from x = 0: it lets go where k x is the largest component of N C along the
// belt, N √((a cos)² + (b sin)²) of a turned ellipse, and not the radius of C there, which is half of it.
TEST_CASE("a block that can move along one line sticks on an oblique reservoir up to its closed form") {
  const double a = 0.6, b = 0.15, angle = radians(35), stiffness = 10, normal = 10, speed = 0.3;
  const double limit = normal * std::hypot(a * std::cos(angle), b * std::sin(angle));
  const BlockOnBelt block(std::make_shared<const PlanarContactLaw>(associated(Ellipse(a, b, angle))),
                          {.stiffness = stiffness, .normal_force = normal, .belt_speed = speed});
  const double step = 1e-3;
  MoreauStepper stepper(block, {0, VectorX::Zero(1), VectorX::Constant(1, speed)});
  double let_go = 0;
  for (int i = 0; i < 4000 && let_go == 0; ++i) {
    stepper.step(step);
    REQUIRE(stepper.report().solved());
    if (stepper.contacts()[0].mode != ContactMode::stick) let_go = stepper.state().q[0];
  }
  CHECK(std::abs(let_go - limit / stiffness) <= 2 * speed * step);
}
