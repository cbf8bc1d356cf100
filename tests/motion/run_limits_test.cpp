// What every run looks at before it starts and when it ends: drives that the step must see, room for the rows, numbers that
// are none, energies that add up, times, and when sticking began.
#include <doctest/doctest.h>

#include <numbers>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/ball_on_plane.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/two_blocks.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using test::near;

TEST_CASE("A6: a drive that the step does not see is refused, one that it hardly sees is a warning") {
  const auto shaken = [](double hertz) {
    return forced_oscillator({.friction_limit = 0.1, .amplitude = 1, .frequency = 2 * std::numbers::pi * hertz});
  };
  const State start{0, VectorX::Zero(1), VectorX::Zero(1)};
  const SmoothFriction smooth(RegularizedCoulomb(Regularization::quinn, 0.1));
  for (const Integrator& integrator :
       {Integrator(Moreau{.step = 1e-3}), Integrator(RungeKutta4{.step = 1e-3, .friction = smooth})}) {
    try {
      simulate(shaken(1000), start, integrator, {.duration = 0.1});
      FAIL("steps of one period");
    } catch (const InvalidInput& error) {
      CHECK(error.setting() == "step");
      CHECK(std::string(error.what()).find("1000 Hz") != std::string::npos);
      CHECK(std::string(error.what()).find("0.0001 s") != std::string::npos);
    }
    const Run rough = simulate(shaken(200), start, integrator, {.duration = 0.1});
    REQUIRE(!rough.report.warnings.empty());
    CHECK(rough.report.warnings[0].find("5.0 steps per period; use steps of at most 0.0005 s") != std::string::npos);
    CHECK(simulate(shaken(100), start, integrator, {.duration = 0.1}).report.warnings.empty());
  }
  // Those with error control, or exact, follow it.
  for (const Integrator& integrator :
       {Integrator(EventDriven{.row_step = 1e-3}),
        Integrator(Adaptive{.row_step = 1e-3, .absolute_tolerance = 1e-16, .friction = smooth})})
    CHECK(simulate(shaken(1000), start, integrator, {.duration = 0.1}).report.warnings.empty());
}

TEST_CASE("F12: more periods than anyone waits for are refused; a run can be ended between its rows") {
  const State start{0, Vec2(0, 0), Vec2(0, 0)};
  const AxialSystem wild = two_blocks({.stiffness_ratio = 2, .amplitude = 1e-12, .frequency = 1e12});
  const SmoothFriction smooth(RegularizedCoulomb(Regularization::quinn, 0.1));
  for (const Integrator& integrator :
       {Integrator(EventDriven{}), Integrator(Moreau{}), Integrator(RungeKutta4{.friction = smooth}),
        Integrator(Adaptive{.friction = smooth})})
    CHECK_THROWS_AS(simulate(wild, start, integrator, {.duration = 1}), InvalidInput);
  const AxialSystem fast = two_blocks({.stiffness_ratio = 2, .amplitude = 1e-6, .frequency = 1e6});
  for (const Integrator& integrator :
       {Integrator(EventDriven{.row_step = 1000}), Integrator(Adaptive{.row_step = 1000, .friction = smooth})}) {
    int asked = 0;
    const Run run =
        simulate(fast, start, integrator, {.duration = 1000, .progress = [&](double, double) { return ++asked < 3; }});
    CHECK(run.report.status == RunStatus::stopped);
    CHECK(run.end.t < 1);
  }
}

TEST_CASE("F10: a table that would not fit is refused before the run, with its numbers") {
  const SlidingBody body(isotropic(0.3), 1, 10);
  const State start{0, Vec2(0, 0), Vec2(1, 0)};
  const SmoothFriction smooth(RegularizedCoulomb(Regularization::quinn, 0.1));
  for (const Integrator& integrator :
       {Integrator(Moreau{.step = 1e-6}), Integrator(RungeKutta4{.step = 1e-6, .friction = smooth}),
        Integrator(Adaptive{.row_step = 1e-6, .friction = smooth}), Integrator(EventDriven{.row_step = 1e-6})})
    try {
      simulate(body, start, integrator, {.duration = 900});
      FAIL("9e8 rows");
    } catch (const InvalidInput& error) {
      CHECK(error.setting() == "duration");
      // 16 columns: t, two positions, two velocities, six of the contact, five energies.
      CHECK(std::string(error.what()).find("9e+08 rows of 16 numbers, 115 GB") != std::string::npos);
      CHECK(std::string(error.what()).find("every 145 steps") != std::string::npos);
    }
  const AxialSystem line = forced_oscillator({});
  CHECK_THROWS_AS(
      simulate(line, {0, VectorX::Zero(1), VectorX::Zero(1)}, EventDriven{.row_step = 1e-6}, {.duration = 900}),
      InvalidInput);
}

TEST_CASE("what is not a number ends a run, and what was good is kept") {
  // A force that is NaN from t = 0.5 on.
  struct Broken final : System {
    std::vector<SystemContact> floor{{"floor", std::make_shared<PlanarContactLaw>(isotropic(0.1))}};
    Eigen::Index dofs() const override { return 2; }
    const std::vector<SystemContact>& contacts() const override { return floor; }
    void evaluate(double t, const VectorX&, const VectorX&, SystemAt& at) const override {
      at.mass.setIdentity();
      at.force = Vec2(t < 0.5 ? 2 : NAN, 0);
      at.contacts[0].tangents.setIdentity();
      at.contacts[0].normal_force = 1;
    }
    bool has_constant_mass() const override { return true; }
  };
  const Broken system;
  for (const Integrator& integrator :
       {Integrator(Moreau{.step = 0.01}),
        Integrator(RungeKutta4{.step = 0.01, .friction = RegularizedCoulomb(Regularization::quinn, 0.01)})}) {
    const Run run = simulate(system, system.start(), integrator, {.duration = 1, .every = 4});
    CHECK(run.report.status == RunStatus::left_range);
    CHECK(!run.report.finished());
    CHECK(run.end.q.allFinite());
    CHECK(run.end.u.allFinite());
    CHECK(run.end.t == run.table.rows().back()[0]);
    CHECK(run.end.t > 0.4);
    CHECK(std::isfinite(run.energy.residual()));
    CHECK(std::isfinite(run.path_length));
    for (const auto row : run.table.rows())
      for (const double x : row) CHECK(std::isfinite(x));
  }
}

TEST_CASE("energies that do not add up are told, and from a tenth on the run is not trusted") {
  // A spring that is far too stiff for the step, yet below the limit of stability at every one.
  LinearContact contact{isotropic(0.01), Eigen::MatrixX2d::Identity(2, 2), Vec2(0, 0), 1e-3, {}, 0, 0};
  const auto with = [&](double stiffness) {
    const LinearSystem system(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), stiffness * MatrixX::Identity(2, 2),
                              VectorX::Zero(2), {contact});
    return simulate(system, {0, Vec2(1, 0.5), Vec2(0, 0)}, Moreau{.step = 0.01}, {.duration = 0.215});
  };
  const Run good = with(1e2), bad = with(3.5e4);
  CHECK(good.report.energy_error < 0.01);
  CHECK(good.report.warnings.empty());
  CHECK(good.report.trusted());
  CHECK(bad.report.energy_error > 0.1);
  REQUIRE(bad.report.warnings.size() == 2);
  CHECK(bad.report.warnings[0].find("whose springs move it") != std::string::npos);
  CHECK(bad.report.warnings[1].find("energies do not add up") == 0);
  CHECK(bad.report.finished());
  CHECK(!bad.report.trusted());
}

TEST_CASE("times are multiples of the step, whatever is begun again") {
  const SlidingBody body(isotropic(0.3), 1, 10);
  const State start{0, Vec2(0, 0), Vec2(1, 0)};
  const Run run = simulate(body, start, Moreau{.step = 1e-3}, {.duration = 1});
  CHECK(run.end.t == 1);
  for (std::size_t i = 0; i < run.table.size(); ++i) CHECK(run.table["t"][i] == static_cast<double>(i) * 1e-3);
  MoreauStepper stepper(body, start);
  for (int i = 0; i < 7; ++i) stepper.step(0.1);
  MoreauStepper copy = stepper, restored(body, start);
  restored.restore(stepper.memory());
  for (int i = 0; i < 3; ++i) copy.step(0.1), restored.step(0.1);
  CHECK(copy.state().t == 10 * 0.1);
  CHECK(restored.state().t == 10 * 0.1);
}

TEST_CASE("what sticks from the start has stop_time 0; before a step modes are those that are known") {
  const SlidingBody body(isotropic(0.3), 1, 10);
  const Run run = simulate(body, {0, Vec2(0, 0), Vec2(0, 0)}, Moreau{.step = 0.1}, {.duration = 1});
  REQUIRE(run.stop_time.has_value());
  CHECK(*run.stop_time == 0);
  CHECK(run.table["contact.mode"].front() == static_cast<double>(ContactMode::none));
  CHECK(run.table["contact.mode"].back() == static_cast<double>(ContactMode::stick));
  const BallOnPlane ball(isotropic(0.3), {});
  State above = ball.start();
  above.q[2] += 1;
  CHECK(simulate(ball, above, Moreau{.step = 0.01}, {.duration = 0.1}).table["contact.mode"].front() ==
        static_cast<double>(ContactMode::open));
  // One that slips to rest: within the step, at v/(μg).
  const Run stops = simulate(body, {0, Vec2(0, 0), Vec2(1, 0)}, Moreau{.step = 0.1}, {.duration = 1});
  REQUIRE(stops.stop_time.has_value());
  CHECK(*stops.stop_time == near(1 / 3.0, 1e-12));
  const AxialSystem line = forced_oscillator({.mass = 1, .stiffness = 0, .friction_limit = 3});
  const Run on_line = simulate(line, {0, VectorX::Zero(1), VectorX::Ones(1)}, Moreau{.step = 0.1}, {.duration = 1});
  REQUIRE(on_line.stop_time.has_value());
  CHECK(*on_line.stop_time == near(1 / 3.0, 1e-12));
  CHECK(*simulate(line, {0, VectorX::Zero(1), VectorX::Zero(1)}, Moreau{.step = 0.1}, {.duration = 1}).stop_time == 0);
}

TEST_CASE(
    "an elastic contact and rk4: a step too long for the force to turn is told, with the limit 2.785 mu N/(k v)") {
  // Carried along x by a large mass, the contact's force begins across: it must turn into the slip.
  const double k = 1e4, v = 2, mu_n = 3, limit = 2.785 * mu_n / (k * v);
  const SlidingBody body(isotropic(0.3).with_elastic(Adhesion(k, k)), 1e6, 10);
  const State start{0, Vec2(0, 0), Vec2(v, 0)};
  SmoothFriction friction;
  friction.states = {Vec2(-0.6 * mu_n, 0.8 * mu_n)};
  const auto lateral = [&](double step) {
    return simulate(body, start, RungeKutta4{.step = step, .friction = friction}, {.duration = 200 * limit});
  };
  const Run fine = lateral(0.9 * limit), rough = lateral(1.3 * limit);
  CHECK(fine.report.warnings.empty());
  CHECK(fine.report.unresolved == 0);
  CHECK(std::abs(fine.table["contact.friction_2"].back()) < 1e-3 * mu_n);
  CHECK(rough.report.unresolved > 100);
  CHECK(!rough.report.trusted());
  REQUIRE(!rough.report.warnings.empty());
  const std::string& warning = rough.report.warnings[0];
  const std::size_t place = warning.find("is above ");
  REQUIRE(place != std::string::npos);
  CHECK(std::stod(warning.substr(place + 9)) == near(limit, 5e-2));
}
