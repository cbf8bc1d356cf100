// `slipset identify`: what it says, and its exit code, where a record is read in the wrong way or a law does not fit.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "slipset/core/angle.hpp"
#include "slipset/identification/rate_fit.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "tests/support/near.hpp"
#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

bool any_has(const Json& notes, const std::string& words) {
  for (const Json& note : notes)
    if (note.get<std::string>().find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("slipset identify --model path: separate axes by itself; common ones that do not fit have no intervals") {
  const TemporaryFolder folder;
  const FrictionLaw law(Ellipse(0.6, 0.2, radians(30)), Ellipse(3, 1));
  int file = 0;
  for (const Vec2& v : {Vec2(1, 1), Vec2(1.2, -0.3), Vec2(-0.2, 1.1)}) {
    std::vector<double> times;
    for (int i = 0; i < 70; ++i) times.push_back(0.01 * i);
    const std::vector<Vec2> x = slide_positions(law, v, times);
    std::string text = "time [s],x [m],y [m]\n";
    for (std::size_t i = 0; i < x.size(); ++i)
      text += fmt::format("{},{:.5f},{:.5f}\n", times[i], x[i].x(), x[i].y());  // rounded to 10 µm: its noise
    write_file(folder.path() / fmt::format("p{}.csv", file++), text);
  }
  const std::string identify = "identify p0.csv p1.csv p2.csv --model path --json ";
  for (const char* axes : {"", "--axes auto", "--axes separate"}) {
    const Ran ran = run_program(identify + axes, folder.path());
    INFO(axes, ran.err);
    REQUIRE(ran.exit_code == 0);
    const Json fit = Json::parse(ran.out).at("fit");
    CHECK(fit.at("report").at("chosen") == "ellipse + ellipse, separate axes");
    CHECK(fit.at("parameters").size() == 5);
    CHECK(fit.at("parameters")[0].at("value").get<double>() == near(0.6, 0.01));
    CHECK(fit.at("models").size() == (std::string(axes) == "--axes separate" ? 1 : 2));
  }
  const Ran common = run_program(identify + "--axes common", folder.path());
  REQUIRE(common.exit_code == 0);
  const Json fit = Json::parse(common.out).at("fit");
  CHECK(any_has(fit.at("notes"), "times their noise"));
  CHECK(fit.at("rms").get<double>() > 10 * fit.at("noise").get<double>());
  for (const Json& p : fit.at("parameters")) {
    CHECK(p.at("value").is_number());
    CHECK(p.at("sigma").is_null());
    CHECK(p.at("interval_95").is_null());
  }
  CHECK(fit.at("law").get<std::string>().find("# without intervals: the law does not fit the paths") == 0);
  const Ran text = run_program("identify p0.csv p1.csv p2.csv --model path --axes common --out o", folder.path());
  CHECK(text.out.find("without an interval: the law does not fit the paths") != std::string::npos);
}

TEST_CASE("slipset identify --model lugre: time beside a velocity is found, under its usual names") {
  const TemporaryFolder folder;
  std::vector<double> t, v;
  for (int i = 0; i < 1000; ++i) {
    t.push_back(2e-3 * i);
    v.push_back(0.02 * std::sin(2 * kPi * t.back()) + 0.008 * std::sin(2 * kPi * 3.3 * t.back()));
  }
  const std::vector<double> f = lugre_response(t, v, 0.3, {1.4, 0.008}, {2000, 4, 0.8});
  for (const char* header :
       {"time [s],velocity [m/s],friction [-]", "t,v,mu", "Zeit [s],Geschwindigkeit [m/s],Reibwert"}) {
    std::string text = std::string(header) + "\n";
    for (std::size_t i = 0; i < t.size(); ++i) text += fmt::format("{},{},{:.6f}\n", t[i], v[i], f[i]);
    write_file(folder.path() / "r.csv", text);
    const Ran ran = run_program("identify r.csv --model lugre --json", folder.path());
    INFO(header, ran.err);
    REQUIRE(ran.exit_code == 0);
    CHECK(Json::parse(ran.out).at("parameters")[3].at("value").get<double>() == near(2000, 0.01));
  }
  // A Stribeck curve does not need it.
  const Ran curve = run_program("identify r.csv --model stribeck --json", folder.path());
  CHECK(curve.exit_code == 0);
  write_file(folder.path() / "r.csv", "velocity [m/s],friction [-]\n0.1,0.3\n0.2,0.3\n");
  CHECK(run_program("identify r.csv --model lugre", folder.path()).err.find("no column for time") != std::string::npos);
}

TEST_CASE("slipset identify: thousands between semicolons, and friction of many times the normal force") {
  const TemporaryFolder folder;
  const auto grouped = [](int n) {
    return n < 1000 ? fmt::format("{}", n) : fmt::format("{},{:03}", n / 1000, n % 1000);
  };
  std::string thousands = "angle [deg];Ft [mN];Fr [mN];Fz [mN]\n", wrong_unit = "angle [deg],Ft [N],Fr [N],Fz [N]\n";
  for (int i = 0; i < 900; ++i) {
    const double c = std::cos(2 * radians(2.0 * i));
    const int ft = static_cast<int>(1000 + 40 * c), fr = static_cast<int>(200 * std::sin(2 * radians(2.0 * i)));
    thousands += fmt::format("{};{};{};{}\n", grouped(2 * i), grouped(ft), fr, grouped(2500));
    wrong_unit += fmt::format("{},{},{},{}\n", 2 * i, ft, fr, 2.5);  // mN under a heading that says N
  }
  write_file(folder.path() / "t.csv", thousands);
  write_file(folder.path() / "u.csv", wrong_unit);
  const Ran asked = run_program("identify t.csv", folder.path());
  CHECK(asked.exit_code == 2);
  CHECK(asked.err.find("decimal commas or thousands?") != std::string::npos);
  const Ran flagged =
      run_program("identify u.csv --json --reservoir ellipse --direction ellipse --bootstrap 0", folder.path());
  INFO(flagged.err);
  CHECK(flagged.exit_code == 3);
  CHECK(any_has(Json::parse(flagged.out).at("warnings"), "times the normal force"));
  CHECK(flagged.err.find(".cc:") == std::string::npos);
}

TEST_CASE("slipset identify: a low-pass that takes the anisotropy away ends with exit code 3") {
  const TemporaryFolder folder;
  write_file(folder.path() / "law.toml",
             "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.6, 0.3] }\n"
             "direction = { shape = \"ellipse\", semi_axes = [2, 1] }\n");
  const std::string identify = "identify --simulate law.toml --samples 360 --revolutions 5 --bootstrap 0 ";
  const Ran low = run_program(identify + "--lowpass 1 --json", folder.path());
  CHECK(low.exit_code == 3);
  CHECK(any_has(Json::parse(low.out).at("warnings"), "of the second"));
  CHECK(run_program(identify + "--lowpass 30 --json", folder.path()).exit_code == 0);
  const Ran text = run_program(identify + "--out o", folder.path());
  CHECK(text.out.find("C is an ellipse") != std::string::npos);
  CHECK(text.out.find("D is an ellipse") != std::string::npos);
}

TEST_CASE("slipset identify --model stribeck: magnitudes are taken with a note, a zero offset is named") {
  const TemporaryFolder folder;
  const auto identify = [&](double factor, double offset, bool magnitude) {
    std::string text = "velocity [m/s],friction [-]\n";
    for (int i = -200; i <= 200; ++i) {
      if (i == 0) continue;
      const double f = stribeck_friction(0.002 * i, 0.2, {1.6, 0.05, 0.5}) + 1e-4 * ((i * i * 7) % 13 - 6);
      text += fmt::format("{},{}\n", 0.002 * i, factor * (magnitude ? std::abs(f) : f) + offset);
    }
    write_file(folder.path() / "c.csv", text);
    return run_program("identify c.csv --model stribeck --json", folder.path());
  };
  const Ran magnitude = identify(1, 0, true), offset = identify(1, 0.05, false), opposite = identify(-1, 0, false);
  INFO(magnitude.err, offset.err);
  REQUIRE(magnitude.exit_code == 0);
  REQUIRE(offset.exit_code == 0);
  for (const Ran* ran : {&magnitude, &offset})
    CHECK(Json::parse(ran->out).at("parameters")[0].at("value").get<double>() == near(0.2, 0.01));
  CHECK(any_has(Json::parse(magnitude.out).at("notes"), "taken as a magnitude"));
  CHECK(any_has(Json::parse(offset.out).at("notes"), "friction has a zero offset of"));
  CHECK(Json::parse(offset.out).at("parameters").back().at("name") == "offset");
  CHECK(opposite.exit_code == 2);
  CHECK(opposite.err.find("friction=-NAME") != std::string::npos);
}
