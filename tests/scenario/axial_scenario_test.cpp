// Scenario files of systems along one line: what they give, and what wrong ones say.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/files.hpp"
#include "slipset/report/axial_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr const char* kOscillator = "[system]\nkind = \"forced-oscillator\"\nfriction_limit = 1\n";
constexpr const char* kQuinn = "[law]\nregularize = { kind = \"quinn\", epsilon = 0.02 }\n";

class File : public test::ScenarioFile {
 public:
  using ScenarioFile::ScenarioFile;
  RunSetup read() const { return std::get<RunSetup>(read_any_run(scenario()).scenario); }
  std::string error() const { return ScenarioFile::error(read_any_run); }
};

Run run_of(const RunSetup& s) { return simulate(*s.system, s.start, s.integrator, s.options); }

std::string oscillator(const std::string& law, const std::string& integrator, const std::string& more = "") {
  return law + kOscillator + more + "[initial]\nposition = [2.75]\n[integrator]\n" + integrator;
}

}  // namespace

TEST_CASE("line scenario: the oscillator by every integrator") {
  const std::string steps = "step = 0.01\nduration = 20\n";
  const auto end = [&](const std::string& law, const std::string& kind) {
    return run_of(File(oscillator(law, steps + kind)).read());
  };
  CHECK(end(kQuinn, "").end.q[0] == near(-0.7503523915884, 1e-12));
  CHECK(end(kQuinn, "").report.integrator == "rk4");
  CHECK(end("[law]\nregularize = { kind = \"quinn\", epsilon = 0.02, width = \"half\" }\n", "").end.q[0] ==
        near(-0.7500899237341, 1e-12));
  const Run exact = end("", "");
  CHECK(exact.report.integrator == "event-driven");
  CHECK(exact.end.q[0] == near(-0.75, 1e-14));
  CHECK(exact.stop_time.value() == near(3.14159265358979, 1e-14));
  CHECK(end("", "kind = \"moreau\"\n").end.q[0] == near(-0.75, 2e-2));
  for (const char* method : {"bdf", "adams", "erk", "dirk"}) {
    const Run run = end(kQuinn, fmt::format("kind = \"adaptive\"\nmethod = \"{}\"\n", method));
    CHECK(run.report.integrator == method);
    CHECK(run.end.q[0] == near(-0.75, 1e-3));
  }
  const Run frozen = end("[law]\nregularize = { kind = \"karnopp\", epsilon = 0.02 }\n", "band = \"frozen\"\n");
  CHECK(frozen.end.q[0] == near(-0.75, 1e-3));
  // Sign needs no epsilon.
  CHECK(end("[law]\nregularize = { kind = \"sign\" }\n", "").end.q[0] == near(-0.70170544, 1e-8));
}

TEST_CASE("line scenario: cycles, rows, report") {
  const RunSetup s = File(std::string("[system]\nkind = \"chain\"\nblocks = 32\nforcing = { amplitude = 0.25, "
                                      "frequency = 0.5 }\n[integrator]\nstep = 0.1\ncycles = 2\n[output]\nevery = 4\n"))
                         .read();
  const Run run = run_of(s);
  const auto json = axial_json(run);
  CHECK(json["cycle_dissipation"].size() == 2);
  CHECK(json["cycle_dissipation"][1].get<double>() == near(0.01049622497363, 1e-11));
  CHECK(json["report"]["finished"] == true);
  CHECK(json["report"]["epsilon"].is_null());
  CHECK(json["events"].size() > 10);
  CHECK(run.table.rows()[1][0] == near(0.4, 1e-12));
  CHECK(axial_text(run).find("last cycle") != std::string::npos);
  // A step beyond stability ends the run, and both reports say why.
  const Run lost =
      run_of(File(std::string(kQuinn) + "[system]\nkind = \"chain\"\nblocks = 1000\nforcing = { amplitude = 0.25, "
                                        "frequency = 0.5 }\n[integrator]\nstep = 0.01\nduration = 20\n")
                 .read());
  CHECK(axial_json(lost)["report"]["finished"] == false);
  CHECK(axial_json(lost)["report"]["warnings"].size() >= 1);
  CHECK(axial_text(lost).find("the guaranteed stability limit of RK4") != std::string::npos);
}

TEST_CASE("line scenario: two blocks and the pulled block") {
  const RunSetup two = File(
                           "[system]\nkind = \"two-blocks\"\nstiffness_ratio = 2\nfriction_limits = [1, 0.25]\n"
                           "drive = { amplitude = 1, frequency = 0.5 }\n[integrator]\nstep = 5\nduration = 20\n")
                           .read();
  CHECK(run_of(two).end.q[1] == near(0.038214793714, 1e-10));
  const RunSetup slider =
      File(
          "[system]\nkind = \"spring-slider\"\nmass = 1\nstiffness = 1\nfriction_limit = 1\nstatic_limit = 1.5\n"
          "speed = 0.2\n[integrator]\nstep = 0.1\nduration = 40\n")
          .read();
  CHECK(run_of(slider).report.events == 8);
}

TEST_CASE("line scenario: wrong files") {
  const std::string run = "step = 0.01\nduration = 1\n";
  const auto law = [&](const char* regularize) {
    return File(oscillator(fmt::format("[law]\nregularize = {}\n", regularize), run)).error();
  };
  CHECK(law("{ kind = \"quinn\", epsilon = 0 }") ==
        ":2:42: law.regularize.epsilon: found 0; expected a number above 0");
  CHECK(law("{ kind = \"quinn\", epsilon = -1 }").find("law.regularize.epsilon: found -1") != std::string::npos);
  CHECK(law("{ kind = \"quinn\" }").find("law.regularize.epsilon: missing") != std::string::npos);
  CHECK(law("{ kind = \"quin\", epsilon = 1 }").find("did you mean \"quinn\"?") != std::string::npos);
  CHECK(law("{ kind = \"quinn\", epsilon = 1, width = \"wide\" }").find("allowed: full, half") != std::string::npos);
  const auto wrong = [&](const std::string& text, const char* message) {
    const std::string error = File(text).error();
    CHECK_MESSAGE(error.find(message) != std::string::npos, error);
  };
  wrong(oscillator("[law]\nreservoir = { shape = \"disk\", radius = 1 }\n", run), "has its friction limit in [system]");
  wrong(oscillator("", run + "kind = \"rk4\"\n"), "rk4 needs friction that is a function of the state");
  wrong(oscillator(kQuinn, run + "kind = \"event-driven\"\n"), "event-driven solves Coulomb's law as it is");
  wrong(oscillator(kQuinn, run + "kind = \"moreau\"\n"), "moreau solves Coulomb's law as it is");
  wrong(oscillator(kQuinn, run + "method = \"bdf\"\n"), "integrator.method: is for kind = \"adaptive\" only");
  wrong(oscillator(kQuinn, run + "band = \"frozen\"\n"), "only the law karnopp");
  wrong(oscillator(kQuinn, run + "until = \"stick\"\n"),
        "integrator.until: a regularised law comes to rest only in the limit");
  wrong(oscillator(kQuinn, run + "cycles = 3\n"), "either cycles or duration");
  wrong(oscillator("", "step = 0.01\ncycles = 3\n"), "not forced by a sine");
  wrong(oscillator("", "step = 1e-12\nduration = 100\n"), "more than 1e9 steps");
  wrong(oscillator(kQuinn, run, "static_limit = 2\n"), "only kind = \"event-driven\" supports a static limit");
  wrong(oscillator("", run, "static_limit = 0.5\n"), "it must be at least friction_limit");
  wrong(oscillator("", run, "mas = 1\n"), "did you mean \"mass\"?");
  wrong("[system]\nkind = \"forced-oscillator\"\n[integrator]\n" + run, "system.friction_limit: missing");
  wrong("[system]\nkind = \"chain\"\nblocks = 1\n[integrator]\n" + run, "expected a whole number from 2");
  wrong("[system]\nkind = \"forced-oscillator\"\nfriction_limit = -1\n[integrator]\n" + run, "not negative");
  wrong(oscillator("", run) + "[initial2]\n", "unknown key");
  wrong(oscillator("", run) + "[sweep]\nfrom = 1\n",
        "sweep: [system] kind = \"forced-oscillator\" does not have this table");
}
