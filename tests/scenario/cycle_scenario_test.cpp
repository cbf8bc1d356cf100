// Files for `cycle` that say what it cannot obey.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/cycle_setup.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;

namespace {

std::string error(const std::string& law, const std::string& integrator) {
  const test::ScenarioFile file(
      "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2] }\n" + law +
      "[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 2\nnormal_force = 5\nbelt = { speed = 0.5, angle = 30 "
      "}\n[integrator]\nstep = 0.01\nduration = 1\n" +
      integrator);
  return file.error([](const Scenario& scenario) { read_cycle(scenario.root()); });
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("cycle: what it cannot obey is refused, with its place") {
  CHECK(error("", "") == "none");
  CHECK(holds(error("", "until = \"stick\"\n"), ":12:9: integrator.until: a motion that sticks"));
  CHECK(holds(error("elastic = { stiffness = [200, 100] }\n", ""), ":3:11: law.elastic: cycles are found"));
  CHECK(holds(error("lugre = { sigma0 = 100 }\n", ""), ":3:9: law.lugre: cycles are found"));
  CHECK(holds(error("regularize = { kind = \"quinn\", epsilon = 0.01 }\n", ""), "law.regularize: cycles are found"));
}

TEST_CASE("cycle: the closing distance of a file is that of the simulation that leads to the cycle") {
  const test::ScenarioFile file(
      "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\n[system]\nkind = \"linear\"\n"
      "M = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nforce = [0, 0, -9.81]\n"
      "contacts = [{ tangents = [[1, 0, 0], [0, 1, 0]], normal = [0, 0, 1] }]\n"
      "[integrator]\nstep = 0.01\nduration = 1\nclosing_distance = 1e-6\n");
  const Scenario scenario = file.scenario();
  const CycleSetup setup = read_cycle(scenario.root());
  CHECK(setup.options.closing_distance == 1e-6);
}

// Without a start. Along the slip ω = √(k/m) = 5; across it friction damps by μN/v = 4 N s/m: λ = -1 ± i√24.
TEST_CASE("cycle: without [integrator] the steps are those of the modes; without steady sliding there are none") {
  const auto read = [](const std::string& belt, const std::string& law = "") {
    const std::string text = "[law]\nreservoir = { shape = \"disk\", radius = 0.4 }\n" + law +
                             "[system]\nkind = \"mass-on-belt\"\nmass = 2\nstiffness = 50\nnormal_force = 5\n" +
                             "belt = { speed = " + belt + ", angle = 30 }\n";
    return read_cycle(test::ScenarioFile(text).scenario().root());
  };
  const CycleSetup setup = read("0.5");
  CHECK(setup.options.step == test::near(2 * kPi / 5 / 300, 1e-9));
  CHECK(setup.options.duration == test::near(60 * 2 * kPi / std::sqrt(25 - 1.0), 1e-9));
  CHECK_THROWS_AS(read("0"), InvalidInput);
  // Long enough for what grows: at the Stribeck velocity by N μ (1.05 - 1)·2/v_s exp(-1) over 2 m.
  const double growth = 5 * 0.4 * 0.05 * 2 / 0.5 * std::exp(-1.0) / (2 * 2);
  CHECK(read("0.5", "stribeck = { static = 1.05, velocity = 0.5 }\n").options.duration ==
        test::near(15 / growth, 1e-8));
}
