#include "slipset/dynamics/event_driven.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/models/mass_on_belt.hpp"
#include "slipset/models/sliding_body.hpp"

using namespace slipset;

TEST_CASE("event-driven: the sliding body's end point and stop time to 1e-10") {
  struct Row {
    FrictionLaw law;
    double time, x, y;
  };
  const Row rows[] = {{{Ellipse(0.4, 0.2), Ellipse(2, 1)}, 0.873260004774, 0.334146140358, 0.695298400541},
                      {{Ellipse(0.4, 0.2), Disk(1)}, 0.805881157026, 0.569844030963, 0.569844030963},
                      {{NormMix(0.4, 0.2, 2.5, -1.5), Ellipse(2, 1)}, 0.9651908242, 0.3949766340, 0.7989565015}};
  for (const Row& row : rows) {
    const SlidingBody body(row.law, 1, 9.81);
    EventOptions options;
    options.duration = 5;
    options.until_stick = true;
    const Simulation run = simulate_events(body, {0, Vec2(0, 0), Vec2(std::sqrt(2), std::sqrt(2))}, options);
    CHECK(std::abs(run.end.q[0] - row.x) < 1e-10);
    CHECK(std::abs(run.end.q[1] - row.y) < 1e-10);
    CHECK(std::abs(run.stop_time.value() - row.time) < 1e-10);
    CHECK(std::abs(run.energy.residual()) < 1e-9);
    CHECK(run.energy.dissipated == doctest::Approx(2).epsilon(1e-9));
  }
}

// A mass on a spring, isotropic, belt along the spring: stick until k x = μN, then the harmonic slip of closed form.
TEST_CASE("event-driven: sticking on the belt ends where the spring reaches the reservoir") {
  MassOnBeltParameters p;
  p.belt_velocity = {0.1, 0};
  const MassOnBelt belt(isotropic(0.5), p);
  EventOptions options;
  options.duration = 8;
  options.row_step = 0.05;
  const Simulation run = simulate_events(belt, {0, Vec2(0, 0), Vec2(0.1, 0)}, options);
  // Stick: x = 0.1 t until x = 0.5 at t = 5; then x = 0.5 + 0.1 sin(t - 5) with slip backwards.
  CHECK(std::abs(run.end.q[0] - (0.5 + 0.1 * std::sin(3.0))) < 1e-7);
  CHECK(std::abs(run.end.q[1]) < 1e-8);
  CHECK(run.stick_time == doctest::Approx(5).epsilon(0.02));
  CHECK(std::abs(run.energy.residual()) < 1e-8);
}

TEST_CASE("event-driven: systems that it is not for are refused") {
  const SlidingBody body(two_sign(0.4, 0.2), 1, 9.81);
  CHECK_THROWS_WITH_AS(simulate_events(body, {0, Vec2(0, 0), Vec2(1, 1)}, {}), doctest::Contains("flat sides"),
                       InvalidInput);
}
