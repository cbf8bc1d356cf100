#include "slipset/identification/stick_slip.hpp"

#include <doctest/doctest.h>

#include <random>

#include "slipset/core/error.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

struct Record {
  std::vector<double> time, force;
};

// The spring's force over the weight, by the exact integrator, with noise and spikes.
Record simulated(const StickSlipOptions& o, double mu_static, double mu_kinetic, double noise, double rate = 2000) {
  SpringSliderParameters p;
  p.mass = o.weight / 9.81;
  p.stiffness = o.stiffness;
  p.speed = o.speed;
  p.friction_limit = mu_kinetic * o.weight;
  p.static_limit = mu_static * o.weight;
  EventDriven by_events;
  RunOptions options;
  options.duration = 6;
  by_events.row_step = 1 / rate;
  const Run run = simulate(spring_slider(p), {0, VectorX::Constant(1, -0.2 * o.weight / o.stiffness), VectorX::Zero(1)},
                           by_events, options);
  std::mt19937_64 engine(3);
  std::normal_distribution<double> gauss(0, noise);
  Record r;
  const std::size_t x = run.table.column("x");
  for (const auto row : run.table.rows()) {
    if (!r.time.empty() && row[0] < r.time.back() + 0.5 / rate) continue;  // rows at events
    r.time.push_back(row[0]);
    r.force.push_back(o.stiffness * (o.speed * row[0] - row[x]) / o.weight + gauss(engine) +
                      (r.time.size() % 211 == 0 ? 20 * noise : 0));
  }
  return r;
}

StickSlipOptions paper_slider() {
  StickSlipOptions o;
  o.stiffness = 168;
  o.speed = 1.1e-3;
  o.weight = 0.0307 * 9.81;
  return o;
}

}  // namespace

TEST_CASE("I.12 coefficients, slope and period of a simulated slider come back, in noise with spikes") {
  const StickSlipOptions o = paper_slider();
  const Record record = simulated(o, 0.36, 0.31, 5e-4);
  const StickSlipResult r = identify_stick_slip(record.time, record.force, o);
  CHECK(r.events.size() > 20);
  CHECK(std::abs(r.static_friction.value - 0.36) < 1e-3);
  CHECK(std::abs(r.kinetic_friction.value - 0.31) < 1e-3);
  CHECK(r.slope_agrees);
  CHECK(std::abs(r.slope.value / r.expected_slope - 1) < 4 * r.slope.sigma / r.expected_slope + 2e-3);
  REQUIRE(r.model_period);
  CHECK(std::abs(r.recurrence.value / *r.model_period - 1) < 0.01);
  CHECK(std::abs(r.fall_time.value - *r.model_fall_time) < 2e-3);
  CHECK(std::abs(r.creep_ratio - 1) < 0.05);  // a rigid law does not creep
  CHECK(r.model_force.size() > 100);
  CHECK(std::abs(r.noise - 5e-4) < 2e-4);
}

TEST_CASE("I.27 peaks and troughs between samples: without noise the coefficients are exact, also of a coarse record") {
  const StickSlipOptions o = paper_slider();
  for (const double rate : {5000.0, 1000.0, 300.0}) {  // 210 to 13 samples in a fall
    const Record record = simulated(o, 0.36, 0.31, 0, rate);
    const StickSlipResult r = identify_stick_slip(record.time, record.force, o);
    INFO(rate, " Hz");
    const double tolerance = rate > 500 ? 1e-5 : 1e-4;
    CHECK(r.static_friction.value == near(0.36, tolerance));
    CHECK(r.kinetic_friction.value == near(0.31, tolerance));
    REQUIRE(r.model_fall_time);
    CHECK(r.fall_time.value == near(*r.model_fall_time, 100 * tolerance));
  }
  // Too coarse for that: said, with an interval that is as wide.
  StickSlipOptions slow = o;
  slow.speed = 3e-4;
  const Record coarse = simulated(slow, 0.36, 0.31, 0, 150);
  const StickSlipResult r = identify_stick_slip(coarse.time, coarse.force, slow);
  CHECK(r.notes.front().find("too few samples") != std::string::npos);
  CHECK(r.static_friction.low < 0.36);
  CHECK(r.static_friction.high > 0.36);
}

TEST_CASE("a wrong stiffness shows in the slope, which needs no friction law") {
  StickSlipOptions o = paper_slider();
  const Record record = simulated(o, 0.36, 0.31, 2e-4);
  o.stiffness *= 1.3;
  const StickSlipResult r = identify_stick_slip(record.time, record.force, o);
  CHECK_FALSE(r.slope_agrees);
  CHECK(std::abs(r.slope.value / r.expected_slope - 1 / 1.3) < 0.02);
}

TEST_CASE("records without stick and slip, and missing numbers, are refused with what to do") {
  StickSlipOptions o = paper_slider();
  Record flat;
  for (int i = 0; i < 2000; ++i) {
    flat.time.push_back(5e-4 * i);
    flat.force.push_back(0.3);
  }
  CHECK_THROWS_WITH_AS(identify_stick_slip(flat.time, flat.force, o), doctest::Contains("steady sliding"),
                       InvalidInput);
  o.weight = 0;
  CHECK_THROWS_WITH_AS(identify_stick_slip(flat.time, flat.force, o), doctest::Contains("the weight [N] must be given"),
                       InvalidInput);
  o = paper_slider();
  flat.time[7] = 0;
  CHECK_THROWS_WITH_AS(identify_stick_slip(flat.time, flat.force, o), doctest::Contains("row 8"), InvalidInput);
  CHECK_THROWS_AS(identify_stick_slip({}, {}, o), InvalidInput);
  const std::vector<double> one = {1};
  CHECK_THROWS_AS(estimate_of(one), InvalidInput);
}
