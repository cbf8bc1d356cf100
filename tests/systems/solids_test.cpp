// Bodies in braces are the same bodies.
#include "slipset/systems/bodies/solids.hpp"

#include <doctest/doctest.h>

#include "slipset/core/error.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/bodies/body_world.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("a body in braces is the body of its shape, mass and law") {
  BodyWorld world;
  const Surface rubber = associated(Ellipse(0.4, 0.2));
  const std::size_t box = world.add(Box{.size = {0.2, 0.4, 0.02}, .mass = 1.2, .surface = rubber}, at(1, 2, 3));
  const std::size_t ball = world.add(Sphere{.radius = 0.1, .mass = 2, .surface = rubber, .name = "ball"}, at(0, 0, 9));
  const std::size_t wall = world.add(Box{.size = {1, 1, 1}, .surface = isotropic(0.1), .fixed = true}, at(5, 0, 0));
  const std::size_t floor = world.add(Plane{});
  const RigidBody same = free_body("box1", box_shape({0.2, 0.4, 0.02}), 1.2);
  CHECK(world.bodies[box].name == same.name);
  CHECK(world.bodies[box].inertia == same.inertia);
  CHECK(world.bodies[box].shape.half == same.shape.half);
  CHECK(world.states[box].position == Vec3(1, 2, 3));
  CHECK(world.bodies[ball].name == "ball");
  CHECK(world.bodies[wall].prescribed);
  CHECK(world.bodies[floor].name == "plane4");
  // One law for the two of one surface; none on the floor.
  CHECK(world.laws.size() == 2);
  CHECK(world.bodies[box].surface.law == 0);
  CHECK(world.bodies[ball].surface.law == 0);
  CHECK(world.bodies[wall].surface.law == 1);
  CHECK(world.bodies[floor].surface.law == -1);
}

TEST_CASE("bodies in braces without a mass, with a size of zero or with an elastic law are refused") {
  BodyWorld world;
  CHECK_THROWS_AS(world.add(Box{.size = {1, 1, 1}}, at(0, 0, 0)), InvalidInput);
  CHECK_THROWS_AS(world.add(Box{.mass = 1}, at(0, 0, 0)), InvalidInput);
  CHECK_THROWS_AS(world.add(Sphere{.mass = 1}, at(0, 0, 0)), InvalidInput);
  CHECK_THROWS_AS(Surface(isotropic(0.3).with_elastic(Adhesion(1e4, 1e4))), InvalidInput);
}

TEST_CASE("a world runs from where it stands") {
  BodyWorld world;
  BodyState start = at(0, 0, 0.01);
  start.velocity = Vec3(1, 0, 0);
  world.add(Box{.size = {0.2, 0.2, 0.02}, .mass = 1.2}, start);
  world.add(Plane{.surface = isotropic(0.3)});
  const Run run = simulate(world, Moreau{.step = 1e-3}, {.duration = 0.5});
  CHECK(run.table["box1.x"].back() == near(1 / (2 * 0.3 * 9.81), 1e-4));
}
