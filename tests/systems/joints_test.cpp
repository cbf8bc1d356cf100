// Joints, restitution and loads of rigid bodies, against closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "slipset/core/angle.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/sets/disk.hpp"
#include "slipset/systems/bodies/body_problem.hpp"
#include "tests/support/near.hpp"
#include "tests/support/world_stepper.hpp"

using namespace slipset;
using namespace slipset::test;
using test::WorldOptions;
using test::WorldStepper;

namespace {

constexpr double kGravity = 9.81;

// The larger of distance [m] and turn [rad] that joints leave open: bodies are about a metre long.
double open_by(const BodyWorld& world) {
  const LargestJointError error = largest_joint_error(world);
  return error.distance + error.turn;
}

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
    double before = swing_of(stepper.world(), p.rod), first = 0, crossing = 0;
    Worst joint;
    int crossings = 0;
    while (crossings < 9) {
      stepper.step(dt);
      joint.add(open_by(stepper.bodies().world()));
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
    CHECK(joint.value() < 20 * dt * dt);
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
    CHECK(open_by(stepper.bodies().world()) < 1e-4);
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

// Without joints between them the rod would stand on its anchor, and the arm on the rod.
TEST_CASE("bodies that a joint connects do not touch each other; others do") {
  BodyWorld world;
  const std::size_t anchor = world.add(fixed_body("anchor", box_shape({0.1, 0.1, 0.1})), {});
  const std::size_t rod = world.add(free_body("rod", box_shape({0.02, 0.02, 0.4}), 1), {.position = Vec3(0, 0, -0.2)});
  const std::size_t arm = world.add(free_body("arm", box_shape({0.02, 0.02, 0.4}), 1), {.position = Vec3(0, 0, 0)});
  const std::size_t floor = world.add(fixed_body("floor", plane_shape()), {.position = Vec3(0, 0, -0.399)});
  const auto touching = [&] {
    std::vector<BodyContact> contacts;
    ContactFinder().find(world, 1e-3, 1e-3, contacts);
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const BodyContact& c : contacts)
      pairs.emplace(std::min(c.surface, c.other), std::max<std::size_t>(c.surface, c.other));
    return pairs;
  };
  using Pairs = std::set<std::pair<std::size_t, std::size_t>>;
  CHECK(touching() == Pairs{{anchor, rod}, {anchor, arm}, {rod, arm}, {rod, floor}});
  world.add(Joint{.name = "a", .kind = JointKind::hinge, .first = anchor, .second = rod, .axis = Vec3(0, 1, 0)});
  CHECK(touching() == Pairs{{anchor, arm}, {rod, arm}, {rod, floor}});
  // In either order; the anchor and the arm still touch.
  world.add(Joint{.name = "b", .first = arm, .second = rod, .point = Vec3(0, 0, -0.1)});
  CHECK(touching() == Pairs{{anchor, arm}, {rod, floor}});
  world.add(Joint{.name = "c", .kind = JointKind::slider, .first = rod, .second = floor, .axis = Vec3(1, 0, 0)});
  CHECK(touching() == Pairs{{anchor, arm}});
}

// The part of the turn about the axis must not leak into what the hinge takes back: with the logarithm of the whole
// turn the correction grows from a quarter turn on, and the axis is lost within one turn.
TEST_CASE("a hinge that turns round and round keeps its axis") {
  BodyWorld world;
  const std::size_t ground = world.add(fixed_body("ground", box_shape({0.1, 0.1, 0.1})), {});
  RigidBody wheel = free_body("wheel", box_shape({0.3, 0.05, 0.2}), 2);
  wheel.torque = Vec3(0.5, 0, -0.2);  // across
  const double rate = 3;              // slow: hundreds of steps near the half turn
  const std::size_t w = world.add(wheel, {.spin = Vec3(0, rate, 0)});
  world.add(Joint{.name = "axle", .kind = JointKind::hinge, .first = ground, .second = w, .axis = Vec3(0, 1, 0)});
  WorldStepper stepper(world, tight());
  Worst worst;
  for (int i = 0; i < 5000; ++i) {  // 2.4 turns
    stepper.step(1e-3);
    worst.add(open_by(stepper.bodies().world()));
  }
  const BodyState& end = stepper.world().states[w];
  CHECK(worst.value() < 1e-12);  // measured: 2e-15
  CHECK((end.world_spin() - Vec3(0, rate, 0)).norm() < 1e-9);
  CHECK((end.orientation * Vec3::UnitX() - Vec3(std::cos(5 * rate), 0, -std::sin(5 * rate))).norm() < 1e-6);
}

TEST_CASE("a slider under loads across it does not drift") {
  BodyWorld world;
  const std::size_t ground = world.add(fixed_body("ground", box_shape({0.1, 0.1, 0.1})), {});
  RigidBody cart = free_body("cart", box_shape({0.1, 0.2, 0.3}), 3);
  cart.force = Vec3(0, 40, -20);
  cart.torque = Vec3(1, -2, 3);
  const std::size_t c = world.add(cart, {.position = Vec3(0.2, 0, 0), .velocity = Vec3(0.5, 0, 0)});
  world.add(Joint{.name = "rail", .kind = JointKind::slider, .first = ground, .second = c, .axis = Vec3(1, 0, 0)});
  WorldStepper stepper(world, tight());
  Worst early, late;
  for (int i = 0; i < 8000; ++i) {
    stepper.step(2e-3);
    (i < 4000 ? early : late).add(open_by(stepper.bodies().world()));
  }
  CHECK(early.value() < 1e-12);  // measured: 2e-14
  CHECK(late.value() < 1e-12);   // the same
  CHECK((stepper.world().states[c].position - Vec3(0.2 + 0.5 * 16, 0, 0)).norm() < 1e-8);
}

namespace {

struct Swing {
  Worst error;      // of the angles, over the first
  Worst joint;      // error of a joint
  Worst unbalance;  // residual of the energy, over that of the swing
};

// Rods of one length that hang from each other, along the mode of their small swings with ω.
Swing double_pendulum(double dt) {
  const double length = 0.4, mass = 1.5, first = 1e-3;
  // (K − ω² M) φ = 0 with M = m l² [4/3, 1/2; 1/2, 1/3], K = m g l [3/2, 0; 0, 1/2]: the lower mode.
  const double w = kGravity / length * (3 - 6 / std::sqrt(7));  // ω²: 7 x² − 42 x + 27 = 0, x = ω² l/g
  const double ratio = (1.5 * kGravity / length - 4.0 / 3 * w) / (w / 2), omega = std::sqrt(w);
  BodyWorld world;
  const std::size_t ground = world.add(fixed_body("ground", box_shape({0.1, 0.1, 0.1})), {});
  std::size_t above = ground;
  Vec3 pivot = Vec3::Zero();
  std::vector<std::size_t> rods;
  for (const double angle : {first, first * ratio}) {
    BodyState state;
    state.orientation = rotation_by(Vec3(0, angle, 0));
    state.position = pivot + state.orientation * Vec3(0, 0, -length / 2);
    // Thin: the moment of inertia about y is that of a line to 1e-6 of it.
    rods.push_back(world.add(free_body("rod", box_shape({4e-4, 4e-4, length}), mass), state));
    world.add(Joint{.name = "hinge",
                    .kind = JointKind::hinge,
                    .first = above,
                    .second = rods.back(),
                    .point = pivot,
                    .axis = Vec3(0, 1, 0)});
    above = rods.back();
    pivot += state.orientation * Vec3(0, 0, -length);
  }
  WorldStepper stepper(world, tight());
  Swing swing;
  const double energy = mass * kGravity * length * (1.5 + ratio * ratio / 2) * first * first / 2;
  const int steps = static_cast<int>(std::lround(2 * 2 * kPi / omega / dt));  // two periods
  for (int i = 1; i <= steps; ++i) {
    stepper.step(dt);
    for (std::size_t k = 0; k < 2; ++k) {
      const double angle = 2 * std::atan2(stepper.world().states[rods[k]].orientation.y(),
                                          stepper.world().states[rods[k]].orientation.w());
      const double exact = first * (k == 0 ? 1 : ratio) * std::cos(omega * i * dt);
      swing.error.add(std::abs(angle - exact) / first);
    }
    swing.joint.add(open_by(stepper.bodies().world()));
    swing.unbalance.add(std::abs(stepper.energy().residual()) / energy);
  }
  return swing;
}

}  // namespace

TEST_CASE("a double pendulum swings in its lower mode") {
  // Measured: angles to 7.5e-4, 1.9e-4, 4.6e-5 of the first over two periods, energy to 2.9e-4, 7.2e-5, 1.8e-5.
  Swing last = double_pendulum(8e-3);
  CHECK(last.error.value() < 1e-3);
  CHECK(last.unbalance.value() < 4e-4);
  for (const double dt : {4e-3, 2e-3}) {  // of second order
    const Swing swing = double_pendulum(dt);
    CHECK(last.error.value() / swing.error.value() == near(4, 0.08));
    CHECK(last.unbalance.value() / swing.unbalance.value() == near(4, 0.08));
    CHECK(swing.joint.value() < 2e-6 * dt * dt);
    last = swing;
  }
}

// Two rods and a bar: four hinges hold 20 rows of 18 speeds, and yet it moves. The bar does not turn.
TEST_CASE("a parallelogram of hinges, whose rows depend on each other, has the period of its swing") {
  const double length = 0.3, width = 0.5, rod_mass = 0.5, bar_mass = 2, first = 0.02;
  BodyWorld world;
  const std::size_t ground = world.add(fixed_body("ground", box_shape({0.1, 0.1, 0.1})), {});
  BodyState turned;
  turned.orientation = rotation_by(Vec3(0, first, 0));
  const Vec3 end = turned.orientation * Vec3(0, 0, -length);
  const std::size_t bar =
      world.add(free_body("bar", box_shape({width, 0.02, 0.02}), bar_mass), {.position = end + Vec3(width / 2, 0, 0)});
  for (const double x : {0.0, width}) {
    turned.position = Vec3(x, 0, 0) + end / 2;
    const std::size_t rod = world.add(free_body("rod", box_shape({2e-3, 2e-3, length}), rod_mass), turned);
    const Vec3 pivot(x, 0, 0);
    world.add(Joint{.name = "hinge",
                    .kind = JointKind::hinge,
                    .first = ground,
                    .second = rod,
                    .point = pivot,
                    .axis = Vec3(0, 1, 0)});
    world.add(Joint{.name = "hinge",
                    .kind = JointKind::hinge,
                    .first = rod,
                    .second = bar,
                    .point = pivot + end,
                    .axis = Vec3(0, 1, 0)});
  }
  const double omega = (1 - first * first / 16) *
                       std::sqrt(kGravity * (rod_mass + bar_mass) /
                                 (length * (2 * rod_mass / 3 + bar_mass)));  // rods 2 m l²/3 about their pivots
  WorldStepper stepper(world, tight());
  const double dt = 1e-3;
  const int steps = static_cast<int>(std::lround(2 * kPi / omega / dt));
  Worst error, joint, turn;
  for (int i = 1; i <= steps; ++i) {
    stepper.step(dt);
    const Vec3 way = stepper.world().states[bar].position - Vec3(width / 2, 0, 0);
    error.add(std::abs(std::atan2(-way.x(), -way.z()) - first * std::cos(omega * i * dt)));
    joint.add(open_by(stepper.bodies().world()));
    turn.add(stepper.world().states[bar].orientation.vec().norm());
    REQUIRE(stepper.stepper().report().solved());
  }
  CHECK(error.value() < 2e-5 * first);  // measured: 6e-6
  CHECK(joint.value() < 1e-10);         // measured: 5e-12
  CHECK(turn.value() < 1e-12);          // measured: 4e-16
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
    double before = 1;
    Worst top;
    for (int i = 0; i < 60000 && tops.size() < 4; ++i) {
      stepper.step(1e-4);
      const BodyState& s = stepper.world().states[ball];
      if (before < 0 && s.velocity.z() > 0) top = {};
      top.add(s.position.z() - radius);
      if (before > 0 && s.velocity.z() <= 0 && i > 0) tops.push_back(top.value());
      before = s.velocity.z();
    }
    REQUIRE(tops.size() == 4);
    const std::size_t first = tops[0] > 0.99 * height ? 1 : 0;  // the start may count as a top
    for (std::size_t k = first; k < tops.size(); ++k) {
      // An impact comes up to a step late: the speed is off by g h, here and at the impacts before.
      const double part = std::pow(e, static_cast<double>(k + 1 - first)),
                   speed = part * std::sqrt(2 * kGravity * height);
      CHECK(tops[k] == near(height * part * part, 2 * kGravity * 1e-4 / (speed * (1 - e))));
    }
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
  CHECK(stepper.energy().input == near(0.4 * 0.1 + 0.05 * 0.05 / box.inertia.z() / 2, 1e-9));
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
  const std::size_t post = world.add(fixed_body("post", box_shape({0.01, 0.01, 0.01})), {.position = Vec3(2, 0, 0.65)});
  const std::size_t rod = world.add(free_body("rod", box_shape({0.02, 0.02, 0.3}), 1),
                                    {.position = Vec3(2, 0, 0.5), .spin = Vec3(0, 2, 0)});
  world.add(Joint{.name = "hinge",
                  .kind = JointKind::hinge,
                  .first = post,
                  .second = rod,
                  .point = Vec3(2, 0, 0.65),
                  .axis = Vec3(0, 1, 0)});
  CHECK(smallest_size(BodyWorld()) == 1);
  CHECK(smallest_size(world) == 0.01);
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
    CHECK(end.report.solver_seconds > first.stepper().solver_seconds());  // both parts count
  }
}
