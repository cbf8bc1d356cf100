// Starts, steps and closing distances of scenario files: refused at their line, or told in the report. F15.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "slipset/report/run_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;
using test::ScenarioFile;

namespace {

const std::string kLaw = "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\n";
const std::string kMass =
    "[system]\nkind = \"linear\"\nM = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nforce = [0, 0, -9.81]\n"
    "contacts = [{ tangents = [[1, 0, 0], [0, 1, 0]], normal = [0, 0, 1] }]\n";
const std::string kBelt =
    "[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 1\nnormal_force = 1\n"
    "belt = { speed = 1 }\n";
const std::string kBodies = "[system]\nkind = \"rigid-bodies\"\n[integrator]\nstep = 1e-3\nduration = 0.01\n";
const std::string kFloor = "[[body]]\nname = \"floor\"\nshape = \"plane\"\n";

std::string steps(const std::string& step, const std::string& duration, const std::string& more = "") {
  return "[integrator]\nkind = \"moreau\"\nstep = " + step + "\nduration = " + duration + "\n" + more;
}

std::string error_of(const std::string& text) { return ScenarioFile(text).error(read_any_run); }

Run run_of(const std::string& text) {
  AnyRun any = read_any_run(ScenarioFile(text).scenario());
  return std::get<Run>(std::get<AnyOutcome>(simulate(any, {})).run);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("F15: a start inside a surface is told in the report, with its depth and contact") {
  const Run inside = run_of(kLaw + kMass + "[initial]\nposition = [0, 0, -10]\n" + steps("1e-3", "0.01"));
  REQUIRE(inside.report.warnings.size() == 1);
  CHECK(holds(inside.report.warnings[0], "\"contact1\" starts 10 m inside"));
  CHECK(holds(report_text(inside), "10 m inside"));
  CHECK(run_of(kLaw + kMass + steps("1e-3", "0.01")).report.warnings.empty());
  CHECK(run_of(kLaw + kMass + "[initial]\nposition = [0, 0, 0.2]\n" + steps("1e-3", "0.01")).report.warnings.empty());
}

TEST_CASE("F15: a step that is longer than the run is refused at its line") {
  for (const char* step : {"1e6", "1e300", "1.001"})
    CHECK(holds(error_of(kLaw + kMass + steps(step, "1")), ":10:8: integrator.step: "));
  CHECK(error_of(kLaw + kMass + steps("1", "1")) == "none");
  CHECK(error_of(kLaw + kMass + steps("0.3", "1")) == "none");
  const Run run = run_of(kLaw + kMass + steps("0.3", "1"));
  CHECK(run.end.t == near(1, 1e-15));
  CHECK(run.report.steps == 4);
}

TEST_CASE("A3: closing_distance of a file is used, reported, and refused where no contact opens") {
  const Run run = run_of(kLaw + kMass + steps("1e-3", "0.01", "closing_distance = 1e-8\n"));
  CHECK(run.report.closing_distance == 1e-8);
  CHECK(report_json(run)["closing_distance"] == 1e-8);
  const Run suitable = run_of(kLaw + kMass + steps("1e-3", "0.01"));
  CHECK(std::abs(suitable.report.closing_distance - 0.01 * 9.81e-6) < 1e-12);
  CHECK(report_json(run_of(kLaw + kBelt + steps("1e-3", "0.01")))["closing_distance"].is_null());
  CHECK(holds(error_of(kLaw + kMass + steps("1e-3", "1", "closing_distance = -1\n")),
              ":12:20: integrator.closing_distance: found -1; expected a length, 0 or above"));
  CHECK(holds(error_of(kLaw + kBelt + steps("1e-3", "1", "closing_distance = 1e-6\n")),
              "integrator.closing_distance: no contact of this system opens; remove it"));
}

TEST_CASE("messages of rigid bodies name the line and say what to write") {
  CHECK(holds(error_of(kBodies + "[body]\nshape = \"plane\"\n"), "write [[body]], not [body]"));
  const std::string ball = "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, ";
  const std::string sunk = error_of(kBodies + kFloor + ball + "-5]\n");
  CHECK(holds(sunk, ":9:1: body[1]: \"floor\" and \"ball\" overlap by 5.1 m at the start"));
  const std::string joint = "[[joint]]\nkind = \"ball\"\nbodies = [\"floor\", \"wall\"]\npoint = [0, 0, 0]\n";
  const std::string wall = "[[body]]\nname = \"wall\"\nshape = \"box\"\nsize = [1, 1, 1]\nposition = [0, 9, 0]\n";
  CHECK(holds(error_of(kBodies + kFloor + ball + "0.1]\n" + wall + "fixed = true\n" + joint),
              "\"floor\" is fixed and \"wall\" is fixed; make one of them free"));
  CHECK(holds(error_of(kBodies + kFloor + ball + "0.1]\n" + wall + "motion = { velocity = [1, 0, 0] }\n" + joint),
              "\"wall\" has a prescribed motion; make one of them free"));
}

TEST_CASE("a pulled block: so many increments that nobody would wait are refused") {
  const auto text = [](int increments) {
    return "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\nelastic = { stiffness = [1e5, 1e5] }\n"
           "[system]\nkind = \"pulled-block\"\nnormal_force = 10\npath = { kind = \"circle\", radius = 0.01, cycles = "
           "10000, increments = " +
           std::to_string(increments) + " }\n";
  };
  CHECK(error_of(text(1000)) == "none");
  CHECK(holds(error_of(text(1004)), "more than 1e7 increments in total"));
}

TEST_CASE("a pulled block is stopped where the caller asks for it") {
  const ScenarioFile file(
      "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\nelastic = { stiffness = [1e5, 1e5] }\n"
      "[system]\nkind = \"pulled-block\"\nnormal_force = 10\n"
      "path = { kind = \"line\", distance = 0.01, increments = 100000 }\n");
  AnyRun any = read_any_run(file.scenario());
  RunControl control;
  int asked = 0;
  double last = 0, all = 0;
  control.stop = [&] { return ++asked > 3; };
  control.progress = [&](double done, double of) {
    last = done;
    all = of;
  };
  CHECK(std::holds_alternative<StoppedRun>(simulate(any, control)));
  CHECK(all == 100000);
  CHECK(last < 1000);
}

// K x = μ N at x = 0.5·4/8.
TEST_CASE("a linear system starts at the equilibrium of steady sliding that the command stability finds") {
  const std::string system = "[system]\nkind = \"linear\"\nM = [[1]]\nK = [[8]]\ncontacts = [";
  const std::string contact = "{ normal_force = 4, tangents = [[1], [0]], surface_velocity = [";
  const std::string start = "[initial]\nposition = \"equilibrium\"\n" + steps("1e-3", "0.01");
  const Run run = run_of(kLaw + system + contact + "1, 0] }]\n" + start);
  CHECK(run.table.rows()[0][1] == near(0.25, 1e-12));
  CHECK(run.end.q[0] == near(0.25, 1e-12));
  CHECK(holds(error_of(kLaw + system + contact + "0, 0] }]\n" + start),
              "initial.position: steady sliding: the surface of contact1 stands still"));
}
