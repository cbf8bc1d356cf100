// --set KEY=VALUE, and several laws in one picture.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kBody = R"(title = "a body"
[law]
reservoir = { shape = "ellipse", semi_axes = [0.3, 0.2] }
[system]
kind = "sliding-body"
mass = 1
[initial]
velocity = [2, 0]
[integrator]
kind = "event-driven"
step = 0.01
until = "stick"
)";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("--set changes a run as the same line in the file would, and is in the results") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.toml", kBody);
  const auto stop = [&](const std::string& sets) {
    const Ran ran = run_program("run a.toml --json " + sets, folder.path());
    INFO(sets, ran.err);
    CHECK(ran.exit_code == 0);
    return Json::parse(ran.out);
  };
  // v/(μ g) along the first axis.
  const auto expected = [](double v, double mu, double g) { return v / (mu * g); };
  CHECK(std::abs(stop("").at("stop_time").get<double>() - expected(2, 0.3, 9.81)) < 1e-9);
  CHECK_FALSE(stop("").contains("set"));
  const Json changed =
      stop("--set law.reservoir.semi_axes[0]=0.5 --set system.gravity=2 --set 'initial.velocity=[1, 0]'");
  CHECK(std::abs(changed.at("stop_time").get<double>() - expected(1, 0.5, 2)) < 1e-9);
  CHECK(changed.at("set") == Json({"law.reservoir.semi_axes[0]=0.5", "system.gravity=2", "initial.velocity=[1, 0]"}));
  // A table, a word without quotes, a file name before and after; the later of two wins.
  CHECK(std::abs(stop("--set 'law.reservoir={shape=\"disk\",radius=0.4}' --set integrator.kind=event-driven --set "
                      "system.mass=7 --set law.reservoir.radius=0.1")
                     .at("stop_time")
                     .get<double>() -
                 expected(2, 0.1, 9.81)) < 1e-9);
  CHECK(run_program("run --set system.mass=2 a.toml --json", folder.path()).exit_code == 0);
  CHECK(has(run_program("run a.toml --set system.mass=2", folder.path()).out, "set by --set: system.mass=2"));
}

TEST_CASE("--set obeys the checks of the file, and says where the value is from") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.toml", kBody);
  const std::pair<const char*, const char*> rows[] = {
      {"run --set system.mass=-1", "--set system.mass=-1: system.mass: found -1; expected a number above 0"},
      {"run --set system.masss=1", "--set system.masss=1: system.masss: unknown key; did you mean \"mass\"?"},
      {"run --set sistem.mass=1", "--set sistem.mass=1: sistem: unknown key; did you mean \"system\"?"},
      {"run --set system.mass", "--set system.mass: expected KEY=VALUE"},
      {"run --set system.mass=", "--set system.mass=: not a value of TOML"},
      {"run --set 'system.mass=1 2'", "not a value of TOML"},
      {"run --set system..mass=1", "--set system..mass=1: \"system..mass\" is no dotted key"},
      {"run --set law.reservoir.semi_axes[2]=1", "there is no such value in the file"},
      {"run --set title.x=1", "there is no such value in the file"},
      {"run --set integrator.kind=euler", "integrator.kind: found \"euler\""},
      {"run --set sweep.count=3", "this command does not read sweep"},
      {"law --set system.mass=3", "this command does not read system"},
      {"law --set law.reservoir.semi_axes=3", "law.reservoir.semi_axes: found 3; expected two numbers"},
      {"stability --set initial.velocity=3", "this command does not read initial"},
      {"cycle --set output.every=3", "this command does not read output"}};
  for (const auto& [command, why] : rows) {
    const std::string all = command, name = all.substr(0, all.find(' '));
    CAPTURE(all);
    const Ran ran = run_program(name + " a.toml" + all.substr(name.size()), folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    INFO(ran.err);
    CHECK(has(ran.err, why));
  }
  const Ran newline = run_program("run a.toml --set \"system.mass=1\nx=2\"", folder.path());
  CHECK(newline.exit_code == 2);
}

TEST_CASE("--set is part of what a checkpoint belongs to, and of the scenario kept in run.h5") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.toml", kBody);
  const Ran ran = run_program(
      "run a.toml --out there --set system.mass=3.25 --set 'output.formats=[\"hdf5\"]' --set integrator.kind=moreau",
      folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(has(read_file(folder.path() / "there" / "run.h5"), "mass = 3.25"));
}

TEST_CASE("several laws: one picture, one JSON") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.toml", kBody);
  write_file(folder.path() / "b.toml",
             "title = \"it's {b}_2\"\n[law]\nreservoir = { shape = \"disk\", radius = 0.4 }\n");
  const Ran ran = run_program("law a.toml b.toml", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  CHECK(has(ran.out, "a body (a.toml)"));
  CHECK(has(ran.out, "it's {b}_2 (b.toml)"));
  for (const char* file : {"laws.png", "laws.gp", "laws.json"})
    CHECK(fs::exists(folder.path() / "out" / "laws" / file));
  const Json json = Json::parse(run_program("law a.toml b.toml --json", folder.path()).out);
  REQUIRE(json.at("laws").size() == 2);
  Json alone = Json::parse(run_program("law b.toml --json", folder.path()).out);
  alone["file"] = "b.toml";
  alone.erase("files");
  CHECK((json.at("laws")[1] == alone));
  CHECK(run_program("law a.toml none.toml", folder.path()).exit_code == 2);
}
