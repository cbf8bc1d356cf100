// What runs are asked for: options out of range are refused by every integrator, with their name; rows as often as said;
// a run that ends inside a step has the state of the time that it says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using test::near;

namespace {

const SmoothFriction kSmooth(RegularizedCoulomb(Regularization::quinn, 1e-3));

// Slows down by 3 m/s².
SlidingBody sliding() { return {isotropic(0.3), 1, 10}; }
const State kFast{0, Vec2(0, 0), Vec2(1, 0)};

}  // namespace

TEST_CASE("event-driven: every option out of range is refused by its name") {
  struct Wrong {
    const char* name;
    std::vector<EventDriven> all;
  };
  const double inf = INFINITY, nan = NAN;
  const Wrong cases[] = {
      {"relative_tolerance",
       {{.relative_tolerance = -1},
        {.relative_tolerance = 0},
        {.relative_tolerance = nan},
        {.relative_tolerance = inf}}},
      {"absolute_tolerance", {{.absolute_tolerance = -1}, {.absolute_tolerance = 0}, {.absolute_tolerance = nan}}},
      {"slip_threshold", {{.slip_threshold = -1e-9}, {.slip_threshold = 0}, {.slip_threshold = nan}}},
      {"time_scale", {{.time_scale = -1}, {.time_scale = nan}, {.time_scale = inf}}},
      {"speed_scale", {{.speed_scale = -1}, {.speed_scale = nan}, {.speed_scale = inf}}},
      {"tie", {{.tie = -1}, {.tie = 0.01}, {.tie = nan}}},
      {"max_events", {{.max_events = -1}}},
      {"step", {{.row_step = -1}, {.row_step = nan}, {.row_step = inf}}}};
  const AxialSystem line = forced_oscillator({.friction_limit = 0.1, .amplitude = 1});
  for (const Wrong& wrong : cases)
    for (const EventDriven& integrator : wrong.all) {
      CAPTURE(wrong.name);
      CHECK_THROWS_WITH_AS(simulate(sliding(), kFast, integrator, {.duration = 0.1}), doctest::Contains(wrong.name),
                           InvalidInput);
      CHECK_THROWS_WITH_AS(simulate(line, {0, VectorX::Zero(1), VectorX::Zero(1)}, integrator, {.duration = 0.1}),
                           doctest::Contains(wrong.name), InvalidInput);
    }
}

TEST_CASE("event-driven: a tolerance below rounding ends, and is not passed over") {
  const Run run = simulate(sliding(), kFast,
                           EventDriven{.relative_tolerance = 1e-300, .absolute_tolerance = 1e-300, .throws = false},
                           {.duration = 0.5});
  CHECK((!run.report.finished() || !run.report.trusted()));
}

TEST_CASE("event-driven: every so many rows, also without a step of its own") {
  const SlidingBody body = sliding();
  const State start{0, Vec2(0, 0), Vec2(100, 0)};
  for (const auto& [row_step, every, rows] :
       {std::tuple{0.0, 1, 1001}, {0.0, 10, 101}, {0.0, 250, 5}, {0.01, 1, 101}, {0.01, 20, 6}}) {
    const Run run = simulate(body, start, EventDriven{.row_step = row_step}, {.duration = 1, .every = every});
    CHECK(run.table.size() == static_cast<std::size_t>(rows));
    CHECK(run.report.step == near(1.0 / (rows - 1), 1e-12));
  }
}

TEST_CASE("a cycle far below the run's length is refused by every integrator") {
  for (const Integrator& integrator :
       {Integrator(Moreau{.step = 0.01}), Integrator(EventDriven{}),
        Integrator(RungeKutta4{.step = 0.01, .friction = kSmooth}), Integrator(Adaptive{.friction = kSmooth})}) {
    for (const double cycle : {1e-300, 1e-10}) try {
        simulate(sliding(), kFast, integrator, {.duration = 0.2, .cycle = cycle});
        FAIL("too many cycles");
      } catch (const InvalidInput& error) {
        CHECK(error.setting() == "cycle");
      }
    CHECK_THROWS_AS(simulate(sliding(), kFast, integrator, {.duration = 0.2, .cycle = NAN}), InvalidInput);
    // Of the kinetic energy ½(1 - 3t)².
    const Run run = simulate(sliding(), kFast, integrator, {.duration = 0.2, .cycle = 0.1});
    REQUIRE(run.cycle_dissipation.size() == 2);
    CHECK(run.cycle_dissipation[0] == near((1 - 0.7 * 0.7) / 2, 1e-3));
    CHECK(run.cycle_dissipation[1] == near((0.7 * 0.7 - 0.4 * 0.4) / 2, 1e-3));
  }
}

TEST_CASE("a step longer than the run is one step of the run's length") {
  for (const Integrator& integrator : {Integrator(Moreau{.step = 1e10}), Integrator(EventDriven{.row_step = 1e10}),
                                       Integrator(RungeKutta4{.step = 1e10, .friction = kSmooth}),
                                       Integrator(Adaptive{.row_step = 1e10, .friction = kSmooth})}) {
    const Run run = simulate(sliding(), kFast, integrator, {.duration = 0.2});
    CHECK(run.report.status == RunStatus::finished);
    CHECK(run.end.t == near(0.2, 1e-12));
    CHECK(run.end.u[0] == near(0.4, 1e-6));
    CHECK(run.table.size() == 2);
  }
}

TEST_CASE("every integrator tells how far it is, and of how much") {
  const Integrator integrators[] = {Moreau{.step = 1e-3}, EventDriven{.row_step = 1e-3},
                                    RungeKutta4{.step = 1e-3, .friction = kSmooth},
                                    Adaptive{.row_step = 1e-3, .friction = kSmooth}};
  for (const Integrator& integrator : integrators) {
    CAPTURE(integrator.index());
    int calls = 0;
    double last = 0;
    const State later{5, kFast.q, kFast.u};  // time counts from the start
    simulate(sliding(), later, integrator, {.duration = 0.2, .progress = [&](double done, double of) {
                                              ++calls;
                                              CHECK(of == 0.2);
                                              CHECK(done >= last);
                                              last = done;
                                              return true;
                                            }});
    CHECK(calls > 1);
    CHECK(last > 0.1);
    CHECK(last < 0.2 + 1e-12);
  }
}

// Stops at 1/3 s.
TEST_CASE("rows of a slide have its slip, and none once it sticks") {
  for (const Integrator& integrator : {Integrator(Moreau{.step = 1e-3}), Integrator(EventDriven{.row_step = 1e-3})}) {
    CAPTURE(integrator.index());
    const Run run = simulate(sliding(), kFast, integrator, {.duration = 0.5});
    const std::size_t slip = run.table.column("contact.slip_1"), across = run.table.column("contact.slip_2");
    int moving = 0, still = 0;
    for (std::size_t i = 1; i < run.table.rows().size(); ++i) {
      const auto row = run.table.rows()[i];
      if (std::abs(row[0] - 1.0 / 3) < 2e-3) continue;
      (row[0] < 1.0 / 3 ? moving : still)++;
      CHECK(row[slip] == test::within(row[0] < 1.0 / 3 ? 1 - 3 * row[0] : 0, 1e-9));
      CHECK(row[across] == 0);
    }
    CHECK(moving > 100);
    CHECK(still > 100);
  }
}

TEST_CASE("moreau: a stop after few steps is warned of, with the steps that would do") {
  const auto warnings = [](double step) {
    return simulate(sliding(), kFast, Moreau{.step = step}, {.duration = 1, .until_stick = true}).report.warnings;
  };
  REQUIRE(warnings(0.1).size() == 1);
  CHECK(
      warnings(0.1)[0].starts_with("at rest after 3.3 steps: the way there is only known to 0.1 m; use steps of at "
                                   "most 0.0033 s"));
  CHECK(warnings(0.0033).empty());
}

// A mass with m a = A sin(ωt) - F that slips one way. The run is ended in its first row's time, after some parts.
TEST_CASE("adaptive: ended inside the time between two rows, state and time belong together") {
  const double w = 1e6, force = 1, limit = 0.1;
  const AxialSystem mass =
      forced_oscillator({.mass = 1, .stiffness = 0, .friction_limit = limit, .amplitude = force, .frequency = w});
  const State start{0, VectorX::Zero(1), VectorX::Ones(1)};
  for (const AdaptiveMethod method : {AdaptiveMethod::bdf, AdaptiveMethod::erk}) {
    const Run run = simulate(mass, start, Adaptive{.method = method, .row_step = 1, .friction = kSmooth},
                             {.duration = 1, .progress = [](double, double) { return false; }});
    CHECK(run.report.status == RunStatus::stopped);
    const double t = run.end.t;
    CHECK(t > 10 * 2 * kPi / w);
    CHECK(t < 1);
    CHECK(run.end.q[0] == near(t - limit * t * t / 2 + force / w * (t - std::sin(w * t) / w), 1e-6));
  }
}

// Each has its own contact, which slips when all are let go of at once: as many changes as contacts follow.
TEST_CASE("event-driven: more than a hundred contacts that open at the same time") {
  constexpr Eigen::Index kMasses = 105;
  std::vector<LinearContact> contacts;
  VectorX force = VectorX::Zero(2 * kMasses);
  State start{0, VectorX::Zero(2 * kMasses), VectorX::Zero(2 * kMasses)};
  for (Eigen::Index i = 0; i < kMasses; ++i) {
    LinearContact c{isotropic(0.3),
                    Eigen::MatrixX2d::Zero(2 * kMasses, 2),
                    Vec2(0, 0),
                    0,
                    VectorX::Unit(2 * kMasses, 2 * i + 1),
                    0,
                    0};
    c.tangents(2 * i, 0) = 1;
    contacts.push_back(c);
    force[2 * i + 1] = 2;
    start.u[2 * i] = 1;
  }
  const LinearSystem masses(MatrixX::Identity(2 * kMasses, 2 * kMasses), MatrixX::Zero(2 * kMasses, 2 * kMasses),
                            MatrixX::Zero(2 * kMasses, 2 * kMasses), force, contacts);
  const Run run = simulate(masses, start, EventDriven{.row_step = 0.1}, {.duration = 0.1});
  for (Eigen::Index i = 0; i < kMasses; ++i) {
    CHECK(run.end.q[2 * i] == near(0.1, 1e-9));
    CHECK(run.end.q[2 * i + 1] == near(0.01, 1e-9));
  }
}

TEST_CASE("a step that is long for the system's own springs is told") {
  // 2π s is its period.
  const MassOnBelt mass(
      isotropic(0.3),
      MassOnBeltParameters{
          .mass = 2, .stiffness = Mat2(2 * Mat2::Identity()), .normal_force = 1, .belt_velocity = Vec2(1, 0)});
  for (const auto& [step, warned] : {std::pair(0.6, false), std::pair(0.65, true)}) {
    RunOptions options;
    options.duration = 10;
    const Run run = simulate(mass, {0, VectorX::Zero(2), VectorX::Zero(2)}, Moreau{.step = step}, options);
    CAPTURE(step);
    const std::string all = fmt::format("{}", fmt::join(run.report.warnings, "\n"));
    CHECK((all.find("0.1592 Hz: 9.7 steps per period; use steps of at most 0.628 s") != std::string::npos) == warned);
    CHECK(run.report.warnings.empty() == !warned);
  }
}
