// Scenario files of a spinning-body: laws with drilling and rolling, runs, mistakes with their place.
#include <doctest/doctest.h>

#include "slipset/report/spinning_figures.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/systems/spinning_body.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const std::string kDisk = "reservoir = { shape = \"disk\", radius = 0.3 }\n";

std::string file(const std::string& law, const std::string& shape = "sphere", const std::string& more = "") {
  return "[law]\n" + law + "[system]\nkind = \"spinning-body\"\nshape = \"" + shape +
         "\"\nmass = 0.2\nradius = 0.05\n[integrator]\nstep = 1e-3\nuntil = \"stick\"\n" + more;
}

LawSetup read_law_of(const Scenario& scenario) { return read_law(scenario.root()); }

const SpinningBody& body_of(const RunSetup& s) { return dynamic_cast<const SpinningBody&>(*s.system); }

RunSetup read(const std::string& text) {
  const ScenarioFile scenario(text);
  return std::get<RunSetup>(read_any_run(scenario.scenario()).scenario);
}

}  // namespace

TEST_CASE("spinning-body scenario: the four laws") {
  const RunSetup patch = read(file(kDisk + "patch = { radius = 0.04, pressure = \"ring\" }\nrolling = 0.001\n"));
  CHECK(body_of(patch).law().size() == 5);
  RollingVec spin = RollingVec::Zero(5);
  spin[2] = 1;
  CHECK(body_of(patch).law().support(spin) == near(0.3 * 0.04, 1e-12));
  CHECK(patch.figures.size() == 3);

  const RunSetup product = read(file(
      "reservoir = { shape = \"rectangle\", semi_axes = [0.3, 0.2] }\ndrilling = [0.001, 0.002]\nrolling = { shape = "
      "\"ellipse\", semi_axes = [0.001, 0.0005], angle = 30 }\n"));
  CHECK(body_of(product).law().factors().size() == 3);
  CHECK(body_of(product).law().support(spin) == near(0.002, 1e-12));
  CHECK(body_of(product).law().support(RollingVec(-spin)) == near(0.001, 1e-12));

  const RunSetup ellipsoid = read(
      file("reservoir = { shape = \"ellipse\", semi_axes = [0.3, 0.2] }\ndrilling = 0.001\ncoupling = \"ellipsoid\"\n",
           "disk"));
  CHECK(body_of(ellipsoid).law().size() == 3);
  CHECK(body_of(ellipsoid).law().factors().size() == 1);

  const RunSetup only = read(file("rolling = 0.001\n"));
  CHECK(body_of(only).law().size() == 2);
  CHECK(only.figures == std::vector<std::string>{"path", "time"});
}

TEST_CASE("spinning-body scenario: a run, its columns and its figures") {
  const RunSetup s = read(file(kDisk + "patch = { radius = 0.05 }\n", "disk",
                               "[initial]\nvelocity = [1, 0.5, 30]\n[output]\nevery = 10\n"));
  const Run run = simulate(*s.system, s.start, s.integrator, s.options);
  REQUIRE(run.stop_time);
  CHECK(run.report.not_converged == 0);
  CHECK(std::abs(run.energy.residual()) < 1e-13);
  const Table& table = run.table;
  for (const auto& row : table.rows()) REQUIRE(row.size() == table.names().size());
  // Force and torque of every row while it slips are on the boundary of the reservoir.
  const std::size_t friction = table.column("contact.friction_1"), torque = table.column("contact.drilling_torque");
  for (std::size_t i = 1; i + 1 < table.rows().size(); ++i) {
    const auto& row = table.rows()[i];
    CHECK(body_of(s).law().gauge(-Vec3(row[friction], row[friction + 1], row[torque]) / body_of(s).normal_force()) ==
          near(1, 1e-12));
  }
  const TemporaryFolder folder;
  for (const Figure& figure : {spinning_path_figure(run, s.title), spinning_force_figure(body_of(s), run, s.title),
                               spinning_time_figure(body_of(s), run, s.title)})
    CHECK(figure.save(folder.path()).files.size() >= 2);
}

TEST_CASE("spinning-body scenario: errors have their place and remedy") {
  const std::pair<std::string, std::string> wrong[] = {
      {file(""), ":1:1: law: rolling law: no part"},
      {file("drilling = -1\n"), "law.drilling: found -1"},
      {file("drillin = 1\n"), "unknown key; did you mean"},
      {file(kDisk + "patch = { radius = 0.1, pressure = \"herz\" }\n"), "law.patch.pressure: found \"herz\""},
      {file(kDisk + "patch = { radius = 0 }\n"), "law.patch.radius: found 0"},
      {file(kDisk + "drilling = 0.1\npatch = { radius = 0.1 }\n"), "law.drilling: follows from the patch"},
      {file("patch = { radius = 0.1 }\n"), "a patch needs a reservoir"},
      {file("reservoir = { shape = \"ellipse\", semi_axes = [1, 2] }\npatch = { radius = 0.1 }\n"),
       "law.reservoir: a patch needs"},
      {file("reservoir = { shape = \"rectangle\", semi_axes = [1, 2] }\ncoupling = \"ellipsoid\"\n"),
       "law.reservoir: coupling"},
      {file("reservoir = { shape = \"norm_mix\", semi_axes = [1, 1], weights = [2.5, -1.5] }\n"), "is not convex"},
      {file("rolling = 0.1\n", "disk"), "a disk lies flat"},
      {file("rolling = 0.1\n", "cube"), "system.shape: found \"cube\""},
      {file(kDisk, "disk", "[initial]\nvelocity = [1, 2]\n"), "initial.velocity: found 2 numbers; expected 3"},
      {file(kDisk, "disk", "[output]\nfigures = [\"force\"]\n"), "output.figures"},
      {file(kDisk, "disk", "[sweep]\nfrom = 1\n"),
       "sweep: [system] kind = \"spinning-body\" does not have this table"}};
  for (const auto& [text, message] : wrong) {
    const std::string error = ScenarioFile(text).error(read_any_run);
    INFO(text, error);
    CHECK(error.find(message) != std::string::npos);
  }
  // Other systems do not take these keys in silence; `slipset law` describes the planar part and sets them aside.
  const std::string sliding = "[law]\n" + kDisk + "drilling = 1\n[system]\nkind = \"sliding-body\"\nmass = 1\n";
  CHECK(ScenarioFile(sliding)
            .error(read_law_of)
            .find("law.drilling: only these systems have drilling and rolling friction: spinning-body, rigid-bodies") !=
        std::string::npos);
  const ScenarioFile aside(file(kDisk + "patch = { radius = 0.04 }\nrolling = 0.001\n"));
  CHECK(read_law_of(aside.scenario()).set_aside == std::vector<std::string>{"rolling", "patch"});
  CHECK(ScenarioFile("[law]\n" + kDisk + "rolling = -1\n").error(read_law_of).find("law.rolling: found -1") !=
        std::string::npos);
}
