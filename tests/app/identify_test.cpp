// `slipset identify` from the command line: record to law, the virtual tribometer, broken files.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "slipset/core/angle.hpp"
#include "tests/support/near.hpp"
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
  std::string less, zero, back, good = "angle [deg],tangential,radial,normal\n";
  less = zero = back = good;
  for (int i = 0; i < 400; ++i) {
    good += std::to_string(i) + ",1.5,0,10\n";
    if (i < 200) less += std::to_string(i) + ",1.5,0,10\n";
    zero += std::to_string(i) + ",1.5,0,0\n";
    back += std::to_string(i < 200 ? i : 400 - i) + ",1.5,0,10\n";
  }
  const std::pair<std::string, std::string> wrong[] = {
      {"", "empty"},
      {"1\n2\n3\n", "no column for angle (or time and rate), tangential, radial, normal; found 1 column without names"},
      {good + "400,x,0,10\n", "bad.csv:402: not a number in column 2"},
      {back, "not monotone"},
      {less, "less than one"},
      {zero, "normal force is zero"},
      {"a,b,c,d\n1,2,3,4\n2,3,4,5\n", "name them, as in angle=NAME,tangential=NAME,radial=NAME,normal=NAME"}};
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
        "--lowpass 500", "--model rubber", "--normal-force -1", "--compensation none.csv",
        // F14: values that mean nothing
        "--lowpass 0", "--lowpass -1", "--lowpass nan", "--outliers -1", "--outliers nan", "--outliers inf",
        "--order 4", "--lowpass 20 --order 0", "--noise 0.1", "--revolutions 3"}) {
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
  // In millimetres without a unit: friction of 300 times the normal force is nobody's.
  std::string wrong = "time,x,y\n";
  for (int i = 0; i < 100; ++i) {
    const double t = std::min(0.005 * i, 1 / (0.3 * 9.81)), way = 1000 * (t - 0.3 * 9.81 / 2 * t * t);
    wrong += std::to_string(0.005 * i) + "," + std::to_string(0.8 * way) + "," + std::to_string(0.6 * way) + "\n";
  }
  write_file(folder.path() / "wrong.csv", wrong);
  const Ran w = run_program("identify wrong.csv --model path --reservoir disk --direction disk", folder.path());
  CHECK(w.exit_code == 3);
  CHECK(w.out.find("300 times the normal force") != std::string::npos);
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

namespace {

// Signals of a disk with μ = 0.42 at 10 N: angle over π, tangential, radial and normal times their factors.
std::string record_text(const std::string& header, double turn, double force, double radial = 0) {
  std::string text = header + "\n";
  for (int i = 0; i < 1800; ++i) text += fmt::format("{},{},{},10\n", turn * i / 360, 4.2 * force, radial);
  return text;
}

}  // namespace

// A8: 4.2 N in whatever unit gives 0.42; what is no force is refused.
TEST_CASE("A8 slipset identify: units of the header are obeyed or refused, and reported") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& text, const std::string& options = "") {
    write_file(folder.path() / "r.csv", text);
    return run_program("identify r.csv --json --reservoir disk --direction disk --bootstrap 0 " + options,
                       folder.path());
  };
  struct Row {
    const char *angle, *force;
    double turn, per_newton;
  };
  for (const Row& row : {Row{"deg", "µN", 360, 1e6}, Row{"mrad", "daN", 2000 * M_PI, 0.1},
                         Row{"gon", "kp", 400, 1 / 9.80665}, Row{"rev", "lbf", 1, 1 / 4.4482216152605}}) {
    const Ran ran = run(record_text(fmt::format("angle [{0}],Ft [{1}],Fr [{1}],Fz [N]", row.angle, row.force), row.turn,
                                    row.per_newton));
    INFO(row.force, ran.err);
    REQUIRE(ran.exit_code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(std::abs(json.at("reservoir").at("radius").get<double>() - 0.42) < 1e-6);
    const Json& column = json.at("input").at("columns")[1];
    CHECK(column.at("role") == "tangential");
    CHECK(column.at("column") == "Ft");
    CHECK(column.at("unit") == row.force);
    CHECK(column.at("from") == "header");
  }
  for (const char* unit : {"lb", "g", "kg", "stone", "deg"}) {
    const Ran ran = run(record_text(fmt::format("angle [deg],Ft [{0}],Fr [{0}],Fz [N]", unit), 360, 1));
    INFO(unit);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("r.csv: column Ft: ") != std::string::npos);
  }
  const std::string milli = record_text("angle [deg],Ft [mN],Fr [mN],Fz [N]", 360, 1e3);
  CHECK(run(milli, "--units force=N").exit_code == 2);  // the file says otherwise
  CHECK(run(milli, "--units tangential=mN").exit_code == 0);
  const std::string none = record_text("angle,Ft,Fr,Fz", 360, 1);  // a disk does not tell a unit
  CHECK(run(none).err.find("nothing says the unit of the angle") != std::string::npos);
  CHECK(run(none, "--units angle=deg").exit_code == 0);
  // Columns in other languages, time and rotation rate, the negative of a column.
  std::string german = "Zeit [s];Drehzahl [1/min];Reibkraft [mN];Querkraft [mN];Normalkraft [N]\n";
  for (int i = 0; i < 1800; ++i) german += fmt::format("{},{:03};60;-4200,0;0;10\n", i / 360, 1000 * (i % 360) / 360);
  const Ran turned = run(german, "--columns tangential=-Reibkraft");
  INFO(turned.err);
  REQUIRE(turned.exit_code == 0);
  const Json json = Json::parse(turned.out);
  CHECK(std::abs(json.at("reservoir").at("radius").get<double>() - 0.42) < 1e-6);
  CHECK(std::abs(json.at("signals").at("revolutions").get<double>() - 5) < 0.01);
  CHECK(json.at("input").at("columns")[2].at("sign") == -1);
  // The same from the time and --rpm; an angle in the file contradicts it.
  const std::string times = record_text("t,Ft,Fr,Fz", 1, 1);
  const Ran by_rpm = run(times, "--rpm 60");
  INFO(by_rpm.err);
  REQUIRE(by_rpm.exit_code == 0);
  CHECK(std::abs(Json::parse(by_rpm.out).at("signals").at("revolutions").get<double>() - 5) < 0.01);
  CHECK(run(none, "--rpm 60").exit_code == 2);
  CHECK(run(times, "--rpm 0").exit_code == 2);
}

// A9: newtons are not coefficients.
TEST_CASE("A9 slipset identify: forces need a normal force, coefficients refuse one") {
  const TemporaryFolder folder;
  const auto stribeck = [&](const std::string& header, const std::string& options, double force = 10) {
    std::string text = header + "\n";
    for (int i = 1; i <= 100; ++i) {
      const double v = 0.002 * i;
      text += fmt::format("{},{},10\n", v, force * (0.3 + 0.1 * std::exp(-v * v / 0.0025)));
    }
    write_file(folder.path() / "c.csv", text);
    return run_program("identify c.csv --model stribeck --json " + options, folder.path());
  };
  const auto friction = [](const Ran& ran) {
    return ran.exit_code != 0 ? NAN : Json::parse(ran.out).at("parameters")[0].at("value").get<double>();
  };
  CHECK(stribeck("v,friction [N],z", "").err.find("column friction is a force in N: give the normal force") !=
        std::string::npos);
  CHECK(stribeck("v,friction,z", "").err.find("nothing says whether it is a coefficient or a force") !=
        std::string::npos);
  CHECK(stribeck("v,Reibkraft,z", "").exit_code == 2);
  CHECK(std::abs(friction(stribeck("v,friction [N],z", "--normal-force 10")) - 0.3) < 1e-3);
  CHECK(std::abs(friction(stribeck("v,Reibkraft [N],Normalkraft [N]", "")) - 0.3) < 1e-3);
  // A column of the normal force beside a given one: not used, and the report says so; whatever is in it.
  const Ran given = stribeck("v,Reibkraft [N],load [kg]", "--normal-force 5");
  CHECK(std::abs(friction(given) - 0.6) < 1e-3);
  CHECK(Json::parse(given.out).at("input").at("notes").dump().find(
            "the normal force is 5 N as given; column load is not used") != std::string::npos);
  CHECK(std::abs(friction(stribeck("v,COF,z", "", 1)) - 0.3) < 1e-3);
  CHECK(std::abs(friction(stribeck("v,friction [%],z", "", 100)) - 0.3) < 1e-3);
  CHECK(stribeck("v,COF,z", "--normal-force 10", 1).exit_code == 2);
  CHECK(stribeck("v,friction [N],z", "--normal-force -1").exit_code == 2);

  const auto stick_slip = [&](const std::string& header, const std::string& options, double force) {
    std::string text = header + "\n";
    for (int i = 0; i < 4000; ++i)
      text += fmt::format("{},{}\n", 5e-4 * i, force * (0.3 + 0.05 * (std::fmod(5e-4 * i, 0.2) / 0.1 - 1)));
    write_file(folder.path() / "s.csv", text);
    return run_program("identify s.csv --model stick-slip --stiffness 100 --speed 1e-3 --json " + options,
                       folder.path());
  };
  const auto slope = [](const Ran& ran) {
    return ran.exit_code != 0 ? NAN : Json::parse(ran.out).at("slope").at("value").get<double>();
  };
  CHECK(std::abs(slope(stick_slip("t,force [N]", "--weight 0.2", 0.2)) - 0.5) < 1e-3);
  CHECK(std::abs(slope(stick_slip("t,force [mN]", "--weight 0.2", 200)) - 0.5) < 1e-3);
  CHECK(std::abs(slope(stick_slip("t,force", "--weight 0.2 --columns newtons=force", 0.2)) - 0.5) < 1e-3);
  CHECK(std::abs(slope(stick_slip("t,force", "--weight 0.2 --units force=-", 1)) - 0.5) < 1e-3);
  CHECK(stick_slip("t,force [N]", "", 0.2).exit_code == 2);
  CHECK(stick_slip("t,force", "--weight 0.2", 0.2).err.find("over the weight or a force") != std::string::npos);
}

// Channels in volts, known loads in newtons: the matrix has the units of both files.
TEST_CASE("A8 slipset identify: known loads and a constant normal force, with their units") {
  const TemporaryFolder folder;
  std::string record = "angle [deg],Ft [mV],Fr [mV],Fz [mV]\n";
  for (int i = 0; i < 1800; ++i) record += fmt::format("{},420,0,1000\n", i);  // 10 N per volt
  write_file(folder.path() / "r.csv", record);
  write_file(folder.path() / "loads.csv",
             "a [N],b [N],c [daN],x [V],y [V],z [V]\n10,0,0,1,0,0\n0,10,0,0,1,0\n0,0,1,0,0,1\n");
  const std::string identify = "identify r.csv --reservoir disk --direction disk --bootstrap 0 --json ";
  const Ran ran = run_program(identify + "--loads loads.csv", folder.path());
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(std::abs(Json::parse(ran.out).at("reservoir").at("radius").get<double>() - 0.42) < 1e-9);
  CHECK(std::abs(Json::parse(ran.out).at("signals").at("normal_force").get<double>() - 10) < 1e-9);
  CHECK(run_program(identify, folder.path()).err.find("\"mV\" is a unit of voltage") != std::string::npos);
  write_file(folder.path() / "loads.csv", "10,0,0,1,0,0\n0,10,0,0,1,0\n0,0,10,0,0,1\n");
  CHECK(run_program(identify + "--loads loads.csv", folder.path()).err.find("of the record in mV") !=
        std::string::npos);
  // The column that is there is not used: the report says so.
  write_file(folder.path() / "r.csv", record_text("angle [deg],Ft [N],Fr [N],Fz [N]", 360, 1));
  const Ran constant = run_program(identify + "--normal-force 5", folder.path());
  REQUIRE(constant.exit_code == 0);
  CHECK(Json::parse(constant.out).at("input").at("notes")[0] ==
        "the normal force is 5 N as given; column Fz is not used");
  CHECK(std::abs(Json::parse(constant.out).at("reservoir").at("radius").get<double>() - 0.84) < 1e-6);
}

TEST_CASE("slipset identify: a compensation matrix with decimal commas, with units, in another order") {
  const TemporaryFolder folder;
  std::string record = "angle [deg],Ft [mV],Fr [mV],Fz [mV]\n";
  for (int i = 0; i < 1800; ++i) record += fmt::format("{},420,42,1000\n", i);
  write_file(folder.path() / "r.csv", record);
  const auto identify = [&](const std::string& matrix) {
    write_file(folder.path() / "T.csv", matrix);
    return run_program("identify r.csv --reservoir disk --direction disk --bootstrap 0 --json --compensation T.csv",
                       folder.path());
  };
  const auto radius = [](const Ran& ran) {
    return ran.exit_code != 0 ? NAN : Json::parse(ran.out).at("reservoir").at("radius").get<double>();
  };
  // 10 N/V; the reading of the tangential force in the radial channel is taken off.
  for (const char* matrix : {"10,0 -1,00 0\n0 10,0 0\n0 0 10,0\n", "10,-1,0\n0,10,0\n0,0,10\n",
                             "Fr [mN/V];Ft [mN/V];Fn [N/mV]\n10000;-1000;0\n0;10000;0\n0;0;0,01\n",
                             "# Fr [N/V], Ft [N/V], Fn [N/V]\n10, -1, 0\n0, 10, 0\n0, 0, 10\n"}) {
    CAPTURE(matrix);
    const Ran ran = identify(matrix);
    INFO(ran.err);
    CHECK(std::abs(radius(ran) - 0.42) < 1e-9);
  }
  CHECK(identify("10,-1,0\n0,10,0\n0,0,10\n").out.find("it is taken as N/V") != std::string::npos);
  for (const auto& [matrix, message] :
       {std::pair{"Fr [N],Ft [N],Fn [N]\n10,0,0\n0,10,0\n0,0,10\n", "column Fr: \"N\" is a unit of force"},
        {"Fr [-],Ft [-],Fn [-]\n10,0,0\n0,10,0\n0,0,10\n", "column Fr is in -, and the radial force of the record"},
        {"Ft,Fr,Fn\n10,0,0\n0,10,0\n0,0,10\n", "column 1 is named Ft; expected the order radial, tangential, normal"},
        {"10,0,0\n0,10,0\n", "found 2 rows and 3 columns; expected the 3x3 matrix"},
        {"10 0 0\n0 1.5 0,1\n0 0 1\n", "decimal"}}) {
    const Ran ran = identify(matrix);
    CAPTURE(matrix);
    INFO(ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find(message) != std::string::npos);
  }
}

TEST_CASE("slipset identify: gaps, footers, words that are no files, options that contradict") {
  const TemporaryFolder folder;
  write_file(folder.path() / "r.csv", record_text("angle [deg],Ft,Fr,Fz", 360, 1) + "1800,nan,0,10\nEND OF DATA\n");
  const std::string identify = "identify r.csv --reservoir disk --direction disk --bootstrap 0 --json ";
  CHECK(run_program(identify, folder.path()).err.find("(--skip-bad-rows)") != std::string::npos);
  const Ran ran = run_program(identify + "--skip-bad-rows", folder.path());
  REQUIRE(ran.exit_code == 0);
  CHECK(Json::parse(ran.out).at("input").at("skipped_rows") == 2);
  // An option takes one list, not the file behind it.
  const Ran list = run_program("identify --columns angle=1 tangential=2 r.csv", folder.path());
  CHECK(list.exit_code == 2);
  CHECK(list.err.find("\"tangential=2\" is no file") != std::string::npos);
  CHECK(run_program("identify --skip-bad-rows --bootstrap 0 --json --columns angle=1,tangential=2 r.csv", folder.path())
            .exit_code == 0);
  CHECK(run_program(identify + "--skip-bad-rows --zero-at start", folder.path()).exit_code == 2);
  for (const char* endless : {"/dev/zero", "/dev/urandom"})  // F11
    CHECK(run_program(std::string("identify ") + endless, folder.path()).err.find("this is a device") !=
          std::string::npos);
  write_file(folder.path() / "book.xlsx", "PK\x03\x04 and so on");
  CHECK(run_program("identify book.xlsx", folder.path()).err.find("save the sheet as CSV") != std::string::npos);
}

// The help lists every option under the models that use it: the table that the program itself obeys.
TEST_CASE("F14 slipset identify: an option that the model does not use is refused, each option with each model") {
  const TemporaryFolder folder;
  const Ran help = run_program("identify --help", folder.path());
  REQUIRE(help.exit_code == 0);
  const std::vector<std::string> models = {"pin-on-disk", "stick-slip", "stribeck",
                                           "lugre",       "path",       "elastic-interface"};
  const std::map<std::string, std::string> values = {{"--sense", "1"},
                                                     {"--offset", "1"},
                                                     {"--misalignment", "1"},
                                                     {"--reservoir", "disk"},
                                                     {"--direction", "disk"},
                                                     {"--axes", "common"},
                                                     {"--friction", "0.4,0.6"},
                                                     {"--columns", "angle=1"},
                                                     {"--units", "angle=rad"},
                                                     {"--order", "3 --lowpass 20"},
                                                     {"--zero-at", "start --detrend"}};
  std::istringstream lines(help.out);
  std::string used_by;
  int options = 0, refused = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') used_by = line.starts_with("Used by ") ? line.substr(8) : "";
    if (used_by.empty() || !line.starts_with("  --")) continue;
    std::istringstream words(line);
    std::string name, type;
    words >> name >> type;
    ++options;
    const bool flag = name == "--detrend" || name == "--hull" || name == "--no-fit" || name == "--skip-bad-rows";
    const bool machine = name == "--revolutions" || name == "--samples" || name == "--noise" || name == "--crosstalk" ||
                         name == "--wobble" || name == "--quantum" || name.starts_with("--turned");
    std::string value = values.contains(name) ? values.at(name) : flag ? "" : "1";
    if (machine) value += " --simulate none.toml";
    for (const std::string& model : models) {
      // The name followed by the end, a comma or the colon of the heading.
      const std::size_t at = used_by.find(model);
      const bool uses = at != std::string::npos;
      const Ran ran = run_program("identify none.csv --model " + model + " " + name + " " + value, folder.path());
      INFO(line, " with ", model, ": ", ran.err);
      CHECK(ran.exit_code == 2);  // none.csv is not there
      const bool said = ran.err.find("--model " + model + " does not use it") != std::string::npos;
      CHECK(said == !uses);
      refused += said;
    }
  }
  CHECK(options == 39);
  CHECK(refused > 100);
  for (const char* wrong : {"--mass 0", "--mass -1", "--mass nan", "--prominence 0", "--prominence -1",
                            "--prominence nan", "--stiffness 0", "--weight inf", "--speed x"}) {
    const Ran ran = run_program(std::string("identify none.csv --model stick-slip ") + wrong, folder.path());
    INFO(wrong, ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find(std::string(wrong).substr(0, std::string(wrong).find(' '))) != std::string::npos);
    CHECK(ran.err.find("expected a number above 0") != std::string::npos);
  }
  CHECK(run_program("identify none.csv --model path --no-fit --reservoir disk", folder.path()).err.find("--no-fit") !=
        std::string::npos);
  CHECK(run_program("identify none.csv --model path --gravity 0", folder.path()).err.find("--gravity") !=
        std::string::npos);
}

TEST_CASE("slipset identify: results of two records of one name do not replace each other") {
  const TemporaryFolder folder;
  std::string curve = "velocity,friction\n";
  for (int i = 1; i <= 30; ++i)
    curve +=
        std::to_string(0.01 * i) + "," + std::to_string(0.3 + 0.1 * std::exp(-0.01 * i * i) + 1e-3 * (i % 3)) + "\n";
  for (const char* where : {"a", "b", "out/one", "out/two"}) {
    std::filesystem::create_directories(folder.path() / where);
    write_file(folder.path() / where / "path.csv", curve);
  }
  const std::string model = " --model stribeck --quiet";
  REQUIRE(run_program("identify a/path.csv" + model, folder.path()).exit_code == 0);
  const std::string first = read_file(folder.path() / "out/path/identify.json");
  CHECK(Json::parse(first).at("files") == Json::array({"a/path.csv"}));
  const Ran second = run_program("identify b/path.csv" + model, folder.path());
  CHECK(second.exit_code == 2);
  CHECK(second.err.find("out/path holds the results of a/path.csv, not of b/path.csv") != std::string::npos);
  CHECK(second.err.find("--out DIR") != std::string::npos);
  CHECK(read_file(folder.path() / "out/path/identify.json") == first);
  CHECK(run_program("identify a/../a/path.csv" + model, folder.path()).exit_code == 0);  // the same file
  CHECK(run_program("identify b/path.csv --out other" + model, folder.path()).exit_code == 0);
  CHECK(std::filesystem::exists(folder.path() / "other/law.toml"));
  // Paths that `track` wrote: beside them.
  REQUIRE(run_program("identify out/one/path.csv" + model, folder.path()).exit_code == 0);
  REQUIRE(run_program("identify out/two/path.csv" + model, folder.path()).exit_code == 0);
  for (const char* where : {"out/one/path", "out/two/path"})
    for (const char* file : {"identify.json", "law.toml", "friction.png"})
      CHECK(std::filesystem::exists(folder.path() / where / file));
}

TEST_CASE("slipset identify: separate axes are tried, a law with two angles comes back with few parameters") {
  const TemporaryFolder folder;
  write_file(folder.path() / "law.toml",
             "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.6, 0.3], angle = 20 }\n"
             "direction = { shape = \"ellipse\", semi_axes = [2, 1] }\n");
  const Ran ran = run_program("identify --simulate law.toml --samples 360 --revolutions 10 --json", folder.path());
  REQUIRE(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("report").at("chosen") == "ellipse + ellipse, separate axes");
  CHECK(json.at("parameters").size() == 5);
  CHECK(std::abs(json.at("reservoir").at("angle").get<double>() - 20) < 0.5);
  // One angle is not enough, and is not taken for two where it is.
  const Ran one =
      run_program("identify --simulate law.toml --samples 360 --revolutions 10 --axes common --json", folder.path());
  CHECK(Json::parse(one.out).at("report").at("chosen") != "ellipse + ellipse");
}

TEST_CASE(
    "slipset identify --simulate: the true law is that at the machine's speed; what steady sliding hides is refused") {
  const TemporaryFolder folder;
  write_file(folder.path() / "sim.toml",
             "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [5, 3], angle = 20 }\n"
             "direction = { shape = \"ellipse\", semi_axes = [1.5, 1], angle = 20 }\nreservoir_at = 10\n");
  const std::string simulate = "identify --simulate sim.toml --revolutions 4 --samples 200 --out there ";
  const Ran ran = run_program(simulate + "--set 'law.stribeck={static=3,velocity=100}'", folder.path());
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  // 1 + 2 exp(-1e-4) at 1 m/s.
  CHECK(ran.out.find("which slips at 1 m/s (there law.stribeck multiplies C by 2.9998): C is an ellipse with semi-axes "
                     "1.4999 and 0.89994") != std::string::npos);
  const Json json = Json::parse(read_file(folder.path() / "there" / "identify.json"));
  CHECK(json.at("truth").at("speed") == 1);
  CHECK(json.at("truth").at("factor").get<double>() == near(1 + 2 * std::exp(-1e-4), 1e-14));
  CHECK(json.at("reservoir").at("semi_axes")[0].get<double>() == near(1.4999, 0.01));

  const Ran plain = run_program(simulate, folder.path());
  CHECK(plain.out.find("which slips at 1 m/s: C is an ellipse with semi-axes 0.5 and 0.3") != std::string::npos);
  for (const char* table : {"lugre={sigma0=1000,sigma2=0.1}", "elastic={stiffness=[1000,500]}"}) {
    const Ran refused = run_program(simulate + "--set 'law." + table + "'", folder.path());
    INFO(refused.err);
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("records steady sliding") != std::string::npos);
    CHECK(refused.err.find(std::string(table).substr(0, 5)) != std::string::npos);
  }
}

TEST_CASE("slipset identify: a reservoir of which only the corners act is flagged, exit code 3") {
  const TemporaryFolder folder;
  write_file(folder.path() / "xy.toml",
             "[law]\nreservoir = { shape = \"rectangle\", semi_axes = [0.4, 0.2], angle = 7.4 }\n");
  const Ran ran = run_program("identify --simulate xy.toml --revolutions 4 --samples 360 --out there", folder.path());
  CHECK(ran.exit_code == 3);
  CHECK(ran.out.find("warning: C is seen only near ") != std::string::npos);
  CHECK(ran.out.find("if C is of this shape") != std::string::npos);
  const Json json = Json::parse(read_file(folder.path() / "there" / "identify.json"));
  const Json& unseen = json.at("reservoir").at("unseen");
  CHECK(unseen.at("share").get<double>() > 0.95);
  // The corners of the rectangle: ±26.57 and 180 ± 26.57 degrees, turned by 7.4.
  const double corner = degrees(std::atan2(0.2, 0.4));
  const double corners[] = {7.4 + corner, 187.4 - corner, 187.4 + corner, 367.4 - corner};
  REQUIRE(unseen.at("angles").size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(unseen.at("angles")[i][0].get<double>() == within(corners[i], 2));
  for (const Json& p : json.at("parameters"))
    CHECK(p.at("if_shape") == p.at("name").get<std::string>().starts_with("reservoir."));
  CHECK(read_file(folder.path() / "there" / "law.toml").find("does not show the reservoir from") != std::string::npos);
}

TEST_CASE("slipset identify: numbers in another notation are named, with their line") {
  const TemporaryFolder folder;
  write_file(folder.path() / "german.csv", "Winkel;Fy;Fx;Last\n1.014,5;1.014,5;1.014,5;1.014,5\n1.014,6;2;3;1.014,5\n");
  const Ran ran = run_program("identify german.csv", folder.path());
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.find("german.csv:2: column 1: \"1.014,5\" is not understood as a number") != std::string::npos);
}
