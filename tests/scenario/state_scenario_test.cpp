// [law] lugre and elastic with rk4 and adaptive: what such files give, and what wrong ones say.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/csv.hpp"
#include "slipset/io/files.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/systems/column_unit.hpp"
#include "tests/scenario/scenario_file.hpp"

using namespace slipset;

namespace {

class File : public test::ScenarioFile {
 public:
  using ScenarioFile::ScenarioFile;
  RunSetup read() const { return std::get<RunSetup>(read_any_run(scenario()).scenario); }
  Run run() const { return run_with_checkpoints(read(), std::nullopt, nullptr, {}).simulation.value(); }
  std::string error() const { return ScenarioFile::error(read_any_run); }
};

File belt(const std::string& law, const std::string& integrator,
          const std::string& initial = "position = \"equilibrium\"\n") {
  return File("[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2] }\n" + law +
              "[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 2\nnormal_force = 5\nbelt = { speed = 0.5, "
              "angle = 30 }\n[initial]\n" +
              initial + "[integrator]\nstep = 0.01\nduration = 1\n" + integrator);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("lugre scenario: adaptive is the default; at the equilibrium with steady bristles nothing moves") {
  for (const char* law : {"lugre = { sigma0 = 100 }\n", "lugre = { sigma0 = 100, sigma1 = 0.5, sigma2 = 0.1 }\n"}) {
    const File scenario = belt(law, "");
    const Run run = scenario.run();
    CHECK(run.report.integrator == "bdf");
    CHECK(run.report.law == "lugre");
    CHECK((run.end.q - scenario.read().start.q).norm() < 1e-9);
    const Run unloaded = belt(law, "", "position = \"equilibrium\"\nbristles = \"unloaded\"\n").run();
    CHECK((unloaded.end.q - scenario.read().start.q).norm() > 1e-4);
    const Run fixed = belt(law, "kind = \"rk4\"\n", "position = \"equilibrium\"\nbristles = \"unloaded\"\n").run();
    CHECK((unloaded.end.q - fixed.end.q).norm() < 1e-4);
    CHECK(run_json(run)["report"]["law"] == "lugre");
    CHECK(!run_json(run)["report"].contains("balance"));
    CHECK(holds(run_text(run), "contact states    lugre, bdf"));
    const std::size_t z = run.table.column("contact.deflection_1");
    CHECK(std::abs(run.table.rows().back()[z]) > 1e-4);
    CHECK(column_unit("contact.deflection_1") == "m");
    CHECK(holds(csv_text(run.table), "input,numerical,contact.deflection_1,contact.deflection_2\n"));
  }
}

TEST_CASE("elastic scenario: rk4 and adaptive agree with each other, and moreau with them") {
  const char* law = "elastic = { stiffness = [200, 100], angle = 20 }\n";
  const char* initial = "position = [0.5, -0.3]\nvelocity = [1, 1]\n";
  const Run adaptive = belt(law, "kind = \"adaptive\"\n", initial).run(),
            rk4 = belt(law, "kind = \"rk4\"\n", initial).run(), moreau = belt(law, "", initial).run();
  CHECK(moreau.report.integrator == "moreau");
  CHECK((adaptive.end.q - rk4.end.q).norm() < 1e-4);
  CHECK((adaptive.end.q - moreau.end.q).norm() < 5e-2);
  CHECK(run_json(adaptive)["report"]["switches"] == adaptive.report.switches);
  CHECK(adaptive.report.switches > 0);
  CHECK(holds(run_text(adaptive), "contact states    elastic, bdf"));
}

TEST_CASE("wrong files with states say what is wrong") {
  const std::string lugre = "lugre = { sigma0 = 100 }\n", elastic = "elastic = { stiffness = [200, 100] }\n";
  CHECK(holds(belt(lugre, "kind = \"moreau\"\n").error(), ":3:9: law.lugre: moreau has no bristles"));
  CHECK(holds(belt(lugre, "kind = \"event-driven\"\n").error(), ":3:9: law.lugre: event-driven has no bristles"));
  CHECK(holds(belt(lugre + "regularize = { kind = \"quinn\", epsilon = 0.01 }\n", "").error(),
              ":3:9: law.lugre: cannot be combined with regularize"));
  CHECK(holds(belt(lugre + elastic, "").error(), ":3:9: law.lugre: cannot be combined with elastic"));
  CHECK(
      holds(belt(elastic, "kind = \"event-driven\"\n").error(), ":3:11: law.elastic: event-driven has rigid contacts"));
  CHECK(holds(belt(elastic + "stribeck = { static = 1.5, velocity = 1 }\n", "kind = \"rk4\"\n").error(),
              "law.stribeck: the rate form"));
  CHECK(holds(belt(elastic, "kind = \"rk4\"\nuntil = \"stick\"\n").error(), "integrator.until: rk4 and adaptive run"));
  CHECK(holds(belt(lugre, "balance = \"partition\"\n").error(), "integrator.balance: is for regularised laws only"));
  CHECK(holds(belt(lugre, "", "bristles = \"bent\"\n").error(), "initial.bristles: found \"bent\""));
  const std::string ball =
      "[law]\nreservoir = { shape = \"disk\", radius = 0.4 }\n" + lugre +
      "[system]\nkind = \"ball-on-plane\"\nmass = 1\nradius = 0.1\n[integrator]\nstep = 0.01\nduration = 1\n";
  CHECK(holds(File(ball).error(), ":3:9: law.lugre: contact \""));
  CHECK(holds(File(ball).error(), "can open"));
}
