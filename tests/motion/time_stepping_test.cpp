// A duration that is not a multiple of the step: the last step is shorter, and so is what is counted of it.
#include "slipset/motion/time_stepping.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kMu = 0.3, kMass = 2, kNormal = 20;  // deceleration 3 m/s²
constexpr double kDuration = 0.25;                    // two steps and a half

Run slide_along_x(double speed) {
  const SlidingBody body(isotropic(kMu), kMass, kNormal);
  return simulate(body, {0, Vec2(0, 0), Vec2(speed, 0)}, Moreau{.step = 0.1}, {.duration = kDuration});
}

}  // namespace

TEST_CASE("rows of a shorter last step: the friction force of a sliding body is still mu N") {
  const Run run = slide_along_x(5);
  CHECK(run.report.steps == 3);
  CHECK(run.end.t == near(kDuration, 1e-14));
  REQUIRE(run.table.size() == 4);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(run.table["contact.friction_1"][i] == near(-kMu * kNormal, 1e-13));
    CHECK(run.table["contact.normal_force"][i] == near(kNormal, 1e-13));
  }
  CHECK(run.stick_time == 0);
}

TEST_CASE("a body that sticks for the whole run has the duration as its stick time") {
  const Run run = slide_along_x(0);
  CHECK(run.stick_time == near(kDuration, 1e-14));
  CHECK(run.stop_time.value() == within(0, 1e-12));
}

TEST_CASE("a body that comes to rest within the shorter last step: stop time v/(mu g), stick time that step") {
  const Run run = slide_along_x(3 * 0.22);
  CHECK(run.stop_time.value() == near(0.22, 1e-12));
  CHECK(run.stick_time == near(0.05, 1e-12));
}

// √2 m/s and at least 0.1476 g against it: 0.69 m at most, and 5 m with steps of 10 s.
TEST_CASE("a body that stops within a few steps: the way is said to be unknown; too many steps are refused") {
  const FrictionLaw law(Ellipse(0.6, 0.2, radians(30)), Ellipse(3, 1));
  const SlidingBody body(law, 2, 2 * 9.81);
  const State start{0, VectorX::Zero(2), VectorX(Vec2(1, 1))};
  for (const double step : {10.0, 1.0, 0.1, 1e-3}) {
    CAPTURE(step);
    const Run run = simulate(body, start, Moreau{.step = step}, {.duration = 1e6 * step, .until_stick = true});
    CHECK(run.report.status == RunStatus::sticks);
    const bool told = std::any_of(run.report.warnings.begin(), run.report.warnings.end(),
                                  [](const std::string& w) { return w.find("at rest after") != std::string::npos; });
    CHECK(told == (step > 0.05));
  }
  CHECK_THROWS_WITH_AS(simulate(body, start, Moreau{.step = 1e-300}, {.duration = 1e-291, .until_stick = true}),
                       doctest::Contains("out of reach"), InvalidInput);
}
