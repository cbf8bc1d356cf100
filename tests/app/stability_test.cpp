// slipset stability and slipset cycle as people use them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

const std::string kScenarios = SLIPSET_SOURCE "/examples/scenarios/";

constexpr const char* kBelt = R"([law]
reservoir = { shape = "ellipse", semi_axes = [30, 10], angle = 30 }
direction = { shape = "ellipse", semi_axes = [3, 1] }
[system]
kind = "mass-on-belt"
mass = 1
stiffness = 1
normal_force = 1
belt = { speed = 1, angle = 50 }
)";

}  // namespace

TEST_CASE("slipset stability: the stable keys of the JSON, critical angles to 1e-10") {
  const TemporaryFolder folder;
  write_file(folder.path() / "belt.toml", std::string(kBelt) +
                                              "[sweep]\nparameter = \"system.belt.angle\"\nfrom = 0\nto = 180\ncount = "
                                              "46\n");
  const Ran ran = run_program("stability belt.toml --json", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  const Json json = Json::parse(ran.out);
  CHECK(json.at("stable") == false);
  CHECK(json.at("tangent_cone") == true);
  CHECK(std::abs(json.at("equilibrium")[0].get<double>() - 20.2015502054) < 1e-10);
  CHECK(std::abs(json.at("slip_velocity")[1].get<double>() + 0.766044443118978) < 1e-14);
  CHECK(json.at("eigenvalues").size() == 4);
  CHECK(std::abs(json.at("eigenvalues")[0][0].get<double>() - 0.3819273741938) < 1e-13);
  CHECK(json.at("damping_matrix").size() == 2);
  REQUIRE(json.at("critical").size() == 2);
  const Json first = json.at("critical")[0];
  CHECK(first.at("parameter") == "system.belt.angle");
  CHECK(std::abs(first.at("value").get<double>() - 44.105834691474) < 1e-10);
  CHECK(first.at("from") == "stable");
  CHECK(first.at("to") == "unstable");
  CHECK(run_program("stability belt.toml --json --threads 1", folder.path()).out == ran.out);
}

TEST_CASE("slipset stability leaves pictures and tables, for a map, too") {
  const TemporaryFolder folder;
  write_file(folder.path() / "map.toml",
             std::string(kBelt) +
                 "[sweep]\nparameter = \"system.belt.angle\"\nfrom = 30\nto = 90\ncount = 7\nsecond = { parameter = "
                 "\"law.reservoir.angle\", from = 20, to = 40, count = 3 }\n");
  const Ran ran = run_program("stability map.toml --out there", folder.path());
  CHECK(ran.exit_code == 0);
  for (const char* file : {"stability.json", "eigenvalues.png", "map.png", "boundary.csv", "map.csv"})
    CHECK(std::filesystem::exists(folder.path() / "there" / file));
  const Json json = Json::parse(read_file(folder.path() / "there" / "stability.json"));
  CHECK(json.at("map").at("boundary").size() == 6);
}

TEST_CASE("slipset stability: mistakes have a place and a remedy") {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& text) {
    write_file(folder.path() / "bad.toml", text);
    const Ran ran = run_program("stability bad.toml", folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    return ran.err;
  };
  const std::string sweep = std::string(kBelt) + "[sweep]\nfrom = 0\nto = 1\ncount = 5\nparameter = ";
  CHECK(told(sweep + "\"system.belt.angel\"\n")
            .find("bad.toml:14:13: sweep.parameter: \"system.belt.angel\" is not in this file") != std::string::npos);
  CHECK(told(sweep + "\"system.kind\"\n").find("is not a number") != std::string::npos);
  CHECK(told(sweep + "\"system.mass\"\n").find("expected a number above 0") != std::string::npos);
  CHECK(told("[law]\nreservoir = { shape = \"disk\", radius = 1 }\n").find("system: missing") != std::string::npos);
  std::string still = kBelt;
  still.replace(still.find("speed = 1"), 9, "speed = 0");
  CHECK(told(still).find("stands still") != std::string::npos);
  std::string free = kBelt;
  free.replace(free.find("stiffness = 1"), 13, "stiffness = 0");
  write_file(folder.path() / "free.toml", free);
  const Ran not_found = run_program("stability free.toml --json", folder.path());
  CHECK(not_found.exit_code == 3);
  CHECK(Json::parse(not_found.out).at("report").at("converged") == false);
}

TEST_CASE("slipset cycle: the stable keys of the JSON") {
  const TemporaryFolder folder;
  const Ran ran = run_program("cycle '" + kScenarios + "belt-limit-cycle.toml' --json", folder.path());
  CHECK(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(std::abs(json.at("period").get<double>() - 28.70344934) < 1e-8);
  CHECK(std::abs(json.at("stick_time").get<double>() - 19.77433349) < 1e-8);
  CHECK(std::abs(json.at("stick_fraction").get<double>() - 19.77433349 / 28.70344934) < 1e-9);
  CHECK(std::abs(json.at("multipliers")[0].get<double>() + 0.6152398) < 1e-6);
  CHECK(json.at("stable") == true);
  CHECK(std::abs(json.at("min")[1].get<double>() + 4.14768919) < 1e-8);
  CHECK(std::abs(json.at("max")[0].get<double>() - 26.91789711) < 1e-8);
  // Without [initial] and [integrator] the frequencies of steady sliding choose them.
  write_file(folder.path() / "belt.toml", kBelt);
  const Ran own = run_program("cycle belt.toml --out there", folder.path());
  CHECK(own.exit_code == 0);
  CHECK(own.out.find("28.70344934") != std::string::npos);
  CHECK(std::filesystem::exists(folder.path() / "there" / "cycle.png"));
}

TEST_CASE("slipset cycle with [sweep]: branches, their files and keys") {
  const TemporaryFolder folder;
  const std::string sweep = std::string(kBelt) + "[sweep]\nparameter = \"system.belt.speed\"\nfrom = 14\nto = ";
  write_file(folder.path() / "branches.toml", sweep + "14.82\ncount = 2\nstarts = 1\n");
  const Ran ran = run_program("cycle branches.toml --quiet --out there", folder.path());
  CHECK(ran.exit_code == 0);
  for (const char* file : {"branches.json", "branches.csv", "simulations.csv", "branches.png", "branches.gp"})
    CHECK(std::filesystem::exists(folder.path() / "there" / file));
  const Json json = Json::parse(read_file(folder.path() / "there" / "branches.json"));
  CHECK(json.at("found") == true);
  CHECK(json.at("branches")[0].at("kind") == "stick and slip");
  REQUIRE(!json.at("events").empty());
  CHECK(json.at("events")[0].at("kind") == "stick vanishes");
  CHECK(std::abs(json.at("events")[0].at("value").get<double>() - 14.8180205) < 1e-5);
  CHECK(json.at("simulations").at("count") == 2);

  const auto told = [&](const std::string& text) {
    write_file(folder.path() / "bad.toml", text);
    const Ran bad = run_program("cycle bad.toml", folder.path());
    CHECK(bad.exit_code == 2);
    return bad.err;
  };
  CHECK(told(sweep + "14\ncount = 2\n").find("sweep.to: the same as from") != std::string::npos);
  CHECK(told(sweep + "15\ncount = 2\nsecond = 1\n").find("sweep.second: unknown key") != std::string::npos);
  CHECK(told(sweep + "15\ncount = 2\nstarts = 0\n").find("sweep.starts") != std::string::npos);
}

TEST_CASE("slipset stability: Painlevé's paradox is said") {
  const TemporaryFolder folder;
  write_file(folder.path() / "rod.toml",
             "[law]\nreservoir = { shape = \"disk\", radius = 1.8 }\n[system]\nkind = "
             "\"frictional-impact-oscillator\"\nbelt_speed = 1\n");
  const Ran ran = run_program("stability rod.toml --json", folder.path());
  CHECK(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("painleve") == true);
  CHECK(json.at("stable") == false);
  CHECK(run_program("stability rod.toml --out there", folder.path()).out.find("not unique (Painlevé)") !=
        std::string::npos);
}
