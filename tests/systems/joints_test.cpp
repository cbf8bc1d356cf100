// Joints, restitution and loads of rigid bodies, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/sets/disk.hpp"
#include "tests/support/world_stepper.hpp"

using namespace slipset;
using test::WorldOptions;
using test::WorldStepper;

namespace {

constexpr double kGravity = 9.81;

WorldOptions tight() {
  WorldOptions options;
  options.contact.tolerance = 1e-11;
  return options;
}

// A rod along -z that hangs from the origin, turned by an angle about y; and the ground, far below.
struct Pendulum {
  BodyWorld world;
  std::size_t rod = 0;
  double length = 0.5, mass = 2, inertia = 0;  // about the hinge
};
Pendulum pendulum(double angle, JointKind kind = JointKind::hinge) {
  Pendulum p;
  const std::size_t ground = p.world.add(fixed_body("ground", box_shape({0.01, 0.01, 0.01})), {});
  RigidBody rod = free_body("rod", box_shape({0.02, 0.03, p.length}), p.mass);
  p.inertia = rod.inertia.y() + p.mass * p.length * p.length / 4;
  BodyState state;
  state.orientation = rotation_by(Vec3(0, angle, 0));
  state.position = state.orientation * Vec3(0, 0, -p.length / 2 - 0.05);
  p.inertia = rod.inertia.y() + p.mass * state.position.squaredNorm();
  p.rod = p.world.add(rod, state);
  p.world.add(Joint{.name = "pivot", .kind = kind, .first = ground, .second = p.rod, .axis = Vec3(0, 1, 0)});
  return p;
}

double swing_of(const BodyWorld& world, std::size_t rod) {
  const Vec3 down = world.states[rod].position;
  return std::atan2(-down.x(), -down.z());
}

}  // namespace

// T = 2π √(J/(m g l)) (1 + θ²/16 + 11 θ⁴/3072 + ...).
TEST_CASE("a pendulum on a hinge: its period, its energy, and the joint's error") {
  const double angle = 0.4;
  double last = 0;
  for (const double dt : {2e-3, 1e-3}) {
    const Pendulum p = pendulum(angle);
    WorldStepper stepper(p.world, tight());
    const double arm = p.length / 2 + 0.05;
    const double period = 2 * kPi * std::sqrt(p.inertia / (p.mass * kGravity * arm)) *
                          (1 + angle * angle / 16 + 11 * std::pow(angle, 4) / 3072);
    double before = swing_of(stepper.world(), p.rod), first = 0, crossing = 0, joint = 0;
    int crossings = 0;
    while (crossings < 9) {
      stepper.step(dt);
      joint = std::max(joint, stepper.bodies().joint_error());
      const double now = swing_of(stepper.world(), p.rod);
      if (before * now < 0) {
        crossing = stepper.world().time - dt * now / (now - before);
        if (crossings++ == 0) first = crossing;
      }
      before = now;
    }
    const double error = std::abs((crossing - first) / 4 / period - 1);
    CHECK(error < 2e-4);
    if (last > 0) CHECK(error < 0.6 * last);
    last = error;
    CHECK(joint < 20 * dt * dt);
    // Joints do no work; what is left is the scheme's.
    CHECK(stepper.energy().dissipated == 0);
    CHECK(stepper.energy().input == 0);
    CHECK(std::abs(stepper.energy().residual()) < 0.02 * p.mass * kGravity * arm * (1 - std::cos(angle)));
  }
}

TEST_CASE("a hinge keeps its axis, a ball does not; a weld holds, a slider slides") {
  for (const JointKind kind : {JointKind::hinge, JointKind::ball}) {
    Pendulum p = pendulum(0.3, kind);
    p.world.states[p.rod].spin = Vec3(0, 0, 5);  // about its own axis
    if (kind == JointKind::hinge) p.world.states[p.rod].spin.setZero();
    p.world.bodies[p.rod].torque = Vec3(0.01, 0, 0);  // across the hinge
    WorldStepper stepper(p.world, tight());
    for (int i = 0; i < 500; ++i) stepper.step(1e-3);
    const Vec3 axis = stepper.world().states[p.rod].orientation * Vec3::UnitY();
    CHECK((std::abs(axis.y()) > 1 - 1e-6) == (kind == JointKind::hinge));
    CHECK(stepper.bodies().joint_error() < 1e-4);
  }
  const Pendulum welded = pendulum(0.3, JointKind::fixed);
  WorldStepper still(welded.world, tight());
  for (int i = 0; i < 200; ++i) still.step(1e-3);
  CHECK((still.world().states[welded.rod].position - welded.world.states[welded.rod].position).norm() < 1e-9);
  CHECK(std::abs(still.energy().residual()) < 1e-9);

  // Down a rail at 30 degrees: g sin 30° t²/2.
  BodyWorld rail;
  const std::size_t ground = rail.add(fixed_body("ground", box_shape({0.01, 0.01, 0.01})), {});
  const std::size_t cart = rail.add(free_body("cart", box_shape({0.1, 0.1, 0.1}), 3), {.position = Vec3(1, 0, 0)});
  const Vec3 along(std::cos(radians(30)), 0, -std::sin(radians(30)));
  rail.add(Joint{.name = "rail", .kind = JointKind::slider, .first = ground, .second = cart, .axis = along});
  WorldStepper slides(rail, tight());
  for (int i = 0; i < 500; ++i) slides.step(1e-3);
  const Vec3 way = slides.world().states[cart].position - Vec3(1, 0, 0);
  CHECK((way - kGravity * 0.5 * 0.125 * along).norm() < 1e-8);
  CHECK(std::abs(slides.energy().residual()) < 1e-9);
  CHECK_THROWS_AS(rail.add(Joint{.name = "no", .first = 0, .second = 0}), InvalidInput);
  CHECK_THROWS_AS(rail.add(Joint{.name = "no", .first = 0, .second = 7}), InvalidInput);
  CHECK_THROWS_AS(rail.add(Joint{.name = "no", .first = 0, .second = 1, .axis = Vec3(0, 0, 0)}), InvalidInput);
}

// From a height h a ball with restitution e comes back to e²h, e⁴h, ...
TEST_CASE("a bouncing ball: heights fall by e² each time") {
  for (const double e : {0.5, 0.8}) {
    BodyWorld world;
    RigidBody floor = fixed_body("floor", plane_shape());
    floor.surface.restitution = e;
    world.add(floor, {});
    const double radius = 0.05, height = 1;
    const std::size_t ball =
        world.add(free_body("ball", sphere_shape(radius), 1), {.position = Vec3(0, 0, radius + height)});
    WorldStepper stepper(world, tight());
    std::vector<double> tops;
    double before = 1, top = 0;
    for (int i = 0; i < 60000 && tops.size() < 4; ++i) {
      stepper.step(1e-4);
      const BodyState& s = stepper.world().states[ball];
      if (before < 0 && s.velocity.z() > 0) top = 0;
      top = std::max(top, s.position.z() - radius);
      if (before > 0 && s.velocity.z() <= 0 && i > 0) tops.push_back(top);
      before = s.velocity.z();
    }
    REQUIRE(tops.size() == 4);
    const std::size_t first = tops[0] > 0.99 * height ? 1 : 0;  // the start may count as a top
    for (std::size_t k = first; k < tops.size(); ++k)
      CHECK(tops[k] == doctest::Approx(height * std::pow(e, 2.0 * static_cast<double>(k + 1 - first))).epsilon(0.01));
    CHECK(std::abs(stepper.energy().residual()) < 1e-3 * kGravity);
  }
  // Without restitution it stays down.
  BodyWorld world;
  world.add(fixed_body("floor", plane_shape()), {});
  const std::size_t ball = world.add(free_body("ball", sphere_shape(0.05), 1), {.position = Vec3(0, 0, 0.55)});
  WorldStepper stepper(world, tight());
  for (int i = 0; i < 1000; ++i) stepper.step(1e-3);
  CHECK(std::abs(stepper.world().states[ball].position.z() - 0.05) < 1e-6);
}

TEST_CASE("loads: a torque about a principal axis, a force, and their work") {
  BodyWorld world;
  world.gravity.setZero();
  RigidBody box = free_body("box", box_shape({0.1, 0.2, 0.3}), 2);
  box.torque = Vec3(0, 0, 0.05);
  box.force = Vec3(0.4, 0, 0);
  const std::size_t b = world.add(box, {});
  WorldStepper stepper(world, tight());
  for (int i = 0; i < 1000; ++i) stepper.step(1e-3);
  const BodyState& s = stepper.world().states[b];
  CHECK((s.velocity - Vec3(0.2, 0, 0)).norm() < 1e-12);
  CHECK((s.position - Vec3(0.1, 0, 0)).norm() < 1e-12);
  CHECK((s.world_spin() - Vec3(0, 0, 0.05 / box.inertia.z())).norm() < 1e-11);
  CHECK(stepper.energy().input == doctest::Approx(0.4 * 0.1 + 0.05 * 0.05 / box.inertia.z() / 2).epsilon(1e-9));
  CHECK(std::abs(stepper.energy().residual()) < 1e-12);
}

TEST_CASE("a world that is left at any step and resumed from its memory ends with the same bits") {
  BodyWorld world;
  const int law = world.add_law(FrictionLaw(Disk(0.4), Disk(1)));
  RigidBody table = fixed_body("table", plane_shape());
  table.surface.law = law;
  table.motion.amplitude = Vec3(0.002, 0, 0.001);
  table.motion.frequency = 20;
  world.add(table, {});
  for (int i = 0; i < 4; ++i) {
    RigidBody box = free_body("box" + std::to_string(i), box_shape({0.1, 0.1, 0.05}), 1);
    box.surface.law = law;
    world.add(box, {.position = Vec3(0.02 * i, 0, 0.025 + 0.051 * i), .velocity = Vec3(0.1 * i, 0, 0)});
  }
  const RunOptions options{.duration = 0.2, .every = 5};
  const Moreau moreau{.step = 1e-3};
  const Run whole = simulate(world, world.start(), moreau, options);
  CHECK(whole.report.contacts.most >= 16);
  for (const int stop : {1, 37, 100, 163}) {
    TimeSteppingRun first(world, world.start(), moreau, options);
    for (int i = 0; i < stop; ++i) first.advance(1);
    TimeSteppingRun resumed(world, world.start(), moreau, options);
    resumed.restore(first.memory(), first.table().rows().numbers());
    while (resumed.advance()) {
    }
    const Run end = std::move(resumed).result();
    CHECK(end.end.q == whole.end.q);
    CHECK(end.end.u == whole.end.u);
    CHECK(end.table.rows().numbers() == whole.table.rows().numbers());
    CHECK(end.report.contacts.contacts == whole.report.contacts.contacts);
  }
}
