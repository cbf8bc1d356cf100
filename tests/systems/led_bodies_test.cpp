// Bodies on surfaces whose motion is prescribed, along the normal and along the tangents: A4, A25. Starts that the
// motion cannot keep, and worlds that are not whole: B4.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "tests/support/world_stepper.hpp"

using namespace slipset;

namespace {

constexpr double kGravity = 9.81;

// A flat box of 1 kg at rest on a plane that moves as said.
BodyWorld box_on(const PrescribedMotion& motion, double friction) {
  BodyWorld world;
  const int law = world.add_law(isotropic(friction));
  RigidBody table = fixed_body("table", plane_shape());
  table.surface.law = law;
  table.motion = motion;
  world.add(table, {});
  RigidBody box = free_body("box", box_shape({0.05, 0.05, 0.02}), 1);
  BodyState state;
  state.position = Vec3(0, 0, 0.01);
  state.velocity = motion.velocity_at(0);
  world.add(box, state);
  return world;
}

}  // namespace

// A vibratory conveyor that does not convey: friction holds, aω² < g.
TEST_CASE("A25: a box that sticks to a table shaken obliquely stays where it is on it") {
  PrescribedMotion motion;
  motion.amplitude = Vec3(3e-4, 0, 3e-4);
  motion.frequency = 20;
  const double rate = 2 * kPi * motion.frequency;
  double last = 0;
  for (const double step : {2e-3, 1e-3}) {
    const BodyWorld world = box_on(motion, 2);
    double creep = 0, velocity = 0, force = 0;
    RunOptions options{.duration = 1};
    options.after_step = [&](const MoreauStepper& s, long) {
      const BodyStep& bodies = body_step_of(s.form());
      const BodyState &table = bodies.world().states[0], &box = bodies.world().states[1];
      creep = std::fmax(creep, (box.position - table.position - Vec3(0, 0, 0.01)).norm());
      velocity = std::fmax(velocity, (box.velocity - motion.velocity_at(s.state().t)).head<2>().norm());
      double normal = 0;
      for (const Vec3& p : bodies.impulses()) normal += p[0] / step;
      const double a = -rate * rate * 3e-4 * std::sin(rate * (s.state().t - step / 2));
      force = std::fmax(force, std::abs(normal - (kGravity + a)));
    };
    const Run run = simulate(world, Moreau{.step = step, .contact = {.tolerance = 1e-11}}, options);
    // 0.75 mm and 2.4e-3 m/s at 1 ms where the table's velocity is that of the middle of a step.
    CHECK(creep < 5 * step * step);
    CHECK(velocity < 1e-6);
    CHECK(force < 0.5);  // of 9.81 ± 4.7 N
    CHECK(std::abs(run.energy.dissipated) < 20 * step * step);
    if (last > 0) CHECK(creep < 0.4 * last);
    last = creep;
  }
}

// -A sin(-ωt) is A sin(ωt): a box that is thrown up and caught meets the table at the same times.
TEST_CASE("a table that is shaken with a negative frequency is the same table") {
  std::vector<Vec3> ends;
  for (const double sign : {1.0, -1.0}) {
    PrescribedMotion motion;
    motion.amplitude = sign * Vec3(0, 0, 0.02);
    motion.frequency = sign * 10;
    const Run run = simulate(box_on(motion, 0.3), Moreau{.step = 1e-3}, {.duration = 0.5});
    ends.push_back(run.end.q.segment<3>(run.end.q.size() - 7));
  }
  CHECK(ends[0][2] > 0);
  CHECK((ends[0] - ends[1]).norm() < 1e-9);
}

TEST_CASE("A4: a table that rises with constant speed, or turns, carries a box along") {
  PrescribedMotion rises;
  rises.velocity = Vec3(0.2, 0, 0.1);
  const BodyWorld lift = box_on(rises, 0.5);
  const Run up = simulate(lift, Moreau{.step = 1e-3}, {.duration = 1});
  CHECK((up.end.q.head<3>() - Vec3(0.2, 0, 0.11)).norm() < 1e-9);
  CHECK(std::abs(up.energy.dissipated) < 1e-9);
  CHECK(std::abs(up.energy.input - kGravity * 0.1) < 1e-9);

  PrescribedMotion turns;
  turns.spin = Vec3(0, 0, 2);
  double last = 0;
  for (const double step : {4e-3, 2e-3}) {
    BodyWorld turntable = box_on(turns, 5);
    turntable.states[1].position.x() = 0.3;
    turntable.states[1].velocity = Vec3(0, 0.6, 0);
    turntable.states[1].spin = Vec3(0, 0, 2);
    const Run run = simulate(turntable, Moreau{.step = step}, {.duration = 2});
    const double error = (run.end.q.head<2>() - 0.3 * unit(4)).norm();
    CHECK(error < 10 * step * step);
    if (last > 0) CHECK(error < 0.3 * last);
    last = error;
    CHECK(std::abs(run.energy.dissipated) < 1 * step);
  }
}

TEST_CASE("B4: a world whose bodies have no state, or whose joint was not added, is refused with what to do") {
  BodyWorld world = box_on({}, 0.5);
  world.bodies.push_back(world.bodies.back());
  CHECK_THROWS_WITH_AS(world.start(), doctest::Contains("add()"), InvalidInput);
  CHECK_THROWS_WITH_AS(simulate(world, Moreau{}, {}), doctest::Contains("add()"), InvalidInput);
  CHECK_THROWS_AS(simulate(world, State{}, Moreau{}, {}), InvalidInput);
  CHECK_THROWS_AS(world.kinetic_energy(), InvalidInput);
  CHECK_THROWS_AS(world.angular_momentum(), InvalidInput);
  CHECK_THROWS_AS(problem_of(world, 1e-3), InvalidInput);
  world.bodies.pop_back();
  world.joints.push_back({.name = "loose", .kind = JointKind::ball, .first = 0, .second = 1});
  CHECK_THROWS_WITH_AS(simulate(world, Moreau{}, {}), doctest::Contains("loose"), InvalidInput);
  world.joints.clear();
  world.pairs.push_back({0, 7, 0});
  CHECK_THROWS_AS(simulate(world, Moreau{}, {}), InvalidInput);
  world.pairs.clear();
  world.bodies[1].mass = -1;
  CHECK_THROWS_WITH_AS(simulate(world, Moreau{}, {}), doctest::Contains("box"), InvalidInput);
  world.bodies[1].mass = 1;
  CHECK(simulate(world, Moreau{}, {.duration = 0.01}).report.finished());
  CHECK_THROWS_AS(simulate(world, Moreau{.closing_distance = -1e-9}, {}), InvalidInput);
  CHECK_THROWS_AS(simulate(world, Moreau{.closing_distance = NAN}, {}), InvalidInput);
}

// Two bodies of 1 and 2 kg, joined at a ball between their centres, that move apart along it: what is left is the motion
// of their common centre, ½ m1 m2/(m1 + m2) v² is lost.
TEST_CASE("bodies that start against their joints, or inside each other, are reported with the amount") {
  BodyWorld world;
  world.gravity.setZero();
  BodyState left, right;
  left.position = Vec3(-0.1, 0, 0);
  right.position = Vec3(0.1, 0, 0);
  right.velocity = Vec3(3, 0, 0);
  world.add(free_body("left", sphere_shape(0.05), 1), left);
  world.add(free_body("right", sphere_shape(0.05), 2), right);
  world.add(Joint{.name = "pin", .kind = JointKind::ball, .first = 0, .second = 1});
  const Run run = simulate(world, Moreau{}, {.duration = 0.01});
  REQUIRE_FALSE(run.report.warnings.empty());  // energies that do not add up are another
  CHECK(run.report.warnings[0].find("\"pin\" by 3 m/s") != std::string::npos);
  CHECK(run.report.warnings[0].find("takes 3 J") != std::string::npos);  // ½ · 2/3 · 9
  CHECK(std::abs(run.energy.kinetic - 6) < 1e-2);
  // Together they fit.
  world.states[0].velocity = world.states[1].velocity = Vec3(1, 2, 0);
  CHECK(simulate(world, Moreau{}, {.duration = 0.01}).report.warnings.empty());

  BodyWorld inside = box_on({}, 0.5);
  CHECK(simulate(inside, Moreau{}, {.duration = 0.01}).report.warnings.empty());
  inside.states[1].position.z() = 0.008;
  const Run overlaps = simulate(inside, Moreau{}, {.duration = 0.01});
  REQUIRE_FALSE(overlaps.report.warnings.empty());
  CHECK(overlaps.report.warnings[0].find("overlap by 0.002 m") != std::string::npos);
  CHECK(overlaps.report.warnings[0].find("\"box\"") != std::string::npos);
}

// Left out means: as the system suggests.
TEST_CASE("one option of the contact solver does not replace the others") {
  const BodyWorld world = box_on({}, 0.5);
  const ContactOptions suggested = world.contact_options();
  const MoreauStepper stepper(world, world.start(), {.tolerance = 1e-5});
  CHECK(stepper.options().tolerance == 1e-5);
  CHECK(stepper.options().method == suggested.method);
  CHECK(stepper.options().max_iterations == suggested.max_iterations);
}
