// A system of a user's own with as little as it needs, and the reports of its runs in words.
#include <doctest/doctest.h>

#include <sstream>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

struct Block final : System {
  std::vector<SystemContact> floor{{"floor", std::make_shared<PlanarContactLaw>(isotropic(0.5))}};
  double speed = 1;

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return floor; }
  void evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const override {
    at.mass.setIdentity();
    at.contacts[0].tangents.setIdentity();
    at.contacts[0].normal_force = 10;
  }
  State start() const override { return {0, Vec2(0, 0), Vec2(speed, 0)}; }
};

struct Still final : System {
  std::vector<SystemContact> none;
  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return none; }
  void evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const override { at.mass.setIdentity(); }
};

std::string text_of(const auto& report) {
  std::ostringstream text;
  text << report;
  return text.str();
}

}  // namespace

TEST_CASE("dofs, contacts and evaluate make a system; runs begin at its start") {
  const Block block;
  const Run run = simulate(block, Moreau{.step = 1e-3}, {.duration = 1, .until_stick = true});
  CHECK(run.path_length == near(1.0 / (2 * 0.5 * 10), 1e-9));
  CHECK(run.table.names()[1] == "q1");
  CHECK(text_of(run.report) == "sticks: every contact sticks (moreau, 200 steps of 0.001 s)");
  const Run exact = simulate(block, EventDriven{}, {.duration = 1, .until_stick = true});
  CHECK(exact.path_length == near(0.1, 1e-9));
  CHECK(Still().start().q == Vec2(0, 0));
  CHECK(simulate(Still(), Moreau{}, {.duration = 0.01}).end.u == Vec2(0, 0));
}

TEST_CASE("a report says what happened, and why") {
  RunReport report;
  report.integrator = "moreau";
  report.step = 0.01;
  report.steps = 7;
  report.tolerance = 1e-8;
  report.not_converged = 2;
  report.worst_residual = 0.001;
  report.warnings = {"the step is long"};
  report.stop(RunStatus::left_range, "the motion left the range of numbers at t = 0.07");
  CHECK(text_of(report) ==
        "left-range: the motion left the range of numbers at t = 0.07 (moreau, 7 steps of 0.01 s)\n"
        "not converged in 2 steps: the contacts did not reach 1e-08, worst residual 0.001\n"
        "warning: the step is long");
  CHECK(text_of(ContactReport{}) == "not-reached: not solved yet (error nan, tolerance 1e-12)");
}
