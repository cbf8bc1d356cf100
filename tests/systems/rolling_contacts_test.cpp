// Many bodies whose contacts resist drilling and rolling: the matrix, conservation, laws that differ from contact to
// contact, and the way back to sliding alone.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/sets/ellipse.hpp"
#include "slipset/sets/rectangle.hpp"
#include "slipset/systems/bodies/piles.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/world_stepper.hpp"

using namespace slipset;
using namespace slipset::test;
using test::WorldOptions;
using test::WorldStepper;

namespace {

constexpr double kGravity = 9.81;

Vec3 random_vector(test::Random& random, double size) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

std::size_t add(BodyWorld& world, const SolidShape& shape, const Vec3& position, int law, const Vec3& velocity,
                const Vec3& spin, double mass = 1) {
  RigidBody body = shape.kind == BodyKind::plane ? fixed_body("plane", shape) : free_body("body", shape, mass);
  body.surface.law = law;
  BodyState state;
  state.position = position;
  state.velocity = velocity;
  state.spin = spin;
  return world.add(body, state);
}

WorldOptions with_tolerance(double tolerance) {
  WorldOptions options;
  options.contact.tolerance = tolerance;
  return options;
}

// Spheres and boxes of unequal inertia that fall on each other, with six kinds of contacts.
BodyWorld mixed_world() {
  BodyWorld world;
  const int all = world.add_law(RollingLaw::ellipsoid({Vec2(0.5, 0.3), 0.4, 0.004, Vec2(0.002, 0.005), 0.2}));
  const int drilling = world.add_law(RollingLaw::product({}, Interval(0.003, 0.001), {}));
  const int rolling = world.add_law(RollingLaw::product(Rectangle(0.4, 0.2), {}, Ellipse(0.01, 0.003)));
  const int patch = world.add_law(RollingLaw::contensou(0.4, 0.02, PatchPressure::uniform));
  const int sliding = world.add_law(FrictionLaw(Disk(0.3), Disk(0.3)));
  add(world, plane_shape(), Vec3::Zero(), all, Vec3::Zero(), Vec3::Zero());
  test::Random random(3);
  const int laws[] = {rolling, patch, sliding, drilling, -1};
  for (int k = 0; k < 10; ++k) {
    const SolidShape shape = k % 3 == 0 ? box_shape({0.2, 0.1, 0.06}) : sphere_shape(0.05 + 0.002 * k);
    const std::size_t b = add(world, shape, Vec3(0.02 * (k % 3), 0.03 * (k % 2), 0.08 + 0.13 * k), laws[k % 5],
                              random_vector(random, 0.5) - Vec3(0, 0, 1), random_vector(random, 5), 1 + 0.2 * k);
    if (k % 2) world.bodies[b].surface.priority = 1;
  }
  return world;
}

}  // namespace

TEST_CASE("G.13 W p + q are the rates of the bodies after the impulses, whatever the parts of each law") {
  const BodyWorld world = mixed_world();
  WorldStepper stepper(world, with_tolerance(1e-9));
  std::size_t compared = 0, sizes[7] = {};
  double dissipated = 0;
  Worst worst, most;
  for (int i = 0; i < 400; ++i) {
    std::vector<Vec3> velocities, spins;
    const BodyWorld before = stepper.world();
    stepper.step(2e-3);
    CHECK(stepper.solution().report.solved());
    CHECK(stepper.energy().dissipated >= dissipated - 1e-9);
    dissipated = stepper.energy().dissipated;
    // The bodies' velocities at the end, along the axes at the beginning, from impulses and torques about their
    // centres.
    std::vector<BodyMotion> motions;
    free_motions(before, 2e-3, motions);
    for (const BodyMotion& m : motions) {
      velocities.push_back(m.velocity_free);
      spins.push_back(m.spin_free);
    }
    for (std::size_t k = 0; k < stepper.contacts().size(); ++k) {
      const BodyContact& c = stepper.contacts()[k];
      const Vec3 p = c.frame.transpose() * stepper.solution().impulse.segment<3>(static_cast<Eigen::Index>(3 * k));
      const Vec3 torque = c.frame.transpose() * stepper.torques()[k];
      for (const auto& [body, sign] : {std::pair{c.surface, -1.0}, std::pair{c.other, 1.0}}) {
        if (before.bodies[body].prescribed) continue;
        velocities[body] += sign * p / before.bodies[body].mass;
        const Mat3 r = before.states[body].orientation.matrix();
        const Vec3 moment = (c.point - before.states[body].position).cross(p) + torque;
        spins[body] += sign * (r * (r.transpose() * moment).cwiseQuotient(before.bodies[body].inertia));
      }
    }
    const ContactProblem problem = stepper.problem();
    const BlockDelassus& w = *problem.delassus->as_blocks();
    Eigen::VectorXd impulse(w.rows()), rates(w.rows());
    for (std::size_t k = 0; k < stepper.contacts().size(); ++k) {
      const BodyContact& c = stepper.contacts()[k];
      const auto* rolls = dynamic_cast<const RollingContactLaw*>(problem.contacts[k].law);
      const RollingLaw* law = rolls ? &rolls->law() : nullptr;
      const bool slides = law ? law->has_sliding() : problem.contacts[k].law != nullptr;
      const Vec3 slip =
          contact_velocity(c, before, velocities[c.surface], spins[c.surface], velocities[c.other], spins[c.other]);
      const Vec3 spin = c.frame * (spins[c.other] - spins[c.surface]);
      const Vec3 p = stepper.solution().impulse.segment<3>(static_cast<Eigen::Index>(3 * k)), t = stepper.torques()[k];
      Eigen::Index at = w.offset(k);
      const auto put = [&](double force, double rate) {
        impulse[at] = force;
        rates[at++] = rate;
      };
      const bool closed = c.gap <= stepper.stepper().form().closing_distance();
      put(p[0], slip[0] + (closed ? 0 : c.gap) / 2e-3);
      for (int a = 1; a < 3 && slides; ++a) put(p[a], slip[a]);
      if (law && law->has_drilling()) put(t[0], spin[0]);
      for (int a = 1; a < 3 && law && law->has_rolling(); ++a) put(t[a], spin[a]);
      CHECK(at == w.offset(k) + w.rows(k));
      CHECK((stepper.solution().velocity.segment<3>(static_cast<Eigen::Index>(3 * k)) - slip).norm() < 1e-11);
      ++sizes[w.rows(k)];
      ++compared;
    }
    Eigen::VectorXd sum(w.rows());
    w.multiply_add(impulse, problem.free_velocity, sum);
    if (sum.size() > 0) {
      worst.add((sum - rates).cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
      most.add(rates.cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
      CHECK(contact_residual(problem, impulse) < 1.1e-9);
    }
  }
  CHECK(worst.value() < 1e-11 * most.value());  // measured below 1e-12
  CHECK(compared > 3000);
  for (const int size : {1, 2, 3, 4, 5, 6}) CHECK(sizes[size] > 0);
}

TEST_CASE("two free spheres that collide with drilling and rolling friction keep momentum and angular momentum") {
  test::Random random(8);
  for (int k = 0; k < 20; ++k) {
    BodyWorld world;
    world.gravity.setZero();
    const int law = world.add_law(
        RollingLaw::product(Ellipse(0.6, 0.2, random.uniform(0, 3)), Interval(0.01), Ellipse(0.02, 0.005)));
    const Vec3 apart = random_vector(random, 1).normalized();
    add(world, sphere_shape(0.1), -0.11 * apart, law, apart + random_vector(random, 0.5), random_vector(random, 20), 1);
    add(world, sphere_shape(0.07), 0.075 * apart, law, -apart + random_vector(random, 0.5), random_vector(random, 20),
        0.4);
    const auto momentum = [](const BodyWorld& w) { return Vec3(w.states[0].velocity + 0.4 * w.states[1].velocity); };
    const Vec3 first = momentum(world), turning = world.angular_momentum();
    WorldStepper stepper(world, with_tolerance(1e-12));
    for (int i = 0; i < 50; ++i) stepper.step(1e-3);
    CHECK((momentum(stepper.world()) - first).norm() < 1e-13);
    CHECK((stepper.world().angular_momentum() - turning).norm() < 1e-13);
    CHECK(stepper.energy().by_torques > 1e-4);
    CHECK(std::abs(stepper.energy().residual()) < 1e-12);
    // The spins have changed by more than the force's moment, which cannot turn about the line of the centres.
    const double about = (stepper.world().states[0].world_spin() - world.states[0].world_spin()).dot(apart);
    CHECK(std::abs(about) > 1e-3);
  }
}

TEST_CASE("bodies with no, sliding, drilling and rolling friction in one world, each as alone") {
  BodyWorld world;
  const double e = 0.004, d = 0.002, mu = 0.2, speed = 0.5, spin = 6, radius = 0.1, dt = 1e-3, inertia = 0.4 * 0.01;
  const int floor = world.add_law(FrictionLaw(Disk(mu), Disk(mu)));
  const int slides = world.add_law(FrictionLaw(Disk(0.5), Disk(0.5)));
  const int rolls = world.add_law(RollingLaw::product(Disk(0.3), {}, Disk(e)));
  const int drills = world.add_law(RollingLaw::product({}, Interval(d), {}));
  const int none = world.add_law(FrictionLaw(Disk(0.7), Disk(0.7)));
  world.pairs = {{floor, rolls, rolls}, {floor, drills, drills}, {none, floor, -1}};
  add(world, plane_shape(), Vec3::Zero(), floor, Vec3::Zero(), Vec3::Zero());
  const Vec3 velocity(speed, 0, 0), turning(0, 0, spin), with_rolling(0, speed / radius, spin);
  const auto ball = [&](double y, int law, const Vec3& w) {
    return add(world, sphere_shape(radius), Vec3(0, y, radius), law, velocity, w);
  };
  const std::size_t free = ball(0, none, turning), sliding = ball(1, slides, turning),
                    rolling = ball(2, rolls, with_rolling), drilling = ball(3, drills, with_rolling);
  WorldStepper stepper(world, with_tolerance(1e-12));
  for (int i = 0; i < 50; ++i) stepper.step(dt);
  const auto& end = stepper.world().states;
  const double t = 0.05, tol = 1e-10;
  CHECK((end[free].velocity - velocity).norm() + (end[free].spin - turning).norm() < tol);
  CHECK((end[sliding].velocity - velocity + Vec3(mu * kGravity * t, 0, 0)).norm() < tol);
  CHECK(std::abs(end[sliding].world_spin().z() - spin) < tol);
  CHECK(std::abs(end[rolling].velocity.x() - speed + 5.0 / 7 * kGravity * e / radius * t) < tol);
  CHECK(std::abs(end[rolling].world_spin().z() - spin) < tol);
  CHECK(std::abs(end[drilling].world_spin().z() - spin + d * kGravity / inertia * t) < tol);
  CHECK((end[drilling].velocity - velocity).norm() < tol);
  CHECK(stepper.turning() == 2);
  CHECK(stepper.energy().residual() == within(0, 1e-10));
}

TEST_CASE("with ever smaller rolling and drilling the motion tends to that of sliding alone") {
  const auto run = [](double torque) {
    BodyWorld world;
    const Ellipse set(0.5, 0.3, 0.3);
    const int law = torque > 0 ? world.add_law(RollingLaw::product(set, Interval(torque), Disk(torque)))
                               : world.add_law(FrictionLaw(set, set));
    add(world, plane_shape(), Vec3::Zero(), law, Vec3::Zero(), Vec3::Zero());
    add(world, sphere_shape(0.1), Vec3(0, 0, 0.1), law, Vec3(1, 0.3, 0), Vec3(0, 0, 4));
    add(world, sphere_shape(0.07), Vec3(0.4, 0.11, 0.07), law, Vec3::Zero(), Vec3(2, 0, 0), 0.5);
    add(world, box_shape({0.2, 0.1, 0.06}), Vec3(-0.5, 0, 0.03), law, Vec3(1.5, 0.1, 0), Vec3(0, 0, 3));
    WorldStepper stepper(world, with_tolerance(1e-11));
    for (int i = 0; i < 400; ++i) stepper.step(1e-3);
    CHECK(stepper.torques().empty() == !(torque > 0));
    return stepper.world().states;
  };
  const auto sliding = run(0), some = run(1e-5), less = run(1e-7);
  for (std::size_t b = 1; b < sliding.size(); ++b) {
    const Vec3 apart = less[b].position - sliding[b].position;
    INFO("body ", b, ": ", apart.x(), " ", apart.y(), " ", apart.z());
    CHECK(apart.norm() < 1e-5);
    CHECK((less[b].velocity - sliding[b].velocity).norm() < 1e-5);
    CHECK((less[b].world_spin() - sliding[b].world_spin()).norm() < 1e-3);
  }
  // The ball that rolls and spins: in proportion to the torques.
  CHECK((some[1].position - sliding[1].position).norm() / (less[1].position - sliding[1].position).norm() ==
        near(100, 0.01));
  CHECK((some[1].world_spin() - sliding[1].world_spin()).norm() /
            (less[1].world_spin() - sliding[1].world_spin()).norm() ==
        near(100, 0.01));
}

// Line of centres at sin θ = 0.6 from the vertical. Without torques the force between two spheres is on the line of the
// two contacts, so that friction must be tan(θ/2) = 1/3. With μ = 0.3, T1 = μ N1 on top, T2 = N1 (sin θ − μ cos θ) at
// the floor and N1 = W/(3 (cos θ + μ sin θ)), N2 = 4/3 W, the torques must give R (T2 − T1) = e (N1 + N2): e = 0.0122
// R.
TEST_CASE(
    "four spheres with too little friction for a pyramid stand by rolling friction, exactly from e = 0.0122 R on") {
  const auto height = [](double friction, double rolling) {
    const double radius = 0.01;
    BodyWorld world;
    const int law = world.add_law(RollingLaw::product(Disk(friction), {}, Disk(rolling * radius)));
    add(world, plane_shape(), Vec3::Zero(), law, Vec3::Zero(), Vec3::Zero());
    for (int k = 0; k < 3; ++k)
      add(world, sphere_shape(radius),
          radius * Vec3(1.2 * std::cos(2 * kPi * k / 3), 1.2 * std::sin(2 * kPi * k / 3), 1), law, Vec3::Zero(),
          Vec3::Zero());
    add(world, sphere_shape(radius), Vec3(0, 0, 2.6 * radius), law, Vec3::Zero(), Vec3::Zero());
    WorldStepper stepper(world, with_tolerance(1e-9));
    for (int i = 0; i < 500; ++i) stepper.step(1e-3);
    return stepper.world().states.back().position.z() / radius;
  };
  CHECK(height(0.34, 1e-5) > 2.599);
  CHECK(height(0.3, 1e-5) < 1.5);
  CHECK(height(0.3, 0.0118) < 2.5);
  CHECK(height(0.3, 0.0126) > 2.599);
}

TEST_CASE("laws with C other than D beside contacts that roll, and the problem of all rows") {
  BodyWorld world;
  const int rolls = world.add_law(RollingLaw::product(Disk(0.3), {}, Disk(0.001)));
  const int slides = world.add_law(FrictionLaw(Ellipse(0.6, 0.3), Disk(1)));
  const int floor = world.add_law(FrictionLaw(Disk(0.3), Disk(0.3)));
  world.pairs = {{floor, rolls, rolls}, {floor, slides, slides}};
  add(world, plane_shape(), Vec3::Zero(), floor, Vec3::Zero(), Vec3::Zero());
  add(world, sphere_shape(0.1), Vec3(0, 0, 0.1), rolls, Vec3(1, 0, 0), Vec3(0, 10, 0));
  add(world, box_shape({0.2, 0.1, 0.06}), Vec3(0, 1, 0.03), slides, Vec3(1, 0.5, 0), Vec3::Zero());
  WorldStepper stepper(world, with_tolerance(1e-11));
  for (int i = 0; i < 50; ++i) {
    stepper.step(1e-3);
    CHECK(stepper.solution().report.solved());
  }
  // The box slides as alone: collinear friction, k_C along its velocity.
  BodyWorld alone;
  const int law = alone.add_law(FrictionLaw(Ellipse(0.6, 0.3), Disk(1)));
  add(alone, plane_shape(), Vec3::Zero(), law, Vec3::Zero(), Vec3::Zero());
  add(alone, box_shape({0.2, 0.1, 0.06}), Vec3(0, 1, 0.03), law, Vec3(1, 0.5, 0), Vec3::Zero());
  WorldStepper single(alone, with_tolerance(1e-11));
  for (int i = 0; i < 50; ++i) single.step(1e-3);
  CHECK((stepper.world().states[2].velocity - single.world().states[1].velocity).norm() < 1e-8);
  const ContactProblem problem = problem_of(stepper.world(), 1e-3);
  REQUIRE(problem.contacts.size() == 5);
  CHECK(problem.delassus->rows() == 5 + 4 * 3);
  CHECK(solve(problem, stepper.solution().report.options).report.solved());
}
