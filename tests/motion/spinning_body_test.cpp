// Disk and sphere with sliding, drilling and rolling friction: closed forms, order, energy.
#include "slipset/systems/spinning_body.hpp"

#include <doctest/doctest.h>

#include "slipset/motion/time_stepping.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_rolling.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kG = 9.81;

Run run_until_stick(const SpinningBody& body, const State& start, double step) {
  return simulate(body, start, Moreau{.step = step}, {.duration = 100, .until_stick = true, .every = 1000000});
}

// Steps of one length, and the contact after the last of them.
class Steps {
 public:
  Steps(const SpinningBody& body, const State& start, double dt) : stepper_(body, start), dt_(dt) {}

  void step() { stepper_.step(dt_); }
  const State& state() const { return stepper_.state(); }
  const EnergyBalance& energy() const { return stepper_.energy(); }
  ContactMode mode() const { return stepper_.contacts()[0].mode; }
  const RollingContactLaw& law() const {
    return static_cast<const RollingContactLaw&>(*stepper_.problem().contacts[0].law);
  }
  LocalProblem problem() const {
    LocalProblem local;
    local.delassus = stepper_.problem().delassus->diagonal(0);
    local.free_velocity = stepper_.problem().free_velocity;
    local.normal_impulse = stepper_.problem().contacts[0].normal_impulse;
    return local;
  }
  double residual() const { return local_residual(law(), problem(), stepper_.solution().impulse); }
  RollingRates rates() const {
    LocalSolution local;
    local.mode = mode();
    local.impulse = stepper_.solution().impulse;
    local.velocity = stepper_.solution().velocity;
    return rates_of(law(), problem(), local);
  }

 private:
  MoreauStepper stepper_;
  double dt_;
};

SpinningBody disk(PatchPressure pressure, double mu = 0.3, double radius = 0.05) {
  SpinningBodyParameters p;
  p.radius = radius;
  return {RollingLaw::contensou(mu, radius, pressure), p};
}

SpinningBody ball(const RollingLaw& law, double radius = 0.05) {
  SpinningBodyParameters p;
  p.shape = BodyShape::sphere;
  p.radius = radius;
  return {law, p};
}

State moving(const SpinningBody& body, std::initializer_list<double> velocity) {
  State state = body.start();
  std::copy(velocity.begin(), velocity.end(), state.u.begin());
  return state;
}

// The same motion by Runge-Kutta on v and Rω with the closed form of the patch: m v̇ = -μmg F, ½mR (Rω)˙ = -μmgR T.
struct DiskReference {
  double v, w, x;  // speed, R times spin, way
};
DiskReference disk_reference(PatchPressure pressure, double mu, double v, double w, double duration, int steps) {
  const ContensouSet set(pressure);
  const auto rate = [&](const Vec3& y) {
    const Vec3 z = set.support_point({y[0], 0, y[1]});
    return Vec3(-mu * kG * z.x(), -2 * mu * kG * z.z(), y[0]);
  };
  Vec3 y(v, w, 0);
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const Vec3 k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {y[0], y[1], y[2]};
}

}  // namespace

TEST_CASE("a disk that slides and spins stops both at once, and v/(Rω) tends to 0.653") {
  // c with F(c)/c = 2 T(c); held against quadrature in tests/sets/contensou_test.cpp.
  const SpinningBody body = disk(PatchPressure::uniform);
  for (const auto& [v, spin] : {std::pair{1.0, 60.0}, {2.0, 5.0}, {0.1, 60.0}}) {
    Steps stepper(body, moving(body, {v, 0, spin}), 1e-4);
    while (stepper.mode() != ContactMode::stick && stepper.state().t < 10) {
      stepper.step();
      CHECK((stepper.mode() == ContactMode::stick ||
             (stepper.rates().slides && stepper.rates().drills)));  // never one without the other
    }
    CHECK(stepper.mode() == ContactMode::stick);
    CHECK(stepper.state().u.norm() < 1e-13);
    // The ratio tends to its limit with a low power of the speed, so the last of the motion is looked at closer and
    // closer: twelve decades, each with steps in proportion.
    State state = moving(body, {v, 0, spin});
    for (int decade = 0; decade < 12; ++decade) {
      const auto size = [](const State& s) { return s.u[0] + 0.05 * s.u[2]; };
      const double first = size(state);
      Steps close(body, state, 3e-4 * first);
      while (size(close.state()) > 0.1 * first) close.step();
      state = close.state();
    }
    CHECK(state.u[0] / (0.05 * state.u[2]) == near(0.653, 0.005));
  }
  // With the parts uncoupled they stop one after the other.
  const SpinningBody apart = {RollingLaw::product(PlanarSet(Disk(0.3)), Interval(0.01), std::nullopt), {}};
  Steps stepper(apart, moving(apart, {1, 0, 60}), 1e-4);
  bool alone = false;
  while (stepper.mode() != ContactMode::stick && stepper.state().t < 10) {
    stepper.step();
    alone = alone || stepper.rates().slides != stepper.rates().drills;
  }
  CHECK(alone);
}

TEST_CASE("Moreau's steps converge to the motion of the patch's ODE with order one") {
  for (const PatchPressure pressure : {PatchPressure::uniform, PatchPressure::hertz, PatchPressure::ring}) {
    const SpinningBody body = disk(pressure);
    const double duration = 0.2;
    const DiskReference exact = disk_reference(pressure, 0.3, 1.0, 0.05 * 40, duration, 4000);
    double last = 0;
    for (const double step : {4e-3, 2e-3, 1e-3}) {
      Steps stepper(body, moving(body, {1.0, 0, 40}), step);
      while (stepper.state().t < duration - 0.5 * step) stepper.step();
      const State& s = stepper.state();
      const double error = std::abs(s.u[0] - exact.v) + std::abs(0.05 * s.u[2] - exact.w) + std::abs(s.q[0] - exact.x);
      if (last > 0) CHECK(last / error == near(2, 0.1));
      last = error;
      CHECK(error < 2 * step);
    }
  }
}

TEST_CASE("a ball that only rolls stops after the closed way; one that only spins in the closed time") {
  // Rolling resistance μ_r N about the centre, no slip: (m + J/r²) v̇ = -μ_r N/r, way 7 r v²/(10 μ_r g).
  const double r = 0.05, mu_r = 0.0004, v = 0.8;
  const SpinningBody body = ball(RollingLaw::product(PlanarSet(Disk(0.5)), Interval(0.001), PlanarSet(Disk(mu_r))), r);
  const State start = moving(body, {0.6 * v, 0.8 * v, -0.8 * v / r, 0.6 * v / r, 0});  // rolls already
  const double way = 0.7 * r * v * v / (mu_r * kG), time = 1.4 * r * v / (mu_r * kG);
  for (const double step : {1e-2, 1e-3}) {
    const Run run = run_until_stick(body, start, step);
    REQUIRE(run.stop_time);
    CHECK(run.end.q.head<2>().norm() == near(way, step * step / 10));
    CHECK(*run.stop_time == near(time, 1e-9));
    CHECK(std::abs(run.energy.residual()) < 1e-12);
    CHECK(run.report.not_converged == 0);
  }
  // Drilling: J ω̇ = -T, for the patch T = 2/3 μ N a (uniform), 3π/16 (Hertz), 1 (ring).
  for (const PatchPressure pressure : {PatchPressure::uniform, PatchPressure::hertz, PatchPressure::ring}) {
    const double a = 0.004, mu = 0.3, spin = 50;
    const SpinningBody top = ball(RollingLaw::contensou(mu, a, pressure), r);
    const double torque = ContensouSet(pressure).drilling_limit() * mu * kG * a;
    const Run run = run_until_stick(top, moving(top, {0, 0, 0, 0, spin}), 1e-2);
    REQUIRE(run.stop_time);
    CHECK(*run.stop_time == near(0.4 * r * r * spin / torque, 1e-9));
    CHECK(run.end.q.head<4>().norm() < 1e-12);
  }
}

TEST_CASE("a spin takes the edge off sliding friction: a spinning disk goes further") {
  const SpinningBody body = disk(PatchPressure::uniform);
  const Run still = run_until_stick(body, moving(body, {1, 0, 0}), 1e-3);
  const Run spun = run_until_stick(body, moving(body, {1, 0, 80}), 1e-3);
  CHECK(still.end.q[0] == near(1 / (2 * 0.3 * kG), 1e-5));
  CHECK(spun.end.q[0] > 1.2 * still.end.q[0]);
}

TEST_CASE("on a slope: a ball with rolling resistance stays below its angle and rolls above it") {
  // At rest while m g r sin(slope) ≤ μ_r N about the contact point.
  for (const double share : {0.98, 1.02}) {
    SpinningBodyParameters p;
    p.shape = BodyShape::sphere;
    p.radius = 0.05;
    const double mu_r = 0.002;
    p.slope = std::atan(share * mu_r / p.radius);
    const SpinningBody body(RollingLaw::product(PlanarSet(Disk(0.5)), std::nullopt, PlanarSet(Disk(mu_r))), p);
    Steps stepper(body, body.start(), 1e-3);
    for (int i = 0; i < 1000; ++i) stepper.step();
    if (share < 1) {
      CHECK(stepper.state().u.norm() < 1e-13);
      CHECK(stepper.mode() == ContactMode::stick);
    } else {
      // (7/5) m v̇ = m g sin - μ_r N/r after one second
      const double v = 5.0 / 7 * kG * (std::sin(p.slope) - mu_r / p.radius * std::cos(p.slope));
      CHECK(stepper.state().u[0] == near(v, 1e-9));
      CHECK_FALSE(stepper.rates().slides);
      CHECK(stepper.rates().rolls);
    }
  }
}

TEST_CASE("any law: dissipation grows in every step, the energy balance is exact, nothing is allocated") {
  Random random(97);
  Worst worst, residual;
  for (int i = 0; i < 60; ++i) {
    const RollingLaw law = random_rolling_law(random);
    SpinningBodyParameters p;
    p.shape = law.has_rolling() || random.coin() ? BodyShape::sphere : BodyShape::disk;
    const SpinningBody body(law, p);
    State start = body.start();
    for (double& u : start.u) u = random.uniform(-1, 1) * random.log_uniform(0.01, 10);
    Steps stepper(body, start, random.log_uniform(1e-4, 1e-2));
    stepper.step();
    const std::size_t before = allocations();
    double last = 0;
    for (int k = 0; k < 200; ++k) {
      stepper.step();
      const double now = stepper.energy().dissipated;
      worst.add((last - now) / stepper.energy().initial);
      last = now;
      residual.add(stepper.residual());
    }
    CHECK(allocations() == before);
    CHECK(std::abs(stepper.energy().residual()) < 1e-12 * stepper.energy().initial);
  }
  show_worst("spinning body", "residual", residual.value());
  CHECK(worst.value() < 1e-14);
  CHECK(residual.value() < 1e-12);
}

TEST_CASE("bodies that cannot be are reported") {
  const RollingLaw rolls = RollingLaw::product(std::nullopt, std::nullopt, PlanarSet(Disk(0.1)));
  CHECK_THROWS_AS(SpinningBody(rolls, {}), InvalidInput);
  SpinningBodyParameters p;
  p.shape = BodyShape::sphere;
  p.mass = -1;
  CHECK_THROWS_AS(SpinningBody(rolls, p), InvalidInput);
  p.mass = 1;
  p.slope = 2;
  CHECK_THROWS_AS(SpinningBody(rolls, p), InvalidInput);
  p.slope = 0;
  const SpinningBody body(rolls, p);
  State start = body.start();
  start.u[3] = NAN;
  CHECK_THROWS_AS(simulate(body, start, Moreau{}, {}), InvalidInput);
}
