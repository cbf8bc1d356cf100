// Bodies that are led into what cannot give way.
#include <doctest/doctest.h>

#include "slipset/contact/contact_solver.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/bodies/body_world.hpp"

using namespace slipset;

namespace {

constexpr double kRadius = 0.02;

RigidBody finger(const char* name, double speed) {
  RigidBody body = fixed_body(name, box_shape(Vec3(0.01, 0.05, 0.05)));
  body.motion.velocity = Vec3(speed, 0, 0);
  return body;
}

// Two led boxes, 2 mm from a ball on each side, that close at 0.1 m/s each: they touch it after 0.02 s.
BodyWorld gripper(double left, double right) {
  BodyWorld world;
  world.gravity.setZero();
  const int law = world.add_law(FrictionLaw(Disk(0.5), Disk(0.5)));
  RigidBody ball = free_body("ball", sphere_shape(kRadius), 0.2);
  ball.surface.law = law;
  const double away = kRadius + 0.005 + 0.002;
  world.add(finger("left finger", left), {.position = Vec3(-away, 0, 0)});
  world.add(finger("right finger", right), {.position = Vec3(away, 0, 0)});
  world.add(ball, {});
  return world;
}

Run led(const BodyWorld& world) {
  RunOptions options;
  options.duration = 0.1;
  TimeSteppingRun run(world, world.start(), Moreau{.step = 1e-3}, options);
  while (run.advance(1000)) {
  }
  return std::move(run).result();
}

}  // namespace

TEST_CASE("A2: fingers that close on a ball end the run, by name, before anything is crushed") {
  const BodyWorld world = gripper(0.1, -0.1);
  const Run run = led(world);
  CHECK(run.report.status == RunStatus::no_solution);
  CHECK_FALSE(run.report.finished());
  CAPTURE(run.report.stop_reason);
  for (const char* name : {"left finger", "right finger", "ball"})
    CHECK(run.report.stop_reason.find(name) != std::string::npos);
  CHECK(std::abs(run.end.t - 0.02) < 2e-3);
  CHECK(run.report.contacts.deepest_overlap < 1e-6);
  CHECK(std::abs(run.energy.residual()) < 1e-9);
  CHECK(run.energy.dissipated < 0.2 * 0.2 * 0.2);  // no more than an impact at 0.2 m/s could take
}

TEST_CASE("A2: fingers that carry a ball along do not") {
  const Run run = led(gripper(0.1, 0.1));
  CHECK(run.report.status == RunStatus::finished);
  CHECK(run.report.not_converged == 0);
  const double pushed = 0.2 * 0.1 * 0.1 / 2;  // the ball's energy at the end
  CHECK(std::abs(run.energy.kinetic - pushed) < 1e-6);
}
