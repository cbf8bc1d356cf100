#include "slipset/motion/integrators/internal/regularized_rate.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/systems/disk_on_pads.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/ordinary_runs.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;

namespace {

constexpr auto kQuinn = Regularization::quinn;

OrdinaryRun rk4(double step, double duration) {
  OrdinaryRun options;
  options.step = step;
  options.duration = duration;
  options.every = 1000000000;
  return options;
}

OrdinaryRun adaptive(AdaptiveMethod method, double duration, double tolerance = 1e-10) {
  OrdinaryRun options = rk4(duration / 20, duration);
  options.method = method;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance / 10;
  return options;
}

// A mass in the plane on springs, under a constant force.
LinearSystem mass_in_plane(const FrictionLaw& law, double stiffness, const Vec2& force, double normal_force) {
  LinearContact c{law, Eigen::MatrixX2d::Identity(2, 2), Vec2(0, 0), normal_force, {}, 0, 0};
  return {MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), stiffness * MatrixX::Identity(2, 2), force, {c}};
}

// A block on the ground and a block on that block, both in the plane and on springs; the ground moves.
LinearSystem stacked_blocks(const FrictionLaw& lower, const FrictionLaw& upper, const Vec2& ground) {
  LinearContact a{lower, Eigen::MatrixX2d::Zero(4, 2), ground, 3, {}, 0, 0},
      b{upper, Eigen::MatrixX2d::Zero(4, 2), Vec2(0, 0), 1, {}, 0, 0};
  a.tangents.topRows<2>() = Mat2::Identity();
  b.tangents.topRows<2>() = -Mat2::Identity();
  b.tangents.bottomRows<2>() = Mat2::Identity();
  MatrixX stiffness = MatrixX::Identity(4, 4);
  stiffness.bottomRightCorner(2, 2) *= 0.5;
  MatrixX mass = MatrixX::Identity(4, 4);
  mass.topLeftCorner(2, 2) *= 2;
  return {mass, 0.1 * MatrixX::Identity(4, 4), stiffness, VectorX::Zero(4), {a, b}};
}

double order(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

}  // namespace

TEST_CASE("values of Quinn 2004 along a line of the plane, RK4 with dt = 0.01") {
  const LinearSystem oscillator = mass_in_plane(FrictionLaw(Disk(1), Disk(1)), 1, Vec2(0, 0), 1);
  const auto at = [&](const RegularizedCoulomb& form, double angle, double t) {
    const State start{0, 2.75 * unit(angle), Vec2(0, 0)};
    return simulate_regularized(oscillator, form, start, rk4(0.01, t)).end.q.dot(VectorX(unit(angle)));
  };
  for (const double angle : {0.0, 1.0}) {
    CHECK(at({kQuinn, 0.02}, angle, 10) == near(-0.7503523915884, 1e-11));
    CHECK(at({kQuinn, 0.02}, angle, 50) == near(-0.7503523915884, 1e-11));
    CHECK(at({kQuinn, 0.02, RampWidth::half}, angle, 10) == near(-0.7500899237341, 1e-11));
    CHECK(at({Regularization::martins_oden, 0.02}, angle, 20) == near(-0.53555365, 2e-8));
  }
  CHECK(at(RegularizedCoulomb::sign(), 0, 10) == near(-0.72784906, 2e-8));
}

TEST_CASE("the sliding body comes to the event-driven end point with order 2 in epsilon; arctan with order 1") {
  const FrictionLaw laws[] = {{Ellipse(0.4, 0.2), Ellipse(2, 1)},
                              {Ellipse(0.4, 0.2), Disk(1)},
                              two_sign(0.4, 0.2),
                              {NormMix(0.4, 0.2, 2.5, -1.5), Ellipse(2, 1)}};
  const State start{0, Vec2(0, 0), Vec2(std::sqrt(2), std::sqrt(2))};
  for (const FrictionLaw& law : laws) {
    const SlidingBody body(law, 1, 9.81);
    EventDriven by_events;
    RunOptions events;
    events.duration = 2;
    const VectorX exact = simulate(body, start, by_events, events).end.q;
    const auto error = [&](Regularization kind, double epsilon) {
      return (simulate_regularized(body, {kind, epsilon}, start, rk4(epsilon / 400, 2)).end.q - exact).norm();
    };
    for (const Regularization kind : {kQuinn, Regularization::martins_oden}) {
      const double coarse = error(kind, 0.04), fine = error(kind, 0.01);
      CHECK(coarse < 1.2 * 0.5 * 0.04 * 0.04 / (0.2 * 9.81));  // the end of the ramp is ε²/(2μg) too long
      CHECK(order(coarse, fine, 4) == near(2, 0.05));
    }
    CHECK(order(error(Regularization::arctan, 0.04), error(Regularization::arctan, 0.01), 4) ==
          near(1, 0.3));  // with a logarithm
  }
}

TEST_CASE("stick is exact for quinn: under any load within the reservoir nothing moves, for long") {
  Random random(21);
  Least creep;
  Worst worst;
  for (int k = 0; k < 25; ++k) {
    const FrictionLaw law = random_law(random);
    const double normal = random.log_uniform(0.5, 5), epsilon = random.log_uniform(1e-3, 1e-1);
    const Vec2 load = 0.99 * normal * law.reservoir().boundary_point(random.uniform(0, 7));
    const LinearSystem mass = mass_in_plane(law, random.uniform(0, 0.1), load, normal);
    const State start{0, Vec2(0, 0), Vec2(0, 0)};
    const double step = 0.5 * rk4_ramp_limit(mass, {kQuinn, epsilon}, start);
    worst.add(simulate_regularized(mass, {kQuinn, epsilon}, start, rk4(step, 2000 * step)).end.q.norm());
    // With error control the velocity is known to the tolerance only, here 1e-11.
    CHECK(simulate_regularized(mass, {kQuinn, epsilon}, start, adaptive(AdaptiveMethod::bdf, 1000)).end.q.norm() <
          1e-6);
    creep.add(simulate_regularized(mass, {Regularization::martins_oden, epsilon}, start, rk4(step, 2000 * step))
                  .end.q.norm());
  }
  CHECK(worst.value() < 1e-12);
  CHECK(creep.value() > 1e-6);  // what martins-oden does there
}

TEST_CASE("a body that has stopped off its equilibrium stays there to 1e-12") {
  for (const FrictionLaw& law : {FrictionLaw(Ellipse(0.8, 0.3, 0.5), Ellipse(1, 2)), two_sign(0.8, 0.3)}) {
    const LinearSystem mass = mass_in_plane(law, 1, Vec2(0, 0), 1);
    const State start{0, Vec2(1.2, 0.7), Vec2(0, 0)};
    const VectorX early = simulate_regularized(mass, {kQuinn, 0.01}, start, rk4(2e-3, 20)).end.q,
                  late = simulate_regularized(mass, {kQuinn, 0.01}, start, rk4(2e-3, 200)).end.q;
    CHECK(early.norm() > 0.05);
    CHECK((late - early).norm() < 1e-12);
  }
}

TEST_CASE("every integrator gives the same motion of a mass on a belt, and its energies balance") {
  MassOnBeltParameters p;
  p.normal_force = 10;
  p.belt_velocity = unit(radians(50));
  const MassOnBelt belt({Ellipse(3, 1, radians(30)), Disk(1)}, p);
  const State start{0, Vec2(1, 0.5), Vec2(0, 0)};
  const RegularizedCoulomb form(kQuinn, 0.05);
  const double limit = rk4_ramp_limit(belt, form, start);
  OrdinaryRun fine = rk4(std::min(1e-4, 0.1 * limit), 12);
  const Run reference = simulate_regularized(belt, form, start, fine);
  CHECK(std::abs(reference.energy.residual()) < 1e-6 * reference.energy.dissipated);
  CHECK(reference.energy.input > 0);
  for (const AdaptiveMethod method :
       {AdaptiveMethod::bdf, AdaptiveMethod::adams, AdaptiveMethod::erk, AdaptiveMethod::dirk}) {
    const Run run = simulate_regularized(belt, form, start, adaptive(method, 12));
    CAPTURE(run.report.integrator);
    CHECK(run.report.finished());
    CHECK((run.end.q - reference.end.q).norm() < 1e-6);
    CHECK(std::abs(run.energy.residual()) < (method == AdaptiveMethod::dirk ? 1e-3 : 1e-5));  // dirk: 1.4e-4 measured
    CHECK(run.report.steps > 20);
    CHECK(run.report.evaluations > run.report.steps);
    CHECK((run.report.nonlinear_iterations > 0) == (method != AdaptiveMethod::erk));
    CHECK(run.table.rows().size() == 2);  // every is large
  }
  // Against the set-valued law.
  EventDriven by_events;
  RunOptions events;
  events.duration = 12;
  CHECK((simulate(belt, start, by_events, events).end.q - reference.end.q).norm() < 0.02);
}

TEST_CASE("error control does not step over the end of a rest: no step is longer than the time between rows") {
  // On a belt the mass is carried along until the spring pulls it off.
  MassOnBeltParameters p;
  p.belt_velocity = Vec2(0.01, 0);
  const MassOnBelt belt({Disk(0.5), Disk(1)}, p);
  const State start{0, Vec2(-0.4, 0), Vec2(0.01, 0)};
  EventDriven by_events;
  RunOptions events;
  events.duration = 200;
  const VectorX exact = simulate(belt, start, by_events, events).end.q;
  for (const AdaptiveMethod method :
       {AdaptiveMethod::bdf, AdaptiveMethod::adams, AdaptiveMethod::erk, AdaptiveMethod::dirk})
    CHECK((simulate_regularized(belt, {kQuinn, 1e-4}, start, adaptive(method, 200, 1e-7)).end.q - exact).norm() < 1e-2);
}

TEST_CASE("R.15 two blocks in the plane: both balance rules tend to the event-driven motion") {
  const LinearSystem blocks =
      stacked_blocks({Ellipse(0.5, 0.3, 0.4), Ellipse(1, 2)}, {Disk(0.4), Disk(1)}, Vec2(0.3, 0.2));
  VectorX q(4), u(4);
  q << 2, 1, -1.5, 0.5;
  u << 0, 0.5, 0, 0;
  const State start{0, q, u};
  EventDriven by_events;
  RunOptions events;
  events.duration = 8;
  const VectorX exact = simulate(blocks, start, by_events, events).end.q;
  const auto error = [&](double epsilon, BalanceRule rule) {
    OrdinaryRun options = rk4(epsilon / 10, 8);
    options.balance.rule = rule;
    const Run run = simulate_regularized(blocks, {kQuinn, epsilon}, start, options);
    CHECK(run.report.not_converged == 0);
    CHECK(run.report.balance == (rule == BalanceRule::fixed_point ? "fixed-point" : "partition"));
    return (run.end.q - exact).norm();
  };
  for (const BalanceRule rule : {BalanceRule::fixed_point, BalanceRule::partition}) {
    const double coarse = error(0.04, rule), fine = error(0.005, rule);
    CHECK(fine < 1e-3);
    CHECK(fine < coarse / 4);
  }
}

TEST_CASE("R.16 pads under one disk depend on each other: partition is taken, the disk stops and stays") {
  const FrictionLaw law(Ellipse(0.4, 0.2), Ellipse(2, 1));
  const DiskOnPads disk(law, {});
  const State start{0, VectorX::Zero(3), Eigen::Vector3d(0.3, 0.1, 30)};
  EventDriven by_events;
  RunOptions events;
  events.duration = 0.4;
  const VectorX exact = simulate(disk, start, by_events, events).end.q;
  const auto end = [&](double epsilon, double duration) {
    const Run run = simulate_regularized(disk, {kQuinn, epsilon}, start, rk4(epsilon / 40, duration));
    CHECK(run.report.balance == "partition");
    CHECK(run.report.warnings.empty());
    return run.end.q;
  };
  const VectorX coarse = end(4e-3, 0.4), fine = end(1e-3, 0.4), late = end(1e-3, 0.8);
  CHECK((fine - exact).norm() < 2e-3);
  CHECK((fine - exact).norm() < (coarse - exact).norm() / 3);
  CHECK((late - fine).norm() < 1e-12);
}

TEST_CASE("snake robot: the regularised motion goes as far as Moreau's, with its energies in balance") {
  const SnakeRobot snake(FrictionLaw(Ellipse(0.1, 0.5), Ellipse(0.1, 0.5)), {});
  const State start = snake.start();
  OrdinaryRun options = rk4(5e-4, 2);
  options.every = 1;
  const Run regular = simulate_regularized(snake, {kQuinn, 0.01}, start, options);
  Moreau by_moreau;
  RunOptions stepping;
  by_moreau.step = 5e-4;
  stepping.duration = 2;
  const Run moreau = simulate(snake, start, by_moreau, stepping);
  CHECK((regular.end.q - moreau.end.q).norm() < 0.02 * moreau.path_length);
  CHECK(std::abs(regular.energy.residual()) < 1e-5 * regular.energy.dissipated);
  CHECK(regular.table.names() == moreau.table.names());
  CHECK(regular.table.rows().size() == moreau.table.rows().size());
}

TEST_CASE("R.14 the step limit: below it slip on the ramp dies out, above it grows, and the report names it") {
  const SlidingBody body(FrictionLaw(Disk(0.3), Disk(1)), 2, 15);
  const RegularizedCoulomb form(kQuinn, 0.1);
  const State start{0, Vec2(0, 0), Vec2(0.004, 0.003)};
  const double limit = rk4_ramp_limit(body, form, start);
  CHECK(limit == near(2.785 * 0.1 * 2 / (0.3 * 15), 1e-4));
  const Run below = simulate_regularized(body, form, start, rk4(0.97 * limit, 200 * limit)),
            above = simulate_regularized(body, form, start, rk4(1.03 * limit, 200 * limit));
  CHECK(below.end.u.norm() < 1e-4 * start.u.norm());
  CHECK(above.end.u.norm() > start.u.norm());
  for (const std::string& warning : below.report.warnings) CHECK(warning.find("ramp") == std::string::npos);
  CHECK(below.report.energy_error > 0.01);  // it dies out, but not at the rate of the law: that is said
  REQUIRE(above.report.warnings.size() >= 1);
  CHECK(above.report.warnings[0].find("0.1238") != std::string::npos);
  CHECK(simulate_regularized(body, {Regularization::karnopp, 0.1}, start, rk4(1, 2)).report.warnings.empty());
}

TEST_CASE("karnopp: as a force law it drifts in its band; with the band frozen it does not") {
  const SlidingBody body(FrictionLaw(Ellipse(0.4, 0.2), Disk(1)), 1, 9.81);
  const State start{0, Vec2(0, 0), Vec2(1, 1)};
  const auto end = [&](bool frozen, double duration) {
    OrdinaryRun options = rk4(1e-3, duration);
    options.balance.freeze_band = frozen;
    return simulate_regularized(body, {Regularization::karnopp, 0.02}, start, options).end.q;
  };
  CHECK((end(false, 9) - end(false, 3)).norm() > 1e-3);
  CHECK((end(true, 9) - end(true, 3)).norm() == 0);
  OrdinaryRun options = rk4(1e-3, 1);
  options.balance.freeze_band = true;
  CHECK_THROWS_AS(simulate_regularized(body, {kQuinn, 0.02}, start, options), InvalidInput);
}

TEST_CASE("what a regularised run refuses, and what it says when a motion runs away") {
  const SlidingBody body(FrictionLaw(Disk(0.3), Disk(1)), 1, 9.81);
  const State start{0, Vec2(0, 0), Vec2(1, 0)};
  CHECK_THROWS_AS(simulate_regularized(body, {kQuinn, 0.01}, start, rk4(0, 1)), InvalidInput);
  CHECK_THROWS_AS(simulate_regularized(body, {kQuinn, 0.01}, start, rk4(0.1, -1)), InvalidInput);
  CHECK_THROWS_AS(simulate_regularized(body, {kQuinn, 0.01}, start, adaptive(AdaptiveMethod::bdf, 1, 0)), InvalidInput);
  CHECK_THROWS_AS(simulate_regularized(body, {kQuinn, 0.01}, {0, Vec2(0, 0), Vec2(NAN, 0)}, rk4(0.1, 1)), InvalidInput);
  CHECK_THROWS_AS(simulate_regularized(body, {kQuinn, 0.01}, {0, Vec3(0, 0, 0), Vec2(1, 0)}, rk4(0.1, 1)),
                  InvalidInput);
  LinearContact floor{
      FrictionLaw(Disk(1), Disk(1)), Eigen::MatrixX2d::Identity(3, 2), Vec2(0, 0), 0, Vec3(0, 0, 1), 0, 0};
  const LinearSystem bouncing(MatrixX::Identity(3, 3), MatrixX::Zero(3, 3), MatrixX::Zero(3, 3), Vec3(0, 0, -9.81),
                              {floor});
  CHECK_THROWS_WITH_AS(simulate_regularized(bouncing, {kQuinn, 0.01}, {0, Vec3(0, 0, 1), Vec3(0, 0, 0)}, rk4(0.1, 1)),
                       doctest::Contains("can open"), InvalidInput);
  const SlidingBody elastic(FrictionLaw(Disk(0.3), Disk(1)).with_elastic(Adhesion(10, 10)), 1, 9.81);
  CHECK_THROWS_WITH_AS(simulate_regularized(elastic, {kQuinn, 0.01}, start, rk4(0.1, 1)),
                       doctest::Contains("is elastic"), InvalidInput);
  const LinearSystem growing = mass_in_plane(FrictionLaw(Disk(0.3), Disk(1)), -1e4, Vec2(0, 0), 1);
  const Run run = simulate_regularized(growing, {kQuinn, 0.01}, start, rk4(0.01, 100));
  CHECK(!run.report.finished());
  CHECK(run.report.stop_reason.find("range of floating-point numbers") != std::string::npos);
}

TEST_CASE("the right-hand side asks for no memory") {
  const LinearSystem blocks =
      stacked_blocks({Rectangle(0.5, 0.3), Rectangle(0.5, 0.3)}, {Disk(0.4), Disk(1)}, Vec2(0.001, 0.002));
  const State start{0, VectorX::Constant(4, 0.1), VectorX::Constant(4, 0.001)};
  RegularizedRate rate(blocks, {kQuinn, 0.01}, start);
  VectorX y(10), dy(10);
  y << start.q, start.u, 0, 0;
  rate(0, y.data(), dy.data());
  const std::size_t before = allocations();
  for (int k = 0; k < 100; ++k) {
    rate(0, y.data(), dy.data());
    y += 1e-3 * dy;
  }
  CHECK(allocations() == before);
}
