// What a scenario asks of a run that it cannot give: refused with the place, or told in the report.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/report/any_run_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/stability_setup.hpp"
#include "tests/scenario/scenario_file.hpp"

using namespace slipset;
using test::ScenarioFile;

namespace {

const std::string kLaw = "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\n";

// What is said when the file is read and run; "none" if it runs.
std::string error_of(const std::string& text) {
  return ScenarioFile(text).error([](const Scenario& scenario) {
    AnyRun run = read_any_run(scenario);
    simulate(run, {});
  });
}

AnyOutcome outcome_of(const std::string& text, const RunControl& control = {}) {
  const ScenarioFile file(text);
  AnyRun run = read_any_run(file.scenario());
  return std::get<AnyOutcome>(simulate(run, control));
}

Run run_of(const std::string& text) { return std::get<Run>(outcome_of(text).run); }

std::string sieve(double hertz, double step) {
  return kLaw + fmt::format(
                    "[system]\nkind = \"rigid-bodies\"\n[[body]]\nname = \"table\"\nshape = \"plane\"\n"
                    "motion = {{ amplitude = [1e-4, 0, 0], frequency = {} }}\n"
                    "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0.1]\n"
                    "[integrator]\nstep = {}\nduration = 0.02\n",
                    hertz, step);
}

std::string slider(const std::string& integrator, const std::string& more = "") {
  return "[system]\nkind = \"spring-slider\"\nmass = 1\nstiffness = 100\nfriction_limit = 3\nspeed = "
         "0.1\n[integrator]\n" +
         integrator + more;
}

std::string body(const std::string& integrator, const std::string& more = "") {
  return kLaw + "[system]\nkind = \"sliding-body\"\nmass = 1\n[initial]\nvelocity = [1, 0]\n[integrator]\n" +
         integrator + more;
}

}  // namespace

TEST_CASE("A6: a table that is shaken faster than the step sees") {
  CHECK(
      error_of(sieve(1000, 1e-3)) ==
      ":15:8: integrator.step: a drive, a force or a surface of this system moves with 1000 Hz, which steps of 0.001 s "
      "do not see; use steps of at most 0.0001 s, better 5e-05 s");
  const Run rough = run_of(sieve(200, 1e-3));
  REQUIRE(rough.report.warnings.size() >= 1);
  CHECK(rough.report.warnings[0].find("200 Hz: 5.0 steps per period; use steps of at most 0.0005 s") !=
        std::string::npos);
  CHECK(run_of(sieve(1000, 1e-4)).report.warnings.empty());
}

TEST_CASE("A13: a spring slider: the drive's work and the spring's energy, as a file gives them") {
  const Run run = run_of(slider("step = 0.01\nduration = 5\n"));
  const double way = run.end.q[0], stretch = 0.1 * 5 - way;
  CHECK(std::abs(run.energy.dissipated - 3 * way) <= 1e-9);
  CHECK(std::abs(run.energy.potential - 50 * stretch * stretch) <= 1e-12);
  CHECK(std::abs(run.energy.input - run.energy.dissipated - run.energy.potential - run.energy.kinetic) <= 1e-9);
  CHECK(run.energy.input < 1.6);
}

TEST_CASE("F12: frequencies beyond reason are refused at once") {
  const auto blocks = [](const char* kind) {
    return fmt::format(
        "[system]\nkind = \"two-blocks\"\nstiffness_ratio = 2\nfriction_limits = [0.5, 0.25]\n"
        "drive = {{ amplitude = 1, frequency = 1e12 }}\n[integrator]\nkind = \"{}\"\nstep = 0.01\nduration = 1\n",
        kind);
  };
  CHECK(error_of(blocks("event-driven")).starts_with(":9:12: integrator.duration: a drive, a force or a surface"));
  CHECK(error_of(blocks("moreau")).starts_with(":9:12: integrator.duration: "));
  CHECK(error_of(sieve(1e300, 1e-3)).starts_with(":15:8: integrator.step: a drive, a force or a surface"));
}

TEST_CASE("F10: rows that would fill the memory are refused, with numbers") {
  const std::string steps = "step = 1e-6\nduration = 900\n";
  CHECK(
      error_of(slider("kind = \"event-driven\"\n" + steps)) ==
      ":10:12: integrator.duration: the table would have 9e+08 rows of 11 numbers, 79.2 GB; there is room for 0.8 GB: "
      "write a row only every 100 steps, or use a longer step or a shorter duration");
  CHECK(error_of(body(steps)).find("9e+08 rows of 16 numbers, 115 GB") != std::string::npos);
  CHECK(error_of(body("kind = \"rk4\"\n" + steps, "[law.regularize]\nkind = \"quinn\"\nepsilon = 0.1\n"))
            .find("9e+08 rows of 16 numbers") != std::string::npos);
}

TEST_CASE("F10: a sweep of more points than anyone can look at is refused") {
  const std::string belt =
      kLaw +
      "[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 1\nnormal_force = 1\n"
      "belt = { speed = 1, angle = 0 }\n[sweep]\nparameter = \"system.mass\"\nfrom = 1\nto = 2\ncount = ";
  const auto error = [](const std::string& text) {
    return ScenarioFile(text).error([](const Scenario& scenario) { StabilitySetup{scenario}; });
  };
  CHECK(error(belt + "1000000\n") == "none");
  CHECK(error(belt + "100000000\n").starts_with(":13:9: sweep.count: found 100000000; expected"));
}

TEST_CASE("keys that would be ignored, and messages that say what is meant") {
  const std::string steps = "step = 1e-3\nduration = 1\n";
  CHECK(error_of(body(steps, "[output]\nformats = []\n")) ==
        ":12:11: output.formats: the list is empty; give one or more of csv, hdf5, or remove it");
  CHECK(error_of(body("kind = \"rk4\"\n" + steps)) ==
        ":9:8: integrator.kind: rk4 needs friction that is a function of the state: give [law] lugre or elastic or "
        "regularize, or choose moreau or event-driven");
  CHECK(error_of(slider("kind = \"rk4\"\n" + steps)) ==
        ":8:8: integrator.kind: rk4 needs friction that is a function of the state: give [law] regularize, or choose "
        "moreau or event-driven");
  const std::string bodies = sieve(10, 1e-3);
  CHECK(error_of(bodies + "until = \"stick\"\n") ==
        ":17:9: integrator.until: this system does not tell when every contact sticks; remove until");
  // [sweep]: for the commands that have steady sliding to look at; a run says that it has none of it.
  const std::string sweep = "[sweep]\nparameter = \"system.mass\"\nfrom = 1\nto = 2\ncount = 3\n";
  CHECK(error_of(body(steps, sweep)).find("sweep") != std::string::npos);
  const Run belt = run_of(kLaw +
                          "[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 1\nnormal_force = 1\n"
                          "belt = { speed = 1, angle = 0 }\n[integrator]\n" +
                          steps + sweep);
  REQUIRE(belt.report.warnings.size() == 1);
  CHECK(belt.report.warnings[0] ==
        "[sweep] is for the commands stability and cycle; this run has the values of the file");
}

TEST_CASE("a run without checkpoints that is stopped keeps what it has") {
  for (const char* kind : {"event-driven", "adaptive"}) {
    int asked = 0;
    RunControl control;
    control.stop = [&] { return ++asked > 20; };
    const AnyOutcome outcome = outcome_of(
        slider(fmt::format("kind = \"{}\"\nstep = 0.01\nduration = 5\n", kind),
               std::string(kind) == "adaptive" ? "[law]\nregularize = { kind = \"quinn\", epsilon = 0.01 }\n" : ""),
        control);
    CHECK(was_stopped(outcome));
    const Run& run = std::get<Run>(outcome.run);
    CHECK(run.table.size() > 15);
    CHECK(run.end.t < 1);
  }
}

TEST_CASE("energies that do not add up are exit code 3; the report has every entry of the balance") {
  const std::string stiff = kLaw +
                            "[system]\nkind = \"linear\"\nM = [[1, 0], [0, 1]]\nK = [[35000, 0], [0, 35000]]\n"
                            "contacts = [{ tangents = [[1, 0], [0, 1]], normal_force = 1e-3 }]\n"
                            "[initial]\nposition = [1, 0.5]\n[integrator]\nstep = 0.01\nduration = 0.215\n";
  const ScenarioFile file(stiff);
  AnyRun run = read_any_run(file.scenario());
  const AnyOutcome outcome = std::get<AnyOutcome>(simulate(run, {}));
  CHECK(!succeeded(outcome));
  const auto json = nlohmann::json::parse(run_results(run, outcome, {"t", "p", stiff}).json);
  CHECK(json.at("report").at("energy_error").get<double>() > 0.1);
  double sum = 0;
  for (const auto& [key, sign] : {std::pair{"kinetic", 1},
                                  {"potential", 1},
                                  {"dissipated", 1},
                                  {"numerical", 1},
                                  {"input", -1},
                                  {"energy_residual", -1}})
    sum += sign * json.at(key).get<double>();
  CHECK(std::abs(sum - 35000 * 0.625) <= 1e-9 * 35000);  // what there was at the start
  CHECK(json.at("dissipated_by_impacts") == 0);
}
