// Event-driven runs whose slip is small beside the velocities it is the difference of: onsets, stops, contacts along one
// line, units. Stick and slip times of the mass on the belt [WL19 Fig. 17] are those of a second program: long double,
// explicit Runge-Kutta steps of order 8, onsets of slip at 1e-3, 3e-4 and 1e-4 s, which agree to 1e-10 s.
#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/integrators/internal/phase_scales.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/follower_pendulum.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using test::within;

namespace {

// With lengths `metre` and times `second` times as large in numbers.
MassOnBelt belt(double speed, double metre = 1, double second = 1) {
  MassOnBeltParameters p;
  p.belt_velocity = speed * metre / second * unit_at_degrees(50);
  p.stiffness = Mat2::Identity() / (second * second);
  p.normal_force = metre / (second * second);
  return {FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), p};
}

// When the contact begins to stick, and when to slip.
struct Changes {
  std::vector<double> stick, slip;
};
Changes changes_of(const Run& run) {
  Changes found;
  const std::vector<double> t = run.table["t"], mode = run.table["contact.mode"];
  for (std::size_t i = 1; i < t.size(); ++i)
    if (mode[i] != mode[i - 1]) {  // an event has a row before and one after
      if (mode[i] == 2)
        found.stick.push_back(t[i]);
      else
        found.slip.push_back(t[i - 1]);
    }
  return found;
}

void check_times(const std::vector<double>& found, const std::vector<double>& expected, double relative) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) <= relative * expected[i]);
}

bool energies_add_up(const Run& run) {
  return std::abs(run.energy.residual()) <= 1e-9 * (run.energy.input + run.energy.dissipated);
}

}  // namespace

TEST_CASE("event-driven: the drive of a system that has no period is part of its time scale") {
  SnakeRobotParameters p;
  p.frequency = 0.5;
  const SnakeRobot snake(isotropic(0.3), p);
  CHECK(internal::time_scale(snake, snake.start(), 1e5) <= 1 / kPi);
}

// The second coordinate is free, but for a tangent's rounding error: 1e-4 cos(√10 t), whatever the rows.
TEST_CASE("event-driven: a coordinate that hardly moves a contact is integrated as well as others") {
  for (const double entry : {0.0, 1e-16, 1e-9}) {
    CAPTURE(entry);
    LinearContact contact{isotropic(0.3), Eigen::MatrixX2d::Zero(2, 2), Vec2(1, 0), 10, {}, 0, 0};
    contact.tangents(0, 0) = 1;
    contact.tangents(1, 0) = entry;
    const LinearSystem system(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), 10 * MatrixX::Identity(2, 2), Vec2(0, 0),
                              {contact});
    for (const double row_step : {0.01, 1.0}) {
      const Run run =
          simulate(system, {0, Vec2(0.3, 1e-4), Vec2(0, 0)}, EventDriven{.row_step = row_step}, {.duration = 3});
      CHECK(run.end.q[1] == within(1e-4 * std::cos(3 * std::sqrt(10.0)), 1e-11 + 3 * entry));
    }
  }
}

// Ziegler's column from 1e-7 rad: linear, so that a start a hundred times as large gives a hundred times as much.
TEST_CASE("event-driven: a lever near its dead point moves, however little") {
  FollowerPendulumParameters p;
  p.normal_force = 10;
  p.belt_speed = 1;
  const FollowerPendulum pendulum(std::make_shared<PlanarContactLaw>(isotropic(0.3)), p);
  const auto end = [&](double size, double row_step) {
    const Run run =
        simulate(pendulum, {0, Vec2(size, 0), Vec2(0, 0)}, EventDriven{.row_step = row_step}, {.duration = 10});
    return Vec2(run.end.q / size);
  };
  const Vec2 expected = end(1e-5, 0.01);
  CHECK(expected.norm() > 10);  // it grows
  for (const double row_step : {1e-2, 1.0}) CHECK((end(1e-7, row_step) - expected).norm() < 1e-4 * expected.norm());
}

// Lengths 1e7 times smaller than the same motion in metres: seen, or said not to be.
TEST_CASE("adaptive: a tolerance that is coarse beside the motion is doubted, a fine one follows it") {
  const auto end = [](double metre, double tolerance) {
    LinearContact contact{isotropic(0.4), Eigen::MatrixX2d::Zero(2, 2), Vec2(5 * metre, 0), 10 * metre, {}, 0, 0};
    contact.tangents(0, 0) = 1;
    MatrixX k(2, 2);
    k << 30, -10, -10, 20;
    const LinearSystem system(Vec2(1, 2).asDiagonal(), MatrixX::Zero(2, 2), k, Vec2(0, 0), {contact});
    return simulate(system, {0, Vec2(metre, 0), Vec2(0, 0)},
                    Adaptive{.row_step = 0.01,
                             .absolute_tolerance = tolerance,
                             .friction = RegularizedCoulomb(Regularization::quinn, 1e-3 * metre)},
                    {.duration = 5});
  };
  const Run large = end(1, 1e-10), coarse = end(1e-7, 1e-10), fine = end(1e-7, 1e-17);
  CHECK(large.report.doubts.empty());
  CHECK(fine.report.doubts.empty());
  CHECK((1e7 * fine.end.u - large.end.u).norm() < 1e-4);
  REQUIRE(coarse.report.doubts.size() == 1);
  CHECK(coarse.report.doubts[0].find("absolute_tolerance 1e-10") == 0);
}

TEST_CASE("A21 event-driven: a mass with the belt's velocity, to rounding, sticks, and sticks again") {
  const MassOnBelt system = belt(1);
  // The cycle's beginning of stick; as read from a file, so that the slip is some 1e-16 m/s.
  const State start{0, Vec2(13.255258958198336, -0.12263161866295746), Vec2(0.6427876096865393, 0.766044443118978)};
  const Run run = simulate(system, start, EventDriven{.row_step = 0.5}, {.duration = 60});
  CHECK(run.table["contact.mode"][0] == 2);
  const Changes changes = changes_of(run);
  check_times(changes.slip, {19.774333491, 48.477782830}, 1e-10);
  check_times(changes.stick, {28.703449339, 57.406898678}, 1e-9);
  CHECK(run.report.doubts.empty());
  CHECK(energies_add_up(run));
}

TEST_CASE("A21 event-driven: stick and slip of the mass on fast belts, for any time between rows") {
  for (const double rows : {0.5, 0.01}) {
    const Run five = simulate(belt(5), {0, Vec2(0, 0), Vec2(0, 0)}, EventDriven{.row_step = rows}, {.duration = 30});
    const Changes at5 = changes_of(five);
    check_times(at5.stick, {0.378570034171, 15.160622535151, 25.766983373143}, 1e-9);
    check_times(at5.slip, {4.556385243313, 18.810200751903, 28.681971245141}, 1e-9);
    const Run ten = simulate(belt(10), {0, Vec2(0, 0), Vec2(0, 0)}, EventDriven{.row_step = rows}, {.duration = 30});
    const Changes at10 = changes_of(ten);
    check_times(at10.stick, {0.760007399311, 10.607267131567, 19.505164595101, 28.097481819699}, 3e-9);
    check_times(at10.slip, {2.636656901856, 11.960947253354, 20.571872770300, 29.152607710098}, 3e-9);
    for (const Run* run : {&five, &ten}) {
      CHECK(run->report.tolerance == 1e-12);
      CHECK(run->report.doubts.empty());
      CHECK(run->report.steps < 50000);  // it had needed millions
      CHECK(energies_add_up(*run));
    }
  }
}

TEST_CASE("A21, A23 event-driven: the motion is the same in metres and millimetres, seconds and milliseconds") {
  const auto changes = [](double metre, double second) {
    const Run run =
        simulate(belt(5, metre, second), {0, Vec2(0, 0), Vec2(0, 0)}, EventDriven{}, {.duration = 30 * second});
    Changes found = changes_of(run);
    for (auto* times : {&found.stick, &found.slip})
      for (double& t : *times) t /= second;
    CHECK(run.report.doubts.empty());
    return found;
  };
  const Changes plain = changes(1, 1);
  REQUIRE(plain.stick.size() == 3);
  for (const auto& [metre, second] : {std::pair{1000.0, 1.0}, {1e-3, 1.0}, {1.0, 1000.0}, {1.0, 1e-3}, {1e6, 1e6}}) {
    INFO(metre, " ", second);
    const Changes other = changes(metre, second);
    check_times(other.stick, plain.stick, 1e-9);
    check_times(other.slip, plain.slip, 1e-9);
  }
}

TEST_CASE("A21 event-driven: a tolerance that was loosened is told, and the run is not to be relied on") {
  const SlidingBody body(FrictionLaw(Ellipse(0.4, 0.2), Ellipse(2, 1)), 1, 9.81);
  const State start{0, Vec2(0, 0), Vec2(1, 1)};
  const EventDriven asked{.relative_tolerance = 1e-19, .absolute_tolerance = 1e-21};
  const Run run = simulate(body, start, asked, {.duration = 5, .until_stick = true});
  CHECK(run.report.tolerance > asked.relative_tolerance);
  REQUIRE(run.report.doubts.size() == 1);
  CHECK(run.report.doubts[0].find("tolerance") != std::string::npos);
  CHECK(simulate(body, start, EventDriven{}, {.duration = 5, .until_stick = true}).report.doubts.empty());
}

// Stick: the belt pulls the spring out until k x = μ_s N, at t = μ_s N/(k v). Coulomb: then x = x₀ + (v/ω) sin ω(t - t₀).
TEST_CASE("A22 event-driven: slip of a block on a belt begins when the spring reaches the static friction") {
  const double k = 100, load = 10;
  for (const double speed : {0.2, 2e-3, 2e-5, 2e-8})
    for (const double high : {0.3, 0.45}) {
      INFO(speed, " ", high);
      BlockOnBeltParameters p;
      p.stiffness = k;
      p.normal_force = load;
      p.belt_speed = speed;
      const FrictionLaw law = high > 0.3 ? isotropic(0.3).with_stribeck({high / 0.3, 10 * speed}) : isotropic(0.3);
      const BlockOnBelt system(std::make_shared<PlanarContactLaw>(law), p);
      const double onset = high * load / (k * speed), later = 0.2;
      const State start{0, VectorX::Zero(1), VectorX::Constant(1, speed)};
      const Run run = simulate(system, start, EventDriven{.row_step = onset}, {.duration = onset + later});
      const Changes changes = changes_of(run);
      REQUIRE(changes.slip.size() >= 1);
      CHECK(std::abs(changes.slip[0] - onset) <= 1e-12 * onset);
      if (high > 0.3) continue;
      const double way = run.end.q[0] - 0.3 * load / k, omega = std::sqrt(k);
      CHECK(std::abs(way - speed / omega * std::sin(omega * later)) <= 1e-8 * speed / omega + 1e-15);
    }
}

// The guide takes what is across: it sticks as long as some force of C has the component that is needed.
TEST_CASE("A22 event-driven: on a line an oblique reservoir holds up to its support") {
  BlockOnBeltParameters p;
  p.stiffness = 100;
  p.normal_force = 10;
  p.belt_speed = 0.02;
  const double a = 0.4, b = 0.2, c = std::cos(radians(30)), s = std::sin(radians(30));
  const double held = std::sqrt(a * a * c * c + b * b * s * s);
  const BlockOnBelt system(std::make_shared<PlanarContactLaw>(associated(Ellipse(a, b, radians(30)))), p);
  const Run run = simulate(system, {0, VectorX::Zero(1), VectorX::Constant(1, 0.02)}, EventDriven{}, {.duration = 3});
  const double onset = held * 10 / (100 * 0.02), x0 = held / 10;
  const Changes changes = changes_of(run);
  REQUIRE(changes.slip.size() == 1);
  CHECK(std::abs(changes.slip[0] - onset) <= 1e-12 * onset);
  // Associated: slip takes the same force, so that it swings about it.
  CHECK(std::abs(run.end.q[0] - x0 - 0.002 * std::sin(10 * (3 - onset))) <= 1e-10);
}

TEST_CASE("options of a run that an integrator cannot follow are refused, the others are followed") {
  const SlidingBody body(isotropic(0.3), 1, 9.81);
  const State start{0, Vec2(0, 0), Vec2(3, 0)};
  RunOptions options{.duration = 0.5};
  CHECK(simulate(body, start, EventDriven{.row_step = 0.01}, options).table.size() == 51);
  CHECK(simulate(body, start, EventDriven{}, options).table.size() == 1001);
  options.every = 5;
  CHECK(simulate(body, start, EventDriven{.row_step = 0.01}, options).table.size() == 11);
  options.after_step = [](const MoreauStepper&, long) {};
  CHECK_THROWS_AS(simulate(body, start, EventDriven{}, options), InvalidInput);
  const SmoothFriction smooth{RegularizedCoulomb(Regularization::arctan, 1e-3)};
  CHECK_THROWS_AS(simulate(body, start, RungeKutta4{.step = 1e-3, .friction = smooth}, options), InvalidInput);
  CHECK_THROWS_AS(simulate(body, start, Adaptive{.friction = smooth}, options), InvalidInput);
  CHECK_NOTHROW(simulate(body, start, Moreau{.step = 0.01}, options));
}

TEST_CASE("F9 a run by events ends soon after it is asked to, also within one row") {
  long calls = 0;
  RunOptions options{.duration = 1e6};
  options.progress = [&](double, double) { return ++calls < 3; };
  const Run run = simulate(belt(5), {0, Vec2(0, 0), Vec2(0, 0)}, EventDriven{.row_step = 1e6}, options);
  CHECK(run.report.status == RunStatus::stopped);
  CHECK(calls == 3);
  CHECK(run.end.t < 100);
}
