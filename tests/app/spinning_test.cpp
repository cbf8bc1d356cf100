// Drilling and rolling friction from the command line.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

TEST_CASE("slipset run of spinning bodies: both examples stop, with exact energy and all files") {
  const TemporaryFolder folder;
  for (const std::string name : {"sliding-and-spinning", "spinning-ball"}) {
    const Ran ran = run_program("run '" SLIPSET_SOURCE "/examples/scenarios/" + name + ".toml' --json --out " + name,
                                folder.path());
    INFO(name, ran.err);
    REQUIRE(ran.exit_code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("stop_time").is_number());
    CHECK(std::abs(json.at("energy_residual").get<double>()) < 1e-12);
    CHECK(json.at("report").at("not_converged") == 0);
    for (const char* file : {"run.csv", "run.json", "path.gp", "force.gp", "time.gp"})
      CHECK(std::filesystem::exists(folder.path() / name / file));
  }
  const Ran resumed =
      run_program("run '" SLIPSET_SOURCE "/examples/scenarios/spinning-ball.toml' --resume", folder.path());
  CHECK(resumed.exit_code == 0);
  CHECK(resumed.err.find("no checkpoint in out/spinning-ball") != std::string::npos);
}
