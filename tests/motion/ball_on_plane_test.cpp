#include "slipset/systems/ball_on_plane.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <utility>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

BallOnPlaneParameters parameters(double restitution = 0) { return {0.17, 0.028, 9.81, restitution}; }

State thrown(const BallOnPlane& ball, const Vec3& velocity, const Vec3& spin) {
  State state = ball.start();
  state.u << velocity, spin;
  return state;
}

// J ω + r e_z × m v: no force in the plane through the contact point changes it.
Vec3 momentum_about_contact(const VectorX& u) {
  const auto p = parameters();
  const Vec3 v = u.head<3>(), spin = u.tail<3>();
  return 0.4 * p.mass * p.radius * p.radius * spin + p.radius * p.mass * Vec3::UnitZ().cross(v);
}

}  // namespace

TEST_CASE("ball: bounces fall by the square of the restitution, and take their closed times") {
  const double e = 0.7, g = 9.81;
  const BallOnPlane ball(isotropic(0.2), parameters(e));
  State start = ball.start();
  start.q[2] += 0.5;
  MoreauStepper stepper(ball, start);
  const double dt = 1e-5;
  Worst high;
  std::vector<double> heights, impacts;
  while (impacts.size() < 5) {
    const double before = stepper.state().u[2];
    stepper.step(dt);
    high.add(stepper.state().q[2] - start.q[2] + 0.5);
    if (before < 0 && stepper.state().u[2] > 0) {
      impacts.push_back(stepper.state().t);
      heights.push_back(std::exchange(high, {}).value());
    }
  }
  const double fall = std::sqrt(2 * 0.5 / g);
  double t = fall;
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    // An impact comes up to a step late: the speed is off by g h, here and at the impacts before.
    const double part = std::pow(e, static_cast<double>(k));
    CHECK(heights[k] == near(0.5 * part * part, 2 * dt / (fall * part * (1 - e))));
    CHECK(impacts[k] == near(t, 1e-4));
    t += 2 * fall * std::pow(e, static_cast<double>(k + 1));
  }
}

TEST_CASE("ball: isotropic sliding comes to rolling at 5/7 of the speed after 2u/(7 μ g), and slips no more") {
  const double mu = 0.2, speed = 1.5, g = 9.81;
  const BallOnPlane ball(isotropic(mu), parameters(0.5));
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 1e-4;
  options.duration = 1;
  const Run run = simulate(ball, thrown(ball, {speed, 0, 0}, {0, 0, 3}), by_moreau, options);
  CHECK(run.end.u[0] == near(5 * speed / 7, 1e-12));
  CHECK(run.end.u[4] == near(5 * speed / 7 / parameters().radius, 1e-12));
  const double roll = 2 * speed / (7 * mu * g);
  CHECK(run.stop_time.value() == near(roll, 1e-3));
  // Sliding: 12 u²/(49 μ g), then rolling.
  const double way = 12 * speed * speed / (49 * mu * g) + 5 * speed / 7 * (1 - roll);
  CHECK(run.end.q[0] == near(way, 1e-4));
  CHECK(run.end.q[2] == near(parameters().radius, 1e-15));
  // 2/7 of the energy is gone, no more; the spin about the vertical stays.
  CHECK(run.energy.dissipated == near(parameters().mass * speed * speed / 7, 1e-12));
  CHECK(std::abs(run.energy.residual()) < 1e-14);
  CHECK(run.end.u[5] == 3);
  for (const auto row : run.table.rows())
    if (row[0] > roll + by_moreau.step) CHECK(row[run.table.column("contact.slip_1")] == 0);
}

// The slip velocity of the ball obeys γ̇ = 7/2 λ/m: it is a sliding body 7/2 times as quick. So the end points and stop
// times T, X of the sliding body (values.md: 2 m/s at 45°, μ = (0.4, 0.2), D 2:1) give when and where the ball rolls.
TEST_CASE("ball: with an anisotropic law it rolls when the sliding body would have stopped") {
  const BallOnPlane ball({Ellipse(0.4, 0.2), Ellipse(2, 1)}, parameters());
  const Vec2 v(std::sqrt(2), std::sqrt(2)), way(0.334146140358, 0.695298400541);
  const double time = 0.873260004774;
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 2.0 / 7 * time / 4000.5;
  options.until_stick = true;
  const Run run = simulate(ball, thrown(ball, {v.x(), v.y(), 0}, {0, 0, 0}), by_moreau, options);
  CHECK(run.stop_time.value() == near(2.0 / 7 * time, 1e-4));
  const Vec2 place = (10 * time * v + 4 * way) / 49;
  CHECK(Vec2(run.end.q.head<2>()).x() == near(place.x(), 3e-4));
  CHECK(Vec2(run.end.q.head<2>()).y() == near(place.y(), 3e-4));
  // The path bends to the axis of less friction.
  CHECK(run.end.q[1] - run.end.q[0] > 0.02);
}

// Every law ends in the same rolling, (5 v + 2 r ω × e_z)/7: only the way there differs.
TEST_CASE("ball: momentum about the contact point and vertical spin are kept; random laws, spins and bounces") {
  Random random(71);
  for (int i = 0; i < 25; ++i) {
    const BallOnPlane ball(random_law(random), parameters(random.uniform(0, 0.8)));
    const Vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0, 0.5));
    const Vec3 spin(random.uniform(-50, 50), random.uniform(-50, 50), random.uniform(-50, 50));
    MoreauStepper stepper(ball, thrown(ball, v, spin));
    const Vec3 kept = momentum_about_contact(stepper.state().u);
    const double scale = kept.norm() + 0.1 * parameters().radius * parameters().mass;
    Worst created, worst;
    // Past the last bounce the slip needs at most |γ| 2/(7 μ g) to end.
    while (stepper.state().t < 6 && !(stepper.contacts()[0].mode == ContactMode::stick && stepper.state().t > 2)) {
      const double dissipated = stepper.energy().dissipated;
      stepper.step(1e-3);
      created.add(dissipated - stepper.energy().dissipated);
      worst.add((momentum_about_contact(stepper.state().u) - kept).norm() / scale);
      worst.add(std::abs(stepper.state().u[5] - spin.z()));
    }
    CHECK(worst.value() < 1e-12);
    // Gravity acts while the contact holds against it: m (g Δt)²/8 at most in one step.
    CHECK(created.value() < parameters().mass * std::pow(9.81e-3, 2) / 8 + 1e-14);
    CHECK(std::abs(stepper.energy().residual()) < 1e-12);
    if (stepper.contacts()[0].mode != ContactMode::stick) continue;  // a law with a tiny coefficient
    const Vec3 rolling = (5 * v + 2 * parameters().radius * spin.cross(Vec3::UnitZ())) / 7;
    CHECK((Vec2(stepper.state().u.head<2>()) - rolling.head<2>()).norm() < 1e-11);
  }
}

TEST_CASE("ball: wrong parameters are refused") {
  CHECK_THROWS_WITH_AS(BallOnPlane(isotropic(0.2), {1, 1, 9.81, 1.5}), doctest::Contains("it must be from 0 to 1"),
                       InvalidInput);
  CHECK_THROWS_AS(BallOnPlane(isotropic(0.2), {1, 1, 9.81, NAN}), InvalidInput);
  CHECK_THROWS_AS(BallOnPlane(isotropic(0.2), {1, 0, 9.81, 0}), InvalidInput);
}
