// `slipset identify` from the command line: record to law, the virtual tribometer, broken files.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

const std::string kSteel = SLIPSET_SOURCE "/examples/scenarios/ground-steel.toml";

}  // namespace

TEST_CASE("slipset identify --simulate: the law comes back, its files are read again") {
  const TemporaryFolder folder;
  const Ran ran =
      run_program("identify --simulate '" + kSteel + "' --samples 720 --revolutions 10 --noise 0.005 --out sim --json",
                  folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("reservoir").at("shape") == "superellipse");
  CHECK(std::abs(json.at("reservoir").at("semi_axes")[0].get<double>() - 4.99 / 9.3) < 2e-3);
  CHECK(json.at("reservoir").at("sigma").at("semi_axes")[0].get<double>() > 0);
  CHECK(json.at("direction").at("sigma").at("exponent").get<double>() > 0);
  CHECK(json.at("associated_p_value").get<double>() < 1e-6);
  CHECK(json.at("convexity").at("convex") == true);
  CHECK(std::abs(json.at("closure").get<double>()) < 0.01);
  for (const char* file : {"signals.csv", "law.toml", "sets.csv", "identify.json", "forces.png", "sets.png", "sets.gp"})
    CHECK(std::filesystem::exists(folder.path() / "sim" / file));
  CHECK(run_program("law sim/law.toml --json", folder.path()).exit_code == 0);

  // The record itself gives the same numbers, also with semicolons, decimal commas, other names and units.
  const Ran again = run_program("identify sim/signals.csv --json", folder.path());
  REQUIRE(again.exit_code == 0);
  // Degrees in the file, radians before: roundings differ.
  const auto closure = [](const Json& j) { return j.at("closure").get<double>(); };
  CHECK(std::abs(closure(Json::parse(again.out)) - closure(json)) < 1e-9);
  std::string text = read_file(folder.path() / "sim" / "signals.csv");
  text = text.substr(text.find('\n') + 1);
  for (char& c : text) c = c == ',' ? ';' : c == '.' ? ',' : c;
  write_file(folder.path() / "german.csv", "Gerät;T-500\nDatum 2020\nWinkel;Fy;Fx;Last\n" + text);
  const Ran german = run_program("identify german.csv --columns normal=Last,angle=Winkel --json", folder.path());
  INFO(german.err);
  REQUIRE(german.exit_code == 0);
  CHECK(closure(Json::parse(german.out)) == closure(Json::parse(again.out)));
}

TEST_CASE("slipset identify: broken records, exit code 2 with what to do, nothing written") {
  const TemporaryFolder folder;
  std::string less, zero, back, good = "angle,tangential,radial,normal\n";
  for (int i = 0; i < 400; ++i) {
    good += std::to_string(i) + ",1.5,0,10\n";
    if (i < 200) less += std::to_string(i) + ",1.5,0,10\n";
    zero += std::to_string(i) + ",1.5,0,0\n";
    back += std::to_string(i < 200 ? i : 400 - i) + ",1.5,0,10\n";
  }
  const std::pair<std::string, std::string> wrong[] = {
      {"", "empty"},
      {"1\n2\n3\n", "no column for tangential"},
      {good + "400,x,0,10\n", "bad.csv:402: not a number in column 2"},
      {back, "not monotone"},
      {less, "less than one"},
      {zero, "normal force is zero"},
      {"a,b,c,d\n1,2,3,4\n2,3,4,5\n", "name it, as in angle=NAME (--columns ROLE=NAME)"}};
  for (const auto& [text, message] : wrong) {
    write_file(folder.path() / "bad.csv", text);
    const Ran ran = run_program("identify bad.csv", folder.path());
    INFO(message, ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find(message) != std::string::npos);
    CHECK(ran.err.find("bad.csv") != std::string::npos);
    CHECK(ran.out == "");
    CHECK_FALSE(std::filesystem::exists(folder.path() / "out"));
  }
  write_file(folder.path() / "good.csv", good);
  CHECK(run_program("identify", folder.path()).exit_code == 2);
  for (const char* options :
       {"--sense 2", "--offset x", "--axes x", "--reservoir oval", "--columns angel=1", "--units force=stone",
        "--lowpass 500", "--model rubber", "--normal-force -1", "--compensation none.csv"}) {
    const Ran ran = run_program(std::string("identify good.csv ") + options, folder.path());
    INFO(options, ran.err);
    CHECK(ran.exit_code == 2);
  }
  CHECK(run_program("identify good.csv --json", folder.path()).exit_code == 0);
}

TEST_CASE("slipset identify: paths, Stribeck curves and stick-slip records") {
  const TemporaryFolder folder;
  std::string path = "time,x,y\n", curve = "velocity [mm/s],friction\n", record = "t,Fnorm\n";
  for (int i = 0; i < 100; ++i) {  // μ = 0.3, 1 m/s along (0.8, 0.6)
    const double t = std::min(0.005 * i, 1 / (0.3 * 9.81)), way = t - 0.3 * 9.81 / 2 * t * t;
    path += std::to_string(0.005 * i) + "," + std::to_string(0.8 * way) + "," + std::to_string(0.6 * way) + "\n";
    const double v = 2 * (i + 1);
    curve += std::to_string(v) + "," + std::to_string(0.3 + 0.1 * std::exp(-v * v / 2500)) + "\n";
  }
  for (int i = 0; i < 4000; ++i)
    record += std::to_string(5e-4 * i) + "," + std::to_string(0.3 + 0.05 * (std::fmod(5e-4 * i, 0.2) / 0.1 - 1)) + "\n";
  write_file(folder.path() / "path.csv", path);
  write_file(folder.path() / "curve.csv", curve);
  write_file(folder.path() / "record.csv", record);
  const Ran p = run_program(
      "identify path.csv --model path --reservoir disk --direction disk --json --law '" + kSteel + "'", folder.path());
  INFO(p.err);
  REQUIRE(p.exit_code == 0);
  const Json paths = Json::parse(p.out);
  CHECK(std::abs(paths.at("fit").at("parameters")[0].at("value").get<double>() - 0.3) < 1e-4);
  CHECK(paths.at("paths")[0].at("laws")[1].at("rms").get<double>() < 1e-3);
  CHECK(paths.at("paths")[0].at("laws")[0].at("rms").get<double>() > 1e-2);
  const Ran c = run_program("identify curve.csv --model stribeck --json", folder.path());
  REQUIRE(c.exit_code == 0);
  CHECK(std::abs(Json::parse(c.out).at("parameters")[2].at("value").get<double>() - 0.05) < 1e-4);
  const Ran s = run_program("identify record.csv --model stick-slip --stiffness 100 --speed 1e-3 --weight 0.2 --json",
                            folder.path());
  INFO(s.err);
  REQUIRE(s.exit_code == 0);
  CHECK(std::abs(Json::parse(s.out).at("slope").at("value").get<double>() - 0.5) < 1e-3);
  CHECK(std::abs(Json::parse(s.out).at("recurrence_time").at("value").get<double>() - 0.2) < 1e-3);
  CHECK(run_program("identify record.csv --model stick-slip", folder.path()).exit_code == 2);
  CHECK(run_program("identify path.csv curve.csv --model stribeck", folder.path()).exit_code == 2);
}
