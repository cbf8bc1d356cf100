#include "slipset/systems/snake_robot.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const FrictionLaw kSkin = associated(Ellipse(0.1, 0.6));  // along, across

SnakeRobotParameters parameters() {
  SnakeRobotParameters p;
  p.links = 6;
  p.amplitude = radians(40);
  p.phase = radians(50);
  return p;
}

// Centres and angles of the links, from the joints of the outline.
struct Links {
  std::vector<Vec2> centre;
  std::vector<double> angle;
};
Links links_at(const SnakeRobot& snake, double t, const VectorX& q) {
  const auto joints = snake.outline(t, q);
  Links links;
  for (std::size_t k = 0; k < snake.contacts().size(); ++k) {
    links.centre.push_back((joints[k] + joints[k + 1]) / 2);
    links.angle.push_back(angle_of(joints[k + 1] - joints[k]));
  }
  return links;
}

// Way of the centre of mass in so many whole periods, after as many to settle.
Vec2 progress(const SnakeRobot& snake, double period, int periods) {
  MoreauStepper stepper(snake, snake.start());
  const int steps = 400;
  for (int i = 0; i < periods * steps; ++i) stepper.step(period / steps);
  const Vec2 before = stepper.state().q.head<2>();
  for (int i = 0; i < periods * steps; ++i) stepper.step(period / steps);
  return Vec2(stepper.state().q.head<2>()) - before;
}

}  // namespace

TEST_CASE("snake: positions, slip velocities and kinetic energy by finite differences of the drawn links") {
  Random random(91);
  for (int i = 0; i < 20; ++i) {
    SnakeRobotParameters p = parameters();
    p.links = random.integer(2, 9);
    p.steering = random.uniform(-0.3, 0.3);
    p.mass = 2;
    const SnakeRobot snake(kSkin, p);
    const double t = random.uniform(0, 3), d = 1e-5;
    const Vec3 q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3)),
        u(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3));
    const Links now = links_at(snake, t, q), later = links_at(snake, t + d, q + d * u),
                sooner = links_at(snake, t - d, q - d * u);
    SystemAt at = sized_for(snake);
    snake.evaluate(t, q, u, at);
    const double mass = p.mass / p.links, length = p.length / p.links;
    Vec2 centre(0, 0);
    double mean_angle = 0, kinetic = 0, weight = 0;
    for (std::size_t k = 0; k < now.centre.size(); ++k) {
      const Vec2 v = (later.centre[k] - sooner.centre[k]) / (2 * d);
      const double turning = std::remainder(later.angle[k] - sooner.angle[k], 2 * kPi) / (2 * d);
      const Vec2 along = unit(now.angle[k]), slip(v.dot(along), v.dot(turn_left(along)));
      const ContactAt& c = at.contacts[k];
      CHECK((Vec2(c.tangents.transpose() * u) - c.surface_velocity - slip).norm() < 1e-8);
      kinetic += mass * v.squaredNorm() / 2 + mass * length * length / 24 * turning * turning;
      centre += now.centre[k] / p.links;
      mean_angle += std::remainder(now.angle[k] - q[2], 2 * kPi);
      weight += c.normal_force;
      if (k > 0) {
        const double joint = std::remainder(now.angle[k] - now.angle[k - 1], 2 * kPi);
        CHECK(joint == near(p.amplitude * std::sin(2 * kPi * p.frequency * t + static_cast<double>(k - 1) * p.phase) +
                                p.steering,
                            1e-12));
      }
    }
    CHECK((centre - q.head<2>()).norm() < 1e-14);
    CHECK(std::abs(mean_angle) < 1e-12);
    CHECK(weight == near(p.mass * p.gravity, 1e-12));
    CHECK(u.dot(at.mass * u) / 2 + snake.driven_energy(t, q, u) == near(kinetic, 1e-8));
    // J̇ and Ḣ.
    const auto shape = snake.shape(t), after = snake.shape(t + d), before = snake.shape(t - d);
    // Two links move against each other and keep H = 0.
    const double pace = 2 * kPi * p.frequency, inertia = p.mass * p.length * p.length / 12;
    CHECK(shape.inertia_rate == within((after.inertia - before.inertia) / (2 * d), 1e-7 * inertia * pace));
    CHECK(shape.momentum_rate == within((after.momentum - before.momentum) / (2 * d), 1e-7 * inertia * pace * pace));
  }
}

TEST_CASE("snake: almost without friction it keeps its momentum, to the order of the step") {
  SnakeRobotParameters p = parameters();
  p.steering = 0.2;
  const SnakeRobot snake(isotropic(1e-13), p);
  double previous = 0;
  for (const double dt : {4e-3, 2e-3, 1e-3}) {
    State start = snake.start();
    start.u.head<2>() = Vec2(0.3, -0.1);
    start.u[2] += 1;  // angular momentum J
    const double kept = snake.shape(0).inertia;
    MoreauStepper stepper(snake, start);
    Worst worst;
    while (stepper.state().t < 2 - dt / 2) {
      stepper.step(dt);
      const auto shape = snake.shape(stepper.state().t);
      worst.add(std::abs(shape.inertia * stepper.state().u[2] + shape.momentum - kept) / kept);
    }
    CHECK((Vec2(stepper.state().u.head<2>()) - Vec2(0.3, -0.1)).norm() < 1e-10);
    CHECK((Vec2(stepper.state().q.head<2>()) - stepper.state().t * Vec2(0.3, -0.1)).norm() < 1e-10);
    if (previous > 0) CHECK(std::log2(previous / worst.value()) == near(1, 0.1));
    previous = worst.value();
  }
  CHECK(previous < 5e-3);
}

TEST_CASE("snake: across above along it goes ahead; alike it does not; wave and law decide which way") {
  const SnakeRobotParameters p = parameters();
  const int periods = 4;
  const Vec2 ahead = progress(SnakeRobot(kSkin, p), 2, periods);
  CHECK(ahead.x() > 0.1 * p.length * periods);
  CHECK(std::abs(ahead.y()) < 0.25 * ahead.x());
  const Vec2 isotropic_way = progress(SnakeRobot(isotropic(0.3), p), 2, periods);
  CHECK(isotropic_way.norm() < 0.05 * ahead.norm());
  // Less friction across than along: the other way.
  const Vec2 behind = progress(SnakeRobot(associated(Ellipse(0.6, 0.1)), p), 2, periods);
  CHECK(behind.x() < -0.02 * p.length * periods);
  // The wave from tail to head: the same snake with head and tail exchanged.
  SnakeRobotParameters back = p;
  back.phase = -p.phase;
  const Vec2 backwards = progress(SnakeRobot(kSkin, back), 2, periods);
  CHECK(backwards.x() == near(-ahead.x(), 0.02));
}

TEST_CASE("snake: the mirrored wave goes the mirrored way; steering bends it") {
  SnakeRobotParameters p = parameters(), m = p;
  p.steering = 0.1;
  m.steering = -p.steering;
  m.amplitude = -p.amplitude;
  const SnakeRobot snake(kSkin, p), mirror(kSkin, m);
  MoreauStepper a(snake, snake.start()), b(mirror, mirror.start());
  for (int i = 0; i < 2000; ++i) {
    a.step(4e-3);
    b.step(4e-3);
  }
  const Vec3 other(1, -1, -1);
  CHECK((Vec3(a.state().q) - Vec3(b.state().q).cwiseProduct(other)).norm() < 1e-8);
  CHECK(a.state().q[2] > 0.5);  // joints bent to the left: it turns left
}

TEST_CASE("snake: the energy balance closes with the step; in a steady gait friction takes what the joints give") {
  const SnakeRobot snake(kSkin, parameters());
  double previous = 0;
  for (const int steps : {200, 400, 800}) {
    MoreauStepper stepper(snake, snake.start());
    EnergyBalance settled;
    for (int i = 0; i < 3 * steps; ++i) {
      const double dissipated = stepper.energy().dissipated;
      if (i == 2 * steps) settled = stepper.energy();
      stepper.step(2.0 / steps);
      CHECK(stepper.energy().dissipated - dissipated > -1e-5);
    }
    const double residual = std::abs(stepper.energy().residual());
    if (previous > 0) CHECK(std::log2(previous / residual) == near(2, 0.1));
    previous = residual;
    const double given = stepper.energy().input - settled.input,
                 taken = stepper.energy().dissipated - settled.dissipated;
    CHECK(given == near(taken, 0.02));
  }
}

TEST_CASE("snake: no allocation in the time loop; it continues from its memory with the same bits") {
  const SnakeRobot snake(kSkin, parameters());
  MoreauStepper stepper(snake, snake.start());
  stepper.step(5e-3);
  const std::size_t before = allocations();
  for (int i = 0; i < 300; ++i) stepper.step(5e-3);
  CHECK(allocations() == before);
  MoreauStepper resumed(snake, snake.start());
  resumed.restore(stepper.memory());
  for (int i = 0; i < 300; ++i) {
    stepper.step(5e-3);
    resumed.step(5e-3);
  }
  CHECK(stepper.memory() == resumed.memory());
}

TEST_CASE("snake: wrong parameters are refused") {
  SnakeRobotParameters p = parameters();
  p.links = 1;
  CHECK_THROWS_WITH_AS(SnakeRobot(kSkin, p), "snake-robot: links must be from 2 to 1000", InvalidInput);
  p = parameters();
  p.amplitude = NAN;
  CHECK_THROWS_AS(SnakeRobot(kSkin, p), InvalidInput);
}
