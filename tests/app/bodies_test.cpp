// slipset run for rigid bodies: the examples, files, saved problems that slipset solve reads back.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "slipset/io/files.hpp"
#include "tests/support/near.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

const std::string kExamples = SLIPSET_SOURCE "/examples/scenarios/";

Json ends_of(const Json& result, const std::string& name) {
  for (const Json& body : result.at("ends"))
    if (body.at("name") == name) return body;
  FAIL("no body " << name);
  return {};
}

}  // namespace

TEST_CASE("the sorting table of the examples parts the parts") {
  const TemporaryFolder folder;
  const Ran ran = run_program("run '" + kExamples + "sorting-table.toml' --json --out table", folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json result = Json::parse(ran.out);
  for (const char* number : {"1", "2", "3"}) {
    CHECK(ends_of(result, std::string("left") + number).at("position")[0].get<double>() < -0.1);
    CHECK(ends_of(result, std::string("right") + number).at("position")[0].get<double>() > 0.1);
  }
  CHECK(std::abs(result.at("energy_residual").get<double>()) < 1e-9);
  CHECK(result.at("input").get<double>() > 0);
  CHECK(result.at("report").at("not_converged") == 0);
  for (const char* file : {"run.csv", "run.json", "path.gp", "snapshots.gp", "time.gp"})
    CHECK(std::filesystem::exists(folder.path() / "table" / file));
}

TEST_CASE("the chute of the examples leads all boxes to one side") {
  const TemporaryFolder folder;
  const Ran ran = run_program("run '" + kExamples + "chute.toml' --json", folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json result = Json::parse(ran.out);
  for (const char* name : {"box1", "box2", "box3", "box4"})
    CHECK(ends_of(result, name).at("position")[1].get<double>() > 0.15);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out"));
}

TEST_CASE("--save-problems: slipset solve reads them and solves them; no other system has them") {
  const TemporaryFolder folder;
  const Ran ran =
      run_program("run '" + kExamples + "box-stack.toml' --json --save-problems saved --every 100", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(Json::parse(ran.out).at("saved_problems") == 6);
  const Ran solved = run_program("solve saved/step-000100.hdf5 saved/step-000600.hdf5 --json", folder.path());
  CHECK(solved.exit_code == 0);
  CHECK(Json::parse(solved.out).at("problems")[0].at("contacts").get<int>() > 20);
  CHECK(run_program("run '" + kExamples + "box-stack.toml' --json --every 100", folder.path()).exit_code == 2);
  const Ran other = run_program("run '" + kExamples + "rolling-ball.toml' --save-problems saved", folder.path());
  CHECK(other.exit_code == 2);
  CHECK(other.err.find("rigid-bodies") != std::string::npos);
  const Ran resumed = run_program("run '" + kExamples + "box-stack.toml' --resume", folder.path());
  CHECK(resumed.exit_code == 0);
  CHECK(resumed.err.find("no checkpoint in out/box-stack; starting from the beginning") != std::string::npos);
  CHECK(run_program("list", folder.path()).out.find("rigid-bodies") != std::string::npos);
}

TEST_CASE(
    "the double pendulum of the examples strikes the ball, which comes back from the wall; joints are not saved") {
  const TemporaryFolder folder;
  const std::string file = "'" + kExamples + "double-pendulum.toml'";
  const Ran ran = run_program("run " + file + " --json", folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json result = Json::parse(ran.out);
  CHECK(result.at("joints").at("number") == 3);
  CHECK(result.at("joints").at("largest_distance").get<double>() < 1e-7);
  CHECK(result.at("joints").at("largest_angle").get<double>() < 1e-7);
  CHECK(result.at("report").at("not_converged") == 0);
  CHECK(ends_of(result, "ball").at("position")[0].get<double>() < -0.3);
  CHECK(result.at("dissipated").get<double>() > 10);
  CHECK(std::abs(result.at("energy_residual").get<double>()) < 0.02);
  const Ran saved = run_program("run " + file + " --save-problems saved", folder.path());
  CHECK(saved.exit_code == 2);
  CHECK(saved.err.find("remove [[joint]]") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "saved"));
}

TEST_CASE("the balls on felt of the examples stop where 7 R v^2/(10 g e) says; their problems are not saved") {
  const TemporaryFolder folder;
  const std::string file = "'" + kExamples + "rolling-marbles.toml'";
  const Ran ran = run_program("run " + file + " --json", folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json result = Json::parse(ran.out);
  const auto way = [](double e) { return 7 * 0.03 * 0.25 / (10 * 9.81 * e); };
  CHECK(ends_of(result, "a").at("position")[0].get<double>() == near(0.1 + way(0.0006), 1e-4));
  CHECK(ends_of(result, "c").at("position")[1].get<double>() == near(0.1 + way(0.0002), 1e-4));
  for (const char* name : {"a", "b", "c", "d", "top"})
    for (const std::size_t k : {0u, 1u, 2u}) {
      CHECK(std::abs(ends_of(result, name).at("velocity")[k].get<double>()) < 1e-9);
      CHECK(std::abs(ends_of(result, name).at("spin")[k].get<double>()) < 1e-9);
    }
  CHECK(result.at("dissipated_by_torques").get<double>() == near(result.at("dissipated").get<double>(), 1e-9));
  CHECK(std::abs(result.at("energy_residual").get<double>()) < 1e-12);
  const Ran saved = run_program("run " + file + " --save-problems saved", folder.path());
  CHECK(saved.exit_code == 2);
  CHECK(saved.err.find("planar laws") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "saved"));
  CHECK(run_program("law " + file, folder.path()).exit_code == 0);
}
