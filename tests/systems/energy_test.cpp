// Where the energy of rigid bodies goes: friction on slip, impacts on what closes, and the scheme.         (D.5)
#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/bodies/body_world.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using test::near;

namespace {

constexpr double kGravity = 9.81;

}  // namespace

TEST_CASE(
    "A7: a ball that rolls down a fixed one does not slip: no friction loss, and what the scheme loses goes with the "
    "step") {
  const double r = 0.1, big = 1, angle = 0.1;
  BodyWorld world;
  const int rough = world.add_law(isotropic(5));
  RigidBody ground = fixed_body("ground", sphere_shape(big)), ball = free_body("ball", sphere_shape(r), 2);
  ground.surface.law = ball.surface.law = rough;
  world.add(ground, {});
  BodyState start;
  start.position = (big + r) * Vec3(std::sin(angle), 0, std::cos(angle));
  world.add(ball, start);
  double last = 0;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    const Run run = simulate(world, Moreau{.step = step}, {.duration = 0.8});
    const EnergyBalance& e = run.energy;
    // It rolls still: cos of its angle is above 10/17, and N > 0.
    const double fallen = 2 * kGravity * ((big + r) * std::cos(angle) - run.end.q[2]);
    REQUIRE(fallen > 0.5);
    CHECK(std::abs(e.dissipated - e.by_impacts) < 1e-9 * fallen);
    CHECK(std::abs(e.by_impacts) < step * fallen);
    CHECK(std::abs(e.numerical) < 5 * step * fallen);
    CHECK(std::abs(e.residual()) < 5 * step * fallen);
    if (last > 0) CHECK(std::abs(e.numerical) < 0.7 * last);
    last = std::abs(e.numerical);
    CHECK(e.kinetic == near(fallen, 5 * step));
  }
}

TEST_CASE("A7: an impact of rigid bodies takes m v^2 (1 - e^2)/2; a box that slides mu m g times its way") {
  for (const double e : {0.0, 0.5}) {
    BodyWorld world;
    world.gravity.setZero();
    RigidBody floor = fixed_body("floor", plane_shape()), ball = free_body("ball", sphere_shape(0.1), 2);
    floor.surface.restitution = e;
    world.add(floor, {});
    BodyState start;
    start.position = Vec3(0, 0, 0.2 + 1e-4);
    start.velocity = Vec3(0, 0, -3);
    world.add(ball, start);
    const Run run = simulate(world, Moreau{.step = 1e-3}, {.duration = 0.1});
    CHECK(run.energy.by_impacts == near(0.5 * 2 * 9 * (1 - e * e), 1e-9));
    CHECK(run.energy.dissipated == near(run.energy.by_impacts, 1e-12));
    CHECK(std::abs(run.energy.numerical) < 1e-12);
  }
  BodyWorld world;
  RigidBody floor = fixed_body("floor", plane_shape()), box = free_body("box", box_shape(Vec3(0.4, 0.4, 0.02)), 2);
  floor.surface.law = world.add_law(isotropic(0.3));
  world.add(floor, {});
  BodyState start;
  start.position = Vec3(0, 0, 0.01);
  start.velocity = Vec3(2, 0, 0);
  world.add(box, start);
  const Run run = simulate(world, Moreau{.step = 1e-3}, {.duration = 0.3});
  CHECK(run.energy.dissipated == near(0.3 * 2 * kGravity * run.end.q[0], 1e-6));
  CHECK(std::abs(run.energy.by_impacts) < 1e-6);
  CHECK(std::abs(run.energy.numerical) < 1e-6);
}

TEST_CASE(
    "A13: a table that is shaken puts in its friction force times its speed, a load its force times its point's") {
  BodyWorld world;
  RigidBody table = fixed_body("table", plane_shape()), ball = free_body("ball", sphere_shape(0.1), 2);
  table.motion.amplitude = Vec3(0.02, 0, 0);
  table.motion.frequency = 3;
  table.surface.law = world.add_law(isotropic(0.2));
  ball.force = Vec3(0, 1.5, 0);
  world.add(table, {});
  BodyState start;
  start.position = Vec3(0, 0, 0.1);
  world.add(ball, start);
  const double step = 2e-4;
  const Run run = simulate(world, Moreau{.step = step}, {.duration = 0.6});
  // The only forces along x and y: friction, and the load. So friction is m a - load, by differences of the rows.
  double expected = 0;
  const auto &vx = run.table["ball.vx"], &vy = run.table["ball.vy"], &table_x = run.table["table.x"];
  for (std::size_t i = 1; i < run.table.size(); ++i)
    expected += 2 * (vx[i] - vx[i - 1]) * (table_x[i] - table_x[i - 1]) / step + 1.5 * (vy[i] + vy[i - 1]) / 2 * step;
  CHECK(std::abs(expected) > 0.05);
  CHECK(run.energy.input == near(expected, 1e-6));
  CHECK(std::abs(run.energy.residual()) < 1e-6);
}
