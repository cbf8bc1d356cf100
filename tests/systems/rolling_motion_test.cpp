// Bodies whose contacts resist drilling and rolling, against closed forms and the model of one body.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/sets/ellipse.hpp"
#include "slipset/systems/spinning_body.hpp"
#include "tests/support/near.hpp"
#include "tests/support/world_stepper.hpp"

using namespace slipset;
using namespace slipset::test;
using test::WorldOptions;
using test::WorldStepper;

namespace {

constexpr double kGravity = 9.81, kRadius = 0.1, kMass = 2, kInertia = 0.4 * kMass * kRadius * kRadius;

WorldOptions tight() {
  WorldOptions options;
  options.contact.tolerance = 1e-11;
  return options;
}

RollingLaw law_of(double friction, double rolling) { return RollingLaw::product(Disk(friction), {}, Disk(rolling)); }

struct Ball {
  BodyWorld world;
  std::size_t body = 0;
  Quaternion turn = Quaternion::Identity();  // of the plane
};

// A sphere on a plane that is turned; its velocity and spin along the axes of the plane.
Ball ball_on_plane(const RollingLaw& law, const Vec3& velocity, const Vec3& spin,
                   const Quaternion& turn = Quaternion::Identity(), bool ball_carries_law = false) {
  Ball ball;
  ball.turn = turn;
  const int index = ball.world.add_law(law);
  RigidBody plane = fixed_body("plane", plane_shape());
  plane.surface.law = ball_carries_law ? -1 : index;
  BodyState place;
  place.orientation = turn;
  ball.world.add(plane, place);
  RigidBody sphere = free_body("ball", sphere_shape(kRadius), kMass);
  sphere.surface.law = ball_carries_law ? index : -1;
  sphere.surface.priority = ball_carries_law ? 1 : 0;
  BodyState state;
  state.position = turn * Vec3(0, 0, kRadius);
  state.velocity = turn * velocity;
  state.spin = turn * spin;
  ball.body = ball.world.add(sphere, state);
  return ball;
}

Vec3 rolling_spin(const Vec3& velocity) { return Vec3::UnitZ().cross(velocity) / kRadius; }

}  // namespace

TEST_CASE("G.14 a sphere that rolls is slowed by 5/7 g e/R, does not slip, and stops where that says") {
  const double e = 0.004, a = 5.0 / 7 * kGravity * e / kRadius, dt = 1e-3;
  for (const bool ball_carries_law : {false, true})
    for (const double angle : {0.0, 2.1}) {
      const Vec3 start(0.8 * std::cos(angle), 0.8 * std::sin(angle), 0);
      const Ball ball =
          ball_on_plane(law_of(0.3, e), start, rolling_spin(start), Quaternion::Identity(), ball_carries_law);
      WorldStepper stepper(ball.world, tight());
      double stopped = 0;
      Worst slip;
      for (int i = 1; stopped == 0 && i < 10000; ++i) {
        stepper.step(dt);
        slip.add(stepper.solution().velocity.segment<2>(1).norm());
        if (i == 1000) CHECK(stepper.world().states[ball.body].velocity.norm() == near(0.8 - a, 1e-10));
        if (stepper.solution().modes[0] == ContactMode::stick) stopped = stepper.world().time;
      }
      const BodyState& end = stepper.world().states[ball.body];
      CHECK(std::abs(stopped - 0.8 / a) < 1.01 * dt);
      CHECK((Vec3(end.position - Vec3(0, 0, kRadius)) - 0.8 / (2 * a) * start).norm() < a * dt * dt);
      CHECK(end.velocity.norm() < 1e-12);
      CHECK(slip.value() < 1e-11);
      // All its energy went into the rolling torque: the force at the contact does no work.
      CHECK(stepper.energy().by_torques == near(0.5 * 7 / 5 * kMass * 0.64, 1e-10));
      CHECK(std::abs(stepper.energy().dissipated - stepper.energy().by_torques) < 1e-12);
      CHECK(std::abs(stepper.energy().residual()) < 1e-12);
    }
}

TEST_CASE("friction below 5/7 e/R cannot turn the sphere: it slides, its spin stops first") {
  const double mu = 0.2, e = 0.4 * kRadius, speed = 1, dt = 1e-4;
  const Ball ball = ball_on_plane(law_of(mu, e), Vec3(speed, 0, 0), rolling_spin(Vec3(speed, 0, 0)));
  WorldStepper stepper(ball.world, tight());
  const double slowing = (e - mu * kRadius) * kMass * kGravity / kInertia, spin = speed / kRadius;
  const int turns_for = static_cast<int>(spin / slowing / dt);
  for (int i = 0; i < turns_for / 2; ++i) stepper.step(dt);
  const double t = turns_for / 2 * dt;
  CHECK(stepper.world().states[ball.body].world_spin().y() == near(spin - slowing * t, 1e-9));
  CHECK(stepper.world().states[ball.body].velocity.x() == near(speed - mu * kGravity * t, 1e-9));
  for (int i = turns_for / 2; i < turns_for + 10; ++i) stepper.step(dt);
  CHECK(stepper.world().states[ball.body].spin.norm() < 1e-9);
  while (stepper.world().time < 1) stepper.step(dt);
  CHECK(stepper.world().states[ball.body].position.x() == near(speed * speed / (2 * mu * kGravity), 1e-6));
}

TEST_CASE(
    "G.14 on an incline a sphere rests exactly up to tan(angle) = e/R, and rolls with 5/7 g (sin - e/R cos) above") {
  const double e = 0.02, mu = 0.6, limit = std::atan(e / kRadius);
  for (const double angle : {limit * (1 - 1e-6), limit * (1 + 1e-3), 0.3, 0.4}) {
    const Ball ball =
        ball_on_plane(law_of(mu, e), Vec3::Zero(), Vec3::Zero(), Quaternion(Eigen::AngleAxisd(angle, Vec3::UnitY())));
    WorldStepper stepper(ball.world, tight());
    for (int i = 0; i < 200; ++i) stepper.step(5e-3);
    const BodyState& end = stepper.world().states[ball.body];
    const double speed = end.velocity.dot(ball.turn * Vec3::UnitX());
    if (angle < limit) {
      CHECK(end.velocity.norm() < 1e-12);
      CHECK(stepper.solution().modes[0] == ContactMode::stick);
    } else {
      const double a = 5.0 / 7 * kGravity * (std::sin(angle) - e / kRadius * std::cos(angle));
      CHECK(speed == near(a, 1e-8));
      CHECK((end.position - ball.turn * Vec3(a / 2, 0, kRadius)).norm() < 1e-8);
    }
    CHECK(std::abs(stepper.energy().residual()) < 1e-9);
  }
}

TEST_CASE("drilling stops the spin about the normal linearly: of a sphere, and of a box on its four corners") {
  const double d = 0.003, spin = 8;
  const Ball ball = ball_on_plane(RollingLaw::product(Disk(0.3), Interval(d), {}), Vec3::Zero(), Vec3(0, 0, spin));
  WorldStepper stepper(ball.world, tight());
  const double slowing = d * kMass * kGravity / kInertia, dt = 1e-3;
  for (int i = 0; i < 500; ++i) stepper.step(dt);
  CHECK(stepper.world().states[ball.body].world_spin().z() == near(spin - slowing * 0.5, 1e-10));
  while (stepper.world().time < spin / slowing + dt) stepper.step(dt);
  CHECK(stepper.world().states[ball.body].spin.norm() < 1e-10);
  CHECK(stepper.energy().by_torques == near(kInertia * spin * spin / 2, 1e-10));

  // Friction against drilling alone: the corners slide freely. Clockwise there is twice as much of it.
  for (const double sense : {1.0, -1.0}) {
    BodyWorld world;
    const int law = world.add_law(RollingLaw::product({}, Interval(2 * d, d), {}));
    RigidBody plane = fixed_body("plane", plane_shape());
    plane.surface.law = law;
    world.add(plane, {});
    BodyState state;
    state.position = Vec3(0, 0, 0.025);
    state.spin = Vec3(0, 0, sense * spin);
    const RigidBody box = free_body("box", box_shape({0.3, 0.1, 0.05}), kMass);
    const std::size_t index = world.add(box, state);
    WorldStepper turning(world, tight());
    for (int i = 0; i < 100; ++i) turning.step(dt);
    const double rate = (sense > 0 ? d : 2 * d) * kMass * kGravity / box.inertia.z();
    CHECK(turning.contacts().size() == 4);
    CHECK(turning.world().states[index].spin.z() == near(sense * (spin - rate * 0.1), 1e-8));
    CHECK(std::abs(turning.energy().residual()) < 1e-10);
  }
}

TEST_CASE("a turntable drives a sphere by drilling; its work is the sphere's energy and the heat") {
  const double d = 0.003, spin = 5, dt = 1e-3;
  BodyWorld world;
  const int law = world.add_law(RollingLaw::product(Disk(0.3), Interval(d), Disk(0.001)));
  RigidBody table = fixed_body("table", plane_shape());
  table.surface.law = law;
  table.motion.spin = Vec3(0, 0, spin);
  world.add(table, {});
  BodyState state;
  state.position = Vec3(0, 0, kRadius);
  const std::size_t ball = world.add(free_body("ball", sphere_shape(kRadius), kMass), state);
  WorldStepper stepper(world, tight());
  const double torque = d * kMass * kGravity, until = spin * kInertia / torque;
  for (int i = 0; i < 300; ++i) stepper.step(dt);
  CHECK(0.3 < until);
  CHECK(stepper.world().states[ball].world_spin().z() == near(torque / kInertia * 0.3, 1e-9));
  CHECK(stepper.energy().input == near(torque * spin * 0.3, 1e-9));
  CHECK(std::abs(stepper.energy().residual()) < 1e-10);
  while (stepper.world().time < until + dt) stepper.step(dt);
  CHECK(stepper.world().states[ball].world_spin().z() == near(spin, 1e-9));
  CHECK(stepper.energy().input == near(kInertia * spin * spin, 1e-9));
  CHECK(stepper.energy().by_torques == near(kInertia * spin * spin / 2, 1e-9));
}

TEST_CASE("two rolling resistances bend the path: along it ln(w_x)/a^2 - ln(w_y)/b^2 stays") {
  const double a = 0.002, b = 0.006;  // torques about x and about y
  const RollingLaw law = RollingLaw::product(Disk(0.5), {}, Ellipse(a, b));
  const Vec3 start(0.6, 0.6, 0);
  const auto off = [&](double dt) {
    const Ball ball = ball_on_plane(law, start, rolling_spin(start));
    WorldStepper stepper(ball.world, tight());
    while (stepper.world().time < 1 - dt / 2) stepper.step(dt);
    const BodyState& end = stepper.world().states[ball.body];
    const Vec3 spin = end.world_spin(), first = rolling_spin(start);
    CHECK(end.velocity.y() > 1.2 * end.velocity.x());  // rolling along x turns about y, against the larger torque
    CHECK(std::abs(stepper.energy().residual()) < 1e-11);
    CHECK((spin - rolling_spin(end.velocity)).norm() < 1e-9);
    return std::log(spin.x() / first.x()) / (a * a) - std::log(spin.y() / first.y()) / (b * b);
  };
  const double coarse = off(2e-3), fine = off(1e-3);
  CHECK(std::abs(fine) * a * a < 1e-4);
  CHECK(coarse / fine == near(2, 0.1));  // Moreau's steps are of first order
}

TEST_CASE("with sliding, drilling and rolling at once a sphere moves as the model spinning-body does") {
  const RollingLaw laws[] = {
      RollingLaw::product(Ellipse(0.5, 0.15, radians(30)), Interval(0.001, 0.002), Ellipse(0.003, 0.001, radians(-20))),
      RollingLaw::ellipsoid({Vec2(0.4, 0.2), radians(50), 0.002, Vec2(0.001, 0.004), radians(10)}),
      RollingLaw::contensou(0.3, 0.01, PatchPressure::hertz, Disk(0.002))};
  for (const RollingLaw& law : laws) {
    const Vec3 velocity(1.2, 0.3, 0), spin(3, -2, 20);
    const double dt = 1e-3;
    const Ball ball = ball_on_plane(law, velocity, spin);
    WorldStepper stepper(ball.world, tight());
    SpinningBodyParameters parameters;
    parameters.shape = BodyShape::sphere;
    parameters.mass = kMass;
    parameters.radius = kRadius;
    const SpinningBody body(law, parameters);
    State start = body.start();
    start.u << velocity.x(), velocity.y(), spin;
    MoreauStepper model(body, start);
    for (int i = 0; i < 1000; ++i) {
      stepper.step(dt);
      model.step(dt);
    }
    const BodyState& end = stepper.world().states[ball.body];
    CHECK(end.position.head<2>().norm() > 0.2);
    CHECK((end.position.head<2>() - model.state().q.head<2>()).norm() < 1e-9);
    CHECK((end.velocity.head<2>() - model.state().u.head<2>()).norm() < 1e-9);
    CHECK((end.world_spin() - model.state().u.tail<3>()).norm() < 1e-8);
    CHECK(stepper.energy().dissipated == near(model.energy().dissipated, 1e-9));
    CHECK(std::abs(stepper.energy().residual()) < 1e-10);
  }
}
