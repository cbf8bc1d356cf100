// [law] regularize with rk4 and adaptive for systems in the plane: what such files give, and what wrong ones say.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/files.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr const char* kQuinn = "regularize = { kind = \"quinn\", epsilon = 0.01 }\n";

class File : public test::ScenarioFile {
 public:
  using ScenarioFile::ScenarioFile;
  RunSetup read() const { return std::get<RunSetup>(read_any_run(scenario()).scenario); }
  Run run() const { return run_with_checkpoints(read(), std::nullopt, nullptr, {}).simulation.value(); }
  std::string error() const { return ScenarioFile::error(read_any_run); }
};

File sliding(const std::string& law, const std::string& integrator) {
  return File("[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2] }\n" + law +
              "[system]\nkind = \"sliding-body\"\nmass = 1\n[initial]\nvelocity = [1.4142135623730951, "
              "1.4142135623730951]\n[integrator]\nstep = 1e-3\n" +
              integrator);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("regularised scenario: every law and integrator brings the sliding body to its end point") {
  for (const char* kind : {"quinn", "martins-oden", "arctan"})
    for (const char* integrator :
         {"kind = \"rk4\"\n", "", "kind = \"adaptive\"\n", "kind = \"adaptive\"\nmethod = \"adams\"\n",
          "kind = \"adaptive\"\nmethod = \"erk\"\nrelative_tolerance = 1e-6\n"}) {
      const Run run = sliding(fmt::format("regularize = {{ kind = \"{}\", epsilon = 0.01 }}\n", kind),
                              std::string(integrator) + "duration = 2\n")
                          .run();
      CAPTURE(kind);
      CAPTURE(run.report.integrator);
      const double tolerance = kind == std::string("arctan") ? 2e-2 : 1e-4;  // the limit: values.md, event-driven
      CHECK(std::abs(run.end.q[0] - 0.3341461404) < tolerance);
      CHECK(std::abs(run.end.q[1] - 0.6952984005) < tolerance);
      CHECK(run.report.law == kind);
      CHECK(run.stop_time.has_value());
    }
  CHECK(sliding("regularize = { kind = \"karnopp\", epsilon = 0.01 }\n", "band = \"frozen\"\nduration = 2\n")
            .run()
            .end.q[1] == near(0.6952984005, 1e-3));
  CHECK(sliding("regularize = { kind = \"sign\" }\n", "duration = 0.5\n").run().report.law == "sign");
}

TEST_CASE("regularised scenario: report, width, warning, rows") {
  const Run run =
      sliding("regularize = { kind = \"quinn\", epsilon = 1e-4, width = \"half\" }\n", "duration = 0.1\n").run();
  const auto json = run_json(run);
  CHECK(json["report"]["integrator"] == "rk4");
  CHECK(json["report"]["law"] == "quinn");
  CHECK(json["report"]["epsilon"] == 1e-4);
  CHECK(std::isnan(json["report"]["tolerance"].get<double>()));  // null in the file
  CHECK(json["report"]["finished"] == true);
  CHECK(json["report"]["evaluations"].get<long>() > 400);
  REQUIRE(json["report"]["warnings"].size() == 1);
  CHECK(holds(json["report"]["warnings"][0], "the guaranteed stability limit of RK4"));
  CHECK(holds(run_text(run), "warning"));
  CHECK(run.table.rows().size() == 101);
  // Without regularize the report has none of it.
  CHECK(!run_json(sliding("", "duration = 0.1\n").run())["report"].contains("law"));
  CHECK(run_json(sliding("", "duration = 0.1\n").run())["report"]["integrator"] == "moreau");
  CHECK(run_json(sliding("", "kind = \"event-driven\"\nduration = 0.1\n").run())["report"]["integrator"] ==
        "event-driven");
}

TEST_CASE("regularised scenario: combinations that make no sense are reported, with their place") {
  CHECK(holds(sliding("", "kind = \"rk4\"\nduration = 1\n").error(),
              "rk4 needs friction that is a function of the state"));
  CHECK(holds(sliding("", "kind = \"adaptive\"\nduration = 1\n").error(),
              "adaptive needs friction that is a function of the state"));
  CHECK(holds(sliding(kQuinn, "kind = \"moreau\"\nduration = 1\n").error(), ":3:14: law.regularize: moreau solves"));
  CHECK(holds(sliding(kQuinn, "kind = \"event-driven\"\nduration = 1\n").error(), "event-driven solves"));
  CHECK(holds(sliding(kQuinn, "method = \"bdf\"\nduration = 1\n").error(), "for kind = \"adaptive\" only"));
  CHECK(holds(sliding("", "balance = \"partition\"\nduration = 1\n").error(), "for regularised laws only"));
  CHECK(holds(sliding(kQuinn, "until = \"stick\"\nduration = 1\n").error(), "only in the limit"));
  CHECK(holds(sliding(kQuinn, "band = \"frozen\"\nduration = 1\n").error(), "only the law karnopp"));
  CHECK(holds(sliding(kQuinn, "kind = \"adaptive\"\nmethod = \"bfd\"\nduration = 1\n").error(), "bdf"));
  for (const char* epsilon : {"0", "-1", "nan", "\"x\""})
    CHECK(holds(
        sliding(fmt::format("regularize = {{ kind = \"quinn\", epsilon = {} }}\n", epsilon), "duration = 1\n").error(),
        "law.regularize.epsilon"));
  CHECK(holds(sliding("regularize = { kind = \"quinn\" }\n", "duration = 1\n").error(), "epsilon"));
  const std::string opens =
      "[law]\nreservoir = { shape = \"disk\", radius = 1 }\n" + std::string(kQuinn) +
      "[system]\nkind = \"linear\"\nM = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nforce = [0, 0, -9.81]\n"
      "contacts = [{ normal = [0, 0, 1], tangents = [[1, 0, 0], [0, 1, 0]] }]\n[integrator]\nstep = 1e-3\nduration = "
      "1\n";
  CHECK(holds(File(opens).error(), "can open"));
}

TEST_CASE("regularised scenario: a run cannot be resumed") {
  const RunSetup scenario = sliding(kQuinn, "duration = 1\n").read();
  CHECK_THROWS_AS(run_with_checkpoints(scenario, Checkpoint{}, nullptr, {}), InvalidInput);
}
