// Elastic interfaces from the command line: pulled blocks, runs, calibration, studies.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

const std::string kExamples = SLIPSET_SOURCE "/examples/scenarios/";

std::string pulled(const std::string& path, const std::string& more = "") {
  return "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2] }\nelastic = { stiffness = [1e4, 2e4] }\n"
         "[system]\nkind = \"pulled-block\"\nnormal_force = 10\npath = { " +
         path + " }\n" + more;
}

}  // namespace

TEST_CASE("slipset run of a pulled block: the exact angle of case 4, energy, files") {
  const TemporaryFolder folder;
  const Ran pull = run_program("run '" + kExamples + "pulled-block.toml' --json", folder.path());
  REQUIRE(pull.exit_code == 0);
  const Json json = Json::parse(pull.out);
  CHECK(std::abs(json.at("pull_angle").get<double>() - 42.709) < 0.0005);
  CHECK(std::abs(json.at("energy_residual").get<double>()) < 1e-15);

  const Ran loop = run_program("run '" + kExamples + "rubber-figure-eight.toml' --out loops", folder.path());
  CHECK(loop.exit_code == 0);
  CHECK(loop.err == "");
  for (const char* file : {"run.csv", "run.json", "hysteresis.png", "hysteresis.gp", "force.png"})
    CHECK(std::filesystem::exists(folder.path() / "loops" / file));
  const Json loops = Json::parse(read_file(folder.path() / "loops" / "run.json"));
  CHECK(loops.at("dissipated").get<double>() > 0);
  CHECK(std::abs(loops.at("energy_residual").get<double>()) < 1e-12 * loops.at("work").get<double>());
}

TEST_CASE("slipset run of a pulled block: errors have their place, exit code 2") {
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> wrong[] = {
      {pulled("kind = \"spiral\""), "system.path.kind: found \"spiral\""},
      {pulled("kind = \"circle\""), "system.path.radius: missing"},
      {pulled("kind = \"circle\", radius = -1"), "system.path.radius: found -1"},
      {pulled("kind = \"line\", distance = 1, cycles = 2"), "system.path.cycles: unknown key"},
      {pulled("kind = \"pull\", distance = 1, angle = 3"),
       "system.path.angle: unknown key; allowed: kind, distance, increments"},
      {pulled("kind = \"pull\", distance = 1", "speed = 1\n"), "system.speed: unknown key"},
      {pulled("kind = \"pull\", distance = 1", "[integrator]\nstep = 1\n"),
       "integrator: [system] kind = \"pulled-block\" does not have this table"},
      {"[law]\nreservoir = { shape = \"disk\", radius = 1 }\n[system]\nkind = \"pulled-block\"\nnormal_force = 1\n",
       "law.elastic: missing"}};
  for (const auto& [text, message] : wrong) {
    write_file(folder.path() / "wrong.toml", text);
    const Ran ran = run_program("run wrong.toml", folder.path());
    INFO(text, ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find(message) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "out"));
  }
}

TEST_CASE("[law] elastic runs with moreau, in any system; not event-driven") {
  const TemporaryFolder folder;
  const std::string text =
      "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2] }\nelastic = { stiffness = [1e9, 2e9] }\n"
      "[system]\nkind = \"sliding-body\"\nmass = 2\n[initial]\nvelocity = [1, 1]\n[integrator]\nstep = 1e-3\nduration "
      "= 0.2\n";
  write_file(folder.path() / "stiff.toml", text);
  std::string rigid = text;
  rigid.erase(rigid.find("elastic"), rigid.find("[system]") - rigid.find("elastic"));
  write_file(folder.path() / "rigid.toml", rigid);
  const Ran a = run_program("run stiff.toml --json", folder.path()),
            b = run_program("run rigid.toml --json", folder.path());
  REQUIRE(a.exit_code == 0);
  REQUIRE(b.exit_code == 0);
  const Json x = Json::parse(a.out).at("position"), y = Json::parse(b.out).at("position");
  for (std::size_t k = 0; k < 2; ++k) CHECK(std::abs(x[k].get<double>() - y[k].get<double>()) < 1e-6);
  write_file(folder.path() / "events.toml", text + "kind = \"event-driven\"\n");
  const Ran c = run_program("run events.toml", folder.path());
  CHECK(c.exit_code == 2);
  CHECK(c.err.find("law.elastic: event-driven has rigid contacts") != std::string::npos);
}

TEST_CASE("slipset identify: the ratio with its interval, what cannot be told, bad data") {
  const TemporaryFolder folder;
  std::string table = "phi,alpha\n";
  const double r = 0.8, kRadian = 3.14159265358979323846 / 180;
  for (int alpha = 10; alpha < 90; alpha += 10) {
    const double s = std::sin(alpha * kRadian), c = std::cos(alpha * kRadian);
    const double phi =
        std::atan((1 - r * r) * s * c / (r * r * c * c + s * s)) / kRadian + (alpha % 20 == 0 ? 0.2 : -0.2);
    table += std::to_string(phi) + "," + std::to_string(alpha) + "\n";
  }
  write_file(folder.path() / "angles.csv", table);
  const Ran ran =
      run_program("identify angles.csv --model elastic-interface --friction 0.408,0.625 --json", folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json json = Json::parse(ran.out), ratio = json.at("lambda_ratio");
  CHECK(std::abs(ratio.at("value").get<double>() - r) < 0.01);
  CHECK(ratio.at("interval_95")[0].get<double>() < r);
  CHECK(ratio.at("interval_95")[1].get<double>() > r);
  CHECK(std::abs(json.at("stiffness_ratio").get<double>() / ratio.at("value").get<double>() - 0.625 / 0.408) < 1e-12);
  CHECK(json.at("identifiable").at("lambda_ratio") == true);
  CHECK(json.at("identifiable").at("lambda1") == false);
  CHECK(json.at("identifiable").at("why").get<std::string>().find("only the ratio") != std::string::npos);

  write_file(folder.path() / "flat.csv", "0,0.1\n90,0.2\n");
  CHECK(run_program("identify flat.csv --model elastic-interface", folder.path()).exit_code == 1);
  for (const char* bad : {"10,x\n", "10\n20\n", "10,95\n", "", "alpha,phi\n"}) {
    write_file(folder.path() / "bad.csv", bad);
    const Ran wrong = run_program("identify bad.csv --model elastic-interface", folder.path());
    INFO(bad, wrong.err);
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err.find("bad.csv") != std::string::npos);
    CHECK(wrong.out == "");
  }
  CHECK(run_program("identify missing.csv --model elastic-interface", folder.path()).exit_code == 2);
  CHECK(run_program("identify angles.csv --model rubber", folder.path()).exit_code == 2);
  CHECK(run_program("identify angles.csv --model elastic-interface --friction 0,1", folder.path()).exit_code == 2);
}
