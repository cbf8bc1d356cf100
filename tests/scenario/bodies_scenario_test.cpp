// Scenario files of rigid bodies: what they build, and what wrong ones say.
#include "slipset/scenario/bodies_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/report/bodies_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "tests/scenario/scenario_file.hpp"

using namespace slipset;
using test::ScenarioFile;

namespace {

const std::string kStart =
    "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\n"
    "[laws.ice]\nreservoir = { shape = \"disk\", radius = 0.05 }\n"
    "[system]\nkind = \"rigid-bodies\"\n"
    "[integrator]\nstep = 1e-3\nduration = 0.05\n";
const std::string kFloor = "[[body]]\nname = \"floor\"\nshape = \"plane\"\n";
const std::string kBall = "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0.1]\n";

const BodyWorld& world_of(const RunScenario& s) { return dynamic_cast<const BodyWorld&>(*s.system); }

std::string error_of(const std::string& text) { return ScenarioFile(text).error(read_any_run); }

}  // namespace

TEST_CASE("bodies, piles, stacks and pairs of a file become a world") {
  const ScenarioFile file(kStart + kFloor + kBall +
                          "velocity = [1, 0, 0]\nspin = [0, 0, 2]\norientation = { axis = [1, 0, 0], angle = 90 }\n"
                          "law = \"ice\"\npriority = 2\naxis = [0, 3, 0]\n"
                          "[[body]]\nname = \"b\"\nshape = \"box\"\nsize = [0.1, 0.2, 0.3]\nmass = 3\n"
                          "position = [1, 0, 0.15]\ncount = 3\nspacing = [0.5, 0, 0]\n"
                          "[[pile]]\nname = \"p\"\nspheres = 10\nwidth = 12\n"
                          "[[stack]]\nname = \"s\"\nboxes = 4\nsize = [0.1, 0.1, 0.1]\nbase = [-1, 0, 0]\n"
                          "[[pair]]\nfirst = \"law\"\nsecond = \"ice\"\nlaw = \"ice\"\n");
  const RunScenario scenario = read_bodies_run(file.scenario().root());
  const BodyWorld& world = world_of(scenario);
  CHECK(world.free_bodies() == 1 + 3 + 10 + 4);
  const RigidBody& ball = world.bodies[1];
  CHECK(ball.mass == doctest::Approx(1000 * 4.0 / 3 * 3.14159265358979 * 1e-3));
  CHECK(ball.surface.law == 1);
  CHECK(ball.surface.axis == Vec3(0, 1, 0));
  CHECK((world.states[1].world_spin() - Vec3(0, 0, 2)).norm() < 1e-15);
  CHECK((world.states[1].spin - Vec3(0, 2, 0)).norm() < 1e-15);
  CHECK(world.bodies[4].name == "b3");
  CHECK(world.states[4].position == Vec3(2, 0, 0.15));
  CHECK(world.bodies[4].inertia.x() == doctest::Approx(3 * (0.04 + 0.09) / 12));
  CHECK(world.bodies.back().name == "s.box4");
  CHECK(world.pairs.size() == 1);
  CHECK(world.rule_of(0, 1).law == 1);

  const Run run = simulate(world, scenario.start, scenario.integrator, scenario.options);
  CHECK(run.report.steps == 50);
  CHECK(run.table.size() == 51);
  const Table& table = run.table;
  CHECK(table.names().size() == 1 + 13 * 18 + 8);
  CHECK(table.rows().back().size() == table.names().size());
  const auto json = bodies_json(world, run, scenario.title);
  CHECK(json.at("bodies") == 18);
  CHECK(json.at("ends").size() == 18);
}

TEST_CASE("a table with a prescribed motion counts as a column, and moves so") {
  const ScenarioFile file(
      kStart + kBall +
      "[[body]]\nname = \"table\"\nshape = \"plane\"\nmotion = { amplitude = [0.01, 0, 0], frequency = "
      "10, phase = 90 }\n");
  const RunScenario scenario = read_bodies_run(file.scenario().root());
  const Run run = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  CHECK(std::abs(run.table["table.x"].back() - (-0.02)) < 1e-9);  // half a period
  CHECK(run.table.names().size() == 1 + 13 * 2 + 8);
}

TEST_CASE("wrong files of rigid bodies have place, key and remedy") {
  CHECK(error_of(kStart + kFloor).find("no body that is free") != std::string::npos);
  CHECK(error_of(kStart + kBall + "raduis = 1\n").find("body[1].raduis: unknown key; did you mean \"radius\"?") !=
        std::string::npos);
  CHECK(error_of(kStart + kBall + "law = \"iec\"\n").find("did you mean \"ice\"") != std::string::npos);
  CHECK(error_of(kStart + kBall + kBall).find("another body has the name \"ball\"") != std::string::npos);
  CHECK(error_of(kStart + kBall + "size = [1, 1, 1]\n").find("body[1].size: is for a box") != std::string::npos);
  CHECK(error_of(kStart + kBall + "mass = 1\ndensity = 1\n").find("the mass or the density") != std::string::npos);
  CHECK(error_of(kStart + kBall + "mass = -1\n").find("expected a number above 0") != std::string::npos);
  CHECK(error_of(kStart + kBall + "fixed = 1\n").find("expected true or false") != std::string::npos);
  CHECK(error_of(kStart + kBall + "velocity = [1, 2]\n").find("found 2 numbers; expected three") != std::string::npos);
  CHECK(error_of(kStart + kBall + "velocity = [1, 2, nan]\n").find("finite") != std::string::npos);
  CHECK(error_of(kStart + kBall + "axis = [0, 0, 0]\n").find("length zero") != std::string::npos);
  CHECK(error_of(kStart + kFloor + "mass = 3\n" + kBall).find("bodies that are free") != std::string::npos);
  CHECK(error_of(kStart + "[[pile]]\nspheres = 10\nspread = 2\n").find("expected 0 to 0.5") != std::string::npos);
  CHECK(error_of(kStart + "[[pile]]\nspheres = 10\nwidth = 0.001\n").find("does not hold a sphere") !=
        std::string::npos);
  CHECK(error_of(kStart + "[[stack]]\nboxes = 2\nsize = [1, -1, 1]\n").find("stack[1]") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[[pair]]\nfirst = \"ice\"\n").find("pair[1].second: missing") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[initial]\nposition = [0]\n")
            .find("initial: [system] kind = \"rigid-bodies\" does not have this table") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[laws.slow]\nreservoir = { shape = \"disk\", radius = 1 }\nlugre = { sigma0 = 1 }\n")
            .find("laws.slow.lugre: rigid bodies have rigid contacts") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[output]\nfigures = [\"force\"]\n").find("snapshots") != std::string::npos);
  CHECK(error_of(kStart + kBall + "mass = 1e-320\n").find("body[1].mass: 9.99989e-321 is out of range") !=
        std::string::npos);
  CHECK(error_of(kStart + kBall + "velocity = [0, 0, 1e200]\n").find("body[1].velocity: 1e+200 is out of range") !=
        std::string::npos);
  CHECK(error_of(kStart + "[[body]]\nshape = \"box\"\nsize = [1, 1, 1e-200]\n").find("body[1].size: 1e-200") !=
        std::string::npos);
  CHECK(error_of(kStart + kFloor + "[[pile]]\nspheres = 3\n").find("give this table a name") != std::string::npos);
}

TEST_CASE("laws with drilling and rolling, and pairs of them, beside laws of sliding alone") {
  const ScenarioFile file(kStart + kFloor + kBall + "law = \"felt\"\nvelocity = [1, 0, 0]\nspin = [0, 10, 5]\n" +
                          "[[body]]\nname = \"other\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 1, 0.1]\n"
                          "[laws.felt]\nreservoir = { shape = \"disk\", radius = 0.3 }\ndrilling = [0.001, 0.002]\n"
                          "rolling = { shape = \"ellipse\", semi_axes = [0.002, 0.004] }\n"
                          "[[pair]]\nfirst = \"law\"\nsecond = \"felt\"\nlaw = \"felt\"\n");
  const RunScenario scenario = read_bodies_run(file.scenario().root());
  const BodyWorld& world = world_of(scenario);
  CHECK(world.has_rolling_laws());
  REQUIRE(world.laws.size() == 3);
  CHECK(world.laws[0] != nullptr);
  CHECK(world.laws[1]->rows() == 6);  // felt, ice by name
  CHECK(world.rule_of(0, 1).law == 1);
  CHECK(world.rule_of(0, 2).law == 0);
  const Run run = simulate(world, scenario.start, scenario.integrator, scenario.options);
  const std::vector<BodyState> states = states_at(world, run.table, run.table.size() - 1);
  // The rolling torque about y, 0.004 m: 5/7 g e/R; drilling forward 0.002 m: g d/(2/5 R^2).
  CHECK(states[1].velocity.x() == doctest::Approx(1 - 5.0 / 7 * 9.81 * 0.04 * 0.05).epsilon(1e-6));
  CHECK(states[1].world_spin().z() == doctest::Approx(5 - 9.81 * 0.002 / 0.004 * 0.05).epsilon(1e-6));
  CHECK(run.table["turning"].back() == 1);
  const Table& table = run.table;
  CHECK(table.names().back() == "dissipated_by_torques");
  CHECK(table.names()[table.names().size() - 2] == "turning");
  CHECK(table[table.names().size() - 1].back() == run.energy.by_torques);
  CHECK(table.rows().back().size() == table.names().size());
  const auto json = bodies_json(world, run, scenario.title);
  CHECK(json.at("dissipated_by_torques") == run.energy.by_torques);
  CHECK(run.energy.by_torques > 0.9 * run.energy.dissipated);
  CHECK(bodies_text(world, run, scenario.title).find("by drilling and rolling") != std::string::npos);
}

TEST_CASE("wrong laws with drilling and rolling have place, key and remedy") {
  const std::string set = "reservoir = { shape = \"ellipse\", semi_axes = [0.6, 0.3] }\n";
  const auto law = [&](const std::string& keys) { return error_of(kStart + kBall + "[laws.felt]\n" + set + keys); };
  CHECK(law("rolling = 0.001\ndirection = \"associated\"\n") == "none");
  CHECK(law("rolling = 0.001\ndirection = \"collinear\"\n")
            .find("laws.felt.direction: laws with drilling or rolling "
                  "are associated") != std::string::npos);
  CHECK(law("rolling = 0.001\ndirection = { shape = \"disk\", radius = 1 }\n").find("laws.felt.direction: laws with") !=
        std::string::npos);
  CHECK(law("rolling = 0.001\nstribeck = { static = 1.5, velocity = 1 }\n").find("laws.felt.stribeck: laws with") !=
        std::string::npos);
  CHECK(law("rolling = -1\n").find("laws.felt.rolling") != std::string::npos);
  CHECK(law("rolling = 0\n").find("laws.felt.rolling") != std::string::npos);
  CHECK(law("drilling = \"x\"\n").find("laws.felt.drilling") != std::string::npos);
  CHECK(law("rolling = 1000\n").find("a torque of 1e+03 m per unit normal force is out of range for bodies of 0.1 m") !=
        std::string::npos);
  CHECK(law("patch = { radius = 0.01 }\n").find("laws.felt.reservoir: a patch needs") != std::string::npos);
  // A law with C other than D may stand beside one that rolls.
  CHECK(law("rolling = 0.001\n[laws.grain]\n" + set + "direction = \"collinear\"\n") == "none");
  CHECK(law("[laws.grain]\n" + set + "direction = \"collinear\"\n") == "none");
}

TEST_CASE("bodies that overlap by more than half the smallest are refused, less is taken out") {
  const auto sunk = [](double z) {
    return kStart + kFloor + fmt::format("[[body]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, {}]\n", z);
  };
  CHECK(error_of(sunk(-5)).find("\"floor\" and \"sphere2\" overlap by 5.1 m at the start") != std::string::npos);
  CHECK(
      error_of(kStart + kBall + "[[pile]]\nname = \"p\"\nspheres = 3\ncentre = [5, 0, 0]\n").find("\"ball\" overlap") !=
      std::string::npos);
  const ScenarioFile file(sunk(0.099));
  CHECK_NOTHROW(read_bodies_run(file.scenario().root()));
}
