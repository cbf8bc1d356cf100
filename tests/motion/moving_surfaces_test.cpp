// Surfaces that a user's evaluate() moves, and a mass matrix that it changes: what is not said is looked for, never
// assumed. A4, A5, A25.
#include <doctest/doctest.h>

#include <functional>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/axial_system.hpp"

using namespace slipset;

namespace {

constexpr double kGravity = 9.81;

std::shared_ptr<const PlanarContactLaw> coulomb(double friction) {
  return std::make_shared<PlanarContactLaw>(isotropic(friction));
}

// A free particle of 2 kg in polar coordinates: M = diag(m, m r²). It says nothing of its mass.
struct PolarParticle final : System {
  std::vector<SystemContact> none;
  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return none; }
  void evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    at.mass = Vec2(2, 2 * q[0] * q[0]).asDiagonal();
    at.force = Vec2(2 * q[0] * u[1] * u[1], -4 * q[0] * u[0] * u[1]);
  }
};

// A point of 2 kg above a table at height s(t). It says nothing of the table's velocity.
struct OnTable final : System {
  std::vector<SystemContact> table;
  std::function<double(double)> height;
  OnTable(double friction, double restitution, std::function<double(double)> s) : height(std::move(s)) {
    table.push_back({"table", coulomb(friction), true, restitution});
  }
  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return table; }
  void evaluate(double t, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass = 2 * MatrixX::Identity(3, 3);
    at.force = at.potential_force = Vec3(0, 0, -2 * kGravity);
    ContactAt& c = at.contacts[0];
    c.gap = q[2] - height(t);
    c.normal = Vec3(0, 0, 1);
    c.tangents.setZero();
    c.tangents(0, 0) = c.tangents(1, 1) = 1;
  }
  double potential_energy(const VectorX& q) const override { return 2 * kGravity * q[2]; }
};

// A point of 2 kg, pressed with 10 N on a surface in the plane: its axes at an angle, its velocity in the world.
struct OnMovingSurface final : System {
  std::vector<SystemContact> belt{{"belt", coulomb(100)}};
  std::function<double(double)> angle;
  std::function<Vec2(double, const Vec2&)> velocity;
  double frequency = 0;
  Eigen::Index dofs() const override { return 2; }
  double drive_frequency() const override { return frequency; }
  const std::vector<SystemContact>& contacts() const override { return belt; }
  void evaluate(double t, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass = 2 * MatrixX::Identity(2, 2);
    ContactAt& c = at.contacts[0];
    c.normal_force = 10;
    c.tangents.col(0) = unit(angle(t));
    c.tangents.col(1) = turn_left(unit(angle(t)));
    c.surface_velocity = c.tangents.transpose() * velocity(t, Vec2(q));
  }
};

}  // namespace

// Along a straight line: r² = r_0² + (v t)².
TEST_CASE("A5: a mass matrix that changes needs no word") {
  const PolarParticle particle;
  const State start{0, Vec2(1, 0), Vec2(0, 1.1)};
  const double r = std::sqrt(1 + 1.21), angle = std::atan(1.1);
  double last = 0;
  for (const double step : {2e-3, 1e-3}) {
    const Run run = simulate(particle, start, Moreau{.step = step}, {.duration = 1});
    const double error = std::abs(run.end.q[0] - r) + std::abs(run.end.q[1] - angle);
    CHECK(error < 2 * step);
    if (last > 0) CHECK(error < 0.55 * last);
    last = error;
  }
  for (const Integrator& exact : {Integrator(EventDriven{}), Integrator(RungeKutta4{.step = 1e-3})}) {
    const Run run = simulate(particle, start, exact, {.duration = 1});
    CHECK(std::abs(run.end.q[0] - r) < 1e-8);
    CHECK(std::abs(run.end.q[1] - angle) < 1e-8);
  }
}

// The mass stays on the table, feels m(g + s̈), and slows down by μ(g + s̈).
TEST_CASE("A4: a table whose gap alone says that it rises, or shakes, carries a mass") {
  const double a = 0.1, w = 5, mu = 0.2, end = 0.3;  // aω² < g
  struct Case {
    std::function<double(double)> s, rate, second;
    double order;
  };
  const Case rises{[](double t) { return 0.1 * t; }, [](double) { return 0.1; }, [](double) { return 0.0; }, 0};
  const Case shakes{[&](double t) { return a * std::sin(w * t); }, [&](double t) { return a * w * std::cos(w * t); },
                    [&](double t) { return -a * w * w * std::sin(w * t); }, 2};
  for (const Case& c : {rises, shakes}) {
    const OnTable table(mu, 0, c.s);
    const State start{0, Vec3(0, 0, 0), Vec3(1, 0, c.rate(0))};
    double last = 0;
    for (const double step : {2e-3, 1e-3}) {
      double force = 0;
      RunOptions options{.duration = end};
      options.after_step = [&](const MoreauStepper& s, long number) {
        if (number == 1) return;  // from the given velocity to one from gaps: of first order
        const double middle = s.state().t - step / 2;
        force = std::fmax(force, std::abs(s.contacts()[0].impulse[0] / step - 2 * (kGravity + c.second(middle))));
      };
      const Run run = simulate(table, start, Moreau{.step = step}, options);
      const double slip = 1 - mu * (kGravity * end + c.rate(end) - c.rate(0));
      const double error = std::abs(run.end.q[2] - c.s(end)) + std::abs(run.end.u[2] - c.rate(end)) +
                           std::abs(run.end.u[0] - slip) + force;
      CHECK(error <= (c.order == 0 ? 1e-9 : 40 * step * step));
      if (last > 0 && c.order > 0) CHECK(error < 0.3 * last);
      last = error;
      // The table lifts, and pushes; friction takes the rest: the work on what moves up.
      const double lifted = 2 * kGravity * c.s(end) + c.rate(end) * c.rate(end) - c.rate(0) * c.rate(0);
      CHECK(std::abs(run.energy.input - lifted) <= 1e-11 + 40 * step * step * c.order);
      CHECK(std::abs(run.energy.dissipated - (1 - slip * slip)) <= 1e-11 + 40 * step * step * c.order);
      CHECK(std::abs(run.energy.residual()) < 1e-11);
    }
    CHECK_THROWS_WITH_AS(simulate(table, start, EventDriven{}, {.duration = end}),
                         doctest::Contains("surface_normal_velocity"), InvalidInput);
  }
}

// Newton's law for the velocity relative to the table: it leaves with v + e (v + √(2gh) ...).
TEST_CASE("A4: a mass bounces off a table that rises, by the velocity relative to it") {
  const double v = 0.7, e = 0.6;
  const OnTable table(0.2, e, [&](double t) { return v * t; });
  // It falls from z = 1 and meets the table at 1 - g t²/2 = v t.
  const double t = (std::sqrt(v * v + 2 * kGravity) - v) / kGravity, after = v + e * (v + kGravity * t);
  const double end = t + 0.05;
  const Run run = simulate(table, {0, Vec3(0, 0, 1), Vec3(0, 0, 0)}, Moreau{.step = 1e-5}, {.duration = end});
  CHECK(std::abs(run.end.u[2] - (after - kGravity * 0.05)) < 1e-3);
  CHECK(std::abs(run.end.q[2] - (v * t + after * 0.05 - kGravity / 2 * 0.05 * 0.05)) < 1e-3);
  // At rest on a table that accelerates it does not begin to bounce.
  const OnTable shaker(0.2, e, [](double s) { return 0.1 * std::sin(5 * s); });
  const Run rests = simulate(shaker, {0, Vec3(0, 0, 0), Vec3(0, 0, 0.5)}, Moreau{.step = 1e-3}, {.duration = 0.25});
  CHECK(std::abs(rests.end.u[2] - 0.5 * std::cos(1.25)) < 1e-5);
  const std::vector<double> force = rests.table["table.normal_force"];
  for (std::size_t k = 2; k < force.size(); ++k) CHECK(force[k] > 10);
}

TEST_CASE("A25: what sticks to a belt that accelerates has the belt's velocity at the end of each step") {
  OnMovingSurface belt;
  belt.angle = [](double) { return 0.3; };
  belt.velocity = [](double t, const Vec2&) { return Vec2(std::sin(3 * t), 2 * t * t); };
  const double step = 1e-2;
  double worst = 0;
  RunOptions options{.duration = 1};
  options.after_step = [&](const MoreauStepper& s, long) {
    worst = std::fmax(worst, (s.state().u - belt.velocity(s.state().t, {})).norm());
  };
  const Run run = simulate(belt, Moreau{.step = step}, options);
  CHECK(worst < 1e-13);  // 2e-2 with the velocity in the middle of a step
  CHECK(run.end.u.norm() > 2);
  CHECK((run.end.q - Vec2((1 - std::cos(3.0)) / 3, 2.0 / 3)).norm() < step * step);
  // Sticking costs nothing: the drive's work is what the mass has.
  CHECK(std::abs(run.energy.dissipated) < 1e-12);
  CHECK(std::abs(run.energy.input - run.end.u.squaredNorm()) < 1e-12);
}

// On a turntable, with axes that turn with it or stand: a circle, of second order.
TEST_CASE("A25: what sticks to a turntable keeps its radius to second order") {
  for (const bool turning : {false, true}) {
    OnMovingSurface table;
    table.angle = [=](double t) { return turning ? 2 * t : 0.0; };
    table.velocity = [](double, const Vec2& q) { return Vec2(2 * turn_left(q)); };
    double last = 0;
    for (const double step : {1e-2, 5e-3}) {
      const Run run = simulate(table, {0, Vec2(1, 0), Vec2(0, 2)}, Moreau{.step = step}, {.duration = 2});
      const double error = (run.end.q - unit(4)).norm();
      CHECK(error < 20 * step * step);
      if (last > 0) CHECK(error < 0.3 * last);
      last = error;
      CHECK(std::abs(run.energy.dissipated) < 1e-12);
    }
  }
}

TEST_CASE("A25: a block that sticks to a surface along a line, too") {
  AxialSystemParameters p;
  p.mass = VectorX::Constant(1, 2);
  p.limits = VectorX::Constant(1, 1e3);
  p.surfaces = {{0, {0, 0, 0.1, 5, 0}}};
  const AxialSystem system(p);
  const double step = 1e-2;
  const Run run =
      simulate(system, {0, VectorX::Zero(1), VectorX::Constant(1, 0.5)}, Moreau{.step = step}, {.duration = 0.5});
  CHECK(std::abs(run.end.u[0] - 0.5 * std::cos(2.5)) < 1e-13);
  CHECK(std::abs(run.end.q[0] - 0.1 * std::sin(2.5)) < step * step);
  CHECK(std::abs(run.energy.dissipated) < 1e-14);
  CHECK(std::abs(run.energy.residual()) < 1e-14);
}

// Quinn's law sticks only with the surface's acceleration, found by differences that must be short beside the period.
TEST_CASE("a mass that sticks follows a surface shaken at 50 Hz and at 50 kHz, by Runge and Kutta") {
  for (const double frequency : {50.0, 5e4}) {
    CAPTURE(frequency);
    OnMovingSurface belt;
    belt.frequency = frequency;
    belt.angle = [](double) { return 0.0; };
    const double rate = 2 * kPi * frequency, most = 300 / (2 * rate);  // of the 1000 N that friction can take
    belt.velocity = [=](double t, const Vec2&) { return Vec2(most * std::sin(rate * t), 0); };
    const Run run = simulate(
        belt, {0, Vec2(0, 0), Vec2(0, 0)},
        RungeKutta4{.step = 0.02 / frequency, .friction = RegularizedCoulomb(Regularization::quinn, 10 * most)},
        {.duration = 5.25 / frequency});
    CHECK(std::abs(run.end.u[0] - most) < 1e-3 * most);
  }
}

// Slip, then stick: the order across the transition stays the first.
TEST_CASE("A25: a mass that a belt overtakes slips, sticks, and converges to the event-driven run") {
  OnMovingSurface belt;
  belt.belt[0].law = coulomb(0.2);
  belt.angle = [](double t) { return 0.5 * t; };
  belt.velocity = [](double t, const Vec2&) { return Vec2(0.4 * std::sin(2 * t), 0.1); };
  const State start{0, Vec2(0, 0), Vec2(0.8, -0.3)};
  const Run exact = simulate(belt, start, EventDriven{}, {.duration = 1.5});
  double last = 0;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const Run run = simulate(belt, start, Moreau{.step = step}, {.duration = 1.5});
    const double error = (run.end.q - exact.end.q).norm() + (run.end.u - exact.end.u).norm() +
                         std::abs(run.energy.dissipated - exact.energy.dissipated) +
                         std::abs(run.energy.input - exact.energy.input);
    CHECK(error < 2 * step);
    if (last > 0) CHECK(error < 0.7 * last);
    last = error;
  }
}
