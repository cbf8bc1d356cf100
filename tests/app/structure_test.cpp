// slipset stability on structures as people use it: what is refused, with exit code 2, file, line and remedy.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/app/structure_folder.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

void check_row_refused(const std::string& row, const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.push_back("contacts.csv:3:");
  check_refused("contacts.csv", kColumns + "0,1,2,0,0,1,1,0,0,1000,10,1,0.5\n" + row + "\n", all);
}

}  // namespace

TEST_CASE("slipset stability of a structure: modes, a .csv of each kind, the figure") {
  const StructureFolder folder;
  const Ran ran = folder.run("stability s.toml --out there");
  INFO(ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out.find("proven complete") != std::string::npos);
  const Json json = Json::parse(folder.run("stability s.toml --json").out);
  CHECK(json.at("eigenvalues").size() == 3);
  CHECK(json.at("dofs") == 3);
  // The keys of the contract (docs/output.md).
  CHECK(json.at("count") == 3);
  CHECK(json.at("ranks") == 1);
  CHECK(json.at("contacts") == 1);
  CHECK(json.at("complete") == true);
  CHECK(json.at("backward_errors").size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& mode = json.at("modes").at(i);
    CHECK(mode.at("value") == json.at("eigenvalues").at(i));
    CHECK(mode.at("backward_error") == json.at("backward_errors").at(i));
    for (const Json& row : mode.at("sensitivities")) CHECK(row.at("growth") == row.at("derivative").at(0));
    for (const char* key : {"contact", "mechanism", "growth"}) CHECK(mode.at("contributions").at(0).contains(key));
  }
  const Json two = Json::parse(folder.run("stability s.toml --json --set 'modes.band=[0, 30]'").out);
  CHECK(two.at("eigenvalues").size() == 1);
}

TEST_CASE("a mode that grows faster than the box has it is not called stable") {
  const StructureFolder folder;
  const std::string file = "stability s.toml --json --set 'law.stribeck={static=4,velocity=1}'";
  const Json all = Json::parse(folder.run(file).out);
  const double most = all.at("eigenvalues").at(0).at(0);
  REQUIRE(most > 0.1);
  const Json small = Json::parse(folder.run(file + fmt::format(" --set 'modes.growth=[-10, {}]'", most / 2)).out);
  CHECK(small.at("stable") == false);
  CHECK(small.at("notes").dump().find("raise [modes] growth") != std::string::npos);
}

TEST_CASE("a table of contacts that is cut off within its last line is refused") {
  const StructureFolder folder;
  const std::string row = "0,1,2,0,0,1,1,0,0,1000,10,1,0.5,corner";
  folder.set("contacts.csv", kColumns + row + ",lining\n");
  CHECK(folder.run("stability s.toml --json").exit_code == 0);
  folder.set("contacts.csv", kColumns + row);  // the law is gone
  const Ran cut = folder.run("stability s.toml --json");
  CHECK(cut.exit_code == 2);
  CHECK(cut.err.find("the file is cut off") != std::string::npos);
}

TEST_CASE("matrices that are not right are refused with their file, the place and what to do") {
  check_refused("M.mtx", kHead + "3 3 3\n1 1 1\n2 2 1\n", {"system.M", "M.mtx"});  // truncated
  check_refused("M.mtx", kHead + "3 3 4\n1 1 1\n2 2 1\n3 3 1\n1 2 0.5\n",
                {"system.M", "row 1, column 2 is 0.5", "symmetric"});
  check_refused("M.mtx", kHead + "3 3 5\n1 1 1\n2 2 1\n3 3 1\n1 2 2\n2 1 2\n", {"system.M", "not positive definite"});
  check_refused("M.mtx", kHead + "3 3 3\n1 1 1\n2 2 nan\n3 3 1\n", {"M.mtx:4"});
  check_refused("K.mtx", kHead + "2 2 2\n1 1 1\n2 2 1\n", {"system.K", "2 x 2, and M is 3 x 3", "export"});
  check_refused("K.mtx", kHead + "3 3 4\n1 1 1e4\n2 2 1e4\n3 3 1e4\n3 1 -1e3\n",
                {"system.K", "below it", "whole matrix"});
  check_refused("K.mtx", kHead + "3 3 2\n1 1 1e4\n3 3 1e4\n", {"system.K", "singular", "support"});
  check_refused("K.mtx", kHead + "3 3 5\n1 1 1e4\n2 2 1e4\n1 2 1e4\n2 1 1e4\n3 3 1e4\n", {"system.K", "singular"});
}

TEST_CASE("contacts that are not right are refused with file, line and what to do") {
  check_row_refused("0,1,3,0,0,1,1,0,0,1000,10,1,0.5", {"uz is 3", "0 to 2"});
  check_row_refused("0,-1,2,0,0,1,1,0,0,1000,10,1,0.5", {"uy is -1"});
  check_row_refused("0,0.5,2,0,0,1,1,0,0,1000,10,1,0.5", {"uy is 0.5"});
  check_row_refused("0,1,1,0,0,1,1,0,0,1000,10,1,0.5", {"uy and uz are both 1"});
  check_row_refused("0,1,2,0,0,2,1,0,0,1000,10,1,0.5", {"the normal", "length 2", "divide"});
  check_row_refused("0,1,2,0,0,1,0,0,1,1000,10,1,0.5", {"not orthogonal"});
  check_row_refused("0,1,2,0,0,1,1,0,0,-1,10,1,0.5", {"stiffness is -1"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,-10,1,0.5", {"force is -10"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,0,0", {"slip", "leave out contacts that stick"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,nan,1,0.5", {"nan"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,1", {"12 fields"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,1,0.5,b,linning", {"unknown law", "did you mean \"lining\"?"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,1,0,b,lining", {"no derivative", "turn the slip a little"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,1,0.5,1,", {"the name 1 is that of line 2"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,1,0.5,structure,", {"another name"});
  check_row_refused("0,1,2,0,0,1,1,0,0,1000,10,1,0.5,b,none", {"leave out its row"});
  check_refused("contacts.csv", "ux,uy,uz\n0,1,2\n", {"contacts.csv:1", "no column \"nx\""});
  check_refused("contacts.csv", "0,1,2,0,0,1,1,0,0,1000,10,1,0.5\n", {"no names of columns"});
}

TEST_CASE("degrees of freedom that files name: all must name the same") {
  const auto abaqus = [](int node, double first, double second) {
    std::string text;
    for (int axis = 1; axis <= 3; ++axis) text += fmt::format("1,{0},1,{0},{1}\n", axis, first);
    if (second == 0) return text;
    return text + fmt::format("{0},1,{0},1,{1}\n", node, second);
  };
  const StructureFolder folder;
  folder.set("s.toml",
             "[system]\nkind = \"structure\"\nM = \"M.mtx\"\nK = \"K.mtx\"\nD = \"D.mtx\"\n[modes]\nband = [0, "
             "100]\ngrowth = [-10, 10]\n");
  folder.set("M.mtx", abaqus(2, 1, 1));
  folder.set("K.mtx", abaqus(2, 100, 400));
  folder.set("D.mtx", abaqus(2, 1, 6));
  const Ran right = folder.run("stability s.toml --json");
  INFO(right.err);
  CHECK(right.exit_code == 0);
  CHECK(Json::parse(right.out).at("matrices").at(1).at("format").get<std::string>().find("Abaqus") == 0);
  folder.set("D.mtx", abaqus(7, 1, 6));
  const Ran wrong = folder.run("stability s.toml --json");
  CHECK(wrong.exit_code == 2);
  for (const char* word : {"system.D", "D.mtx", "node 2, degree of freedom 1 is in", "not in this file"})
    CHECK_MESSAGE(wrong.err.find(word) != std::string::npos, word << " in " << wrong.err);
}

TEST_CASE("slipset stability of a structure with [sweep], and a map") {
  const StructureFolder folder;
  const std::string sweep = "[sweep]\nparameter = \"law.reservoir.radius\"\nfrom = 0.1\nto = 60\ncount = 7\n";
  folder.set("s.toml", kScenario + sweep);
  const Ran ran = folder.run("stability s.toml --out there");
  INFO(ran.err);
  CHECK(ran.exit_code == 0);
  const Json json = Json::parse(read_file(folder.path() / "there/stability.json"));
  CHECK(json.at("sweep").at("answered") == 7);
  const std::string table = read_file(folder.path() / "there/sweep.csv");
  CHECK(std::count(table.begin(), table.end(), '\n') == 8);
  CHECK(std::filesystem::exists(folder.path() / "there/sweep.png"));
  // A point of the sweep is the structure with that number.
  const Json alone = Json::parse(folder.run("stability s.toml --json --set law.reservoir.radius=60").out);
  const std::string last = table.substr(table.rfind('\n', table.size() - 2) + 1);
  for (const Json& value : alone.at("eigenvalues"))
    CHECK_MESSAGE(last.find(fmt::format("{}", value.at(1).get<double>()).substr(0, 11)) != std::string::npos, last);
  folder.set("s.toml", kScenario + sweep +
                           "second = { parameter = \"system.stiffness_factor\", from = 0.5, to = 2, count = 3 }\n");
  const Json map = Json::parse(folder.run("stability s.toml --json").out);
  CHECK(map.at("map").at("rows") == 3);
}

TEST_CASE("what a box cannot tell is not called stable") {
  const StructureFolder folder;
  const auto stable = [&](const std::string& more) {
    return Json::parse(folder.run("stability s.toml --json" + more).out).at("stable");
  };
  CHECK(stable("").is_boolean());
  CHECK(stable(" --set 'modes.growth=[-10, -1]'").is_null());
  CHECK(folder.run("stability s.toml --set 'modes.growth=[-10, -1]'").out.find("NOT KNOWN") != std::string::npos);
  // A table that may be cut off, and a law that no contact has, are told.
  folder.set("contacts.csv", "ux,uy,uz,nx,ny,nz,tx,ty,tz,stiffness,force,slip1,slip2\n0,1,2,0,0,1,1,0,0,1000,10,1,0.");
  CHECK(folder.run("stability s.toml").out.find("may be cut off") != std::string::npos);
  CHECK(folder.run("stability s.toml").out.find("no contact has the law lining") != std::string::npos);
}

TEST_CASE("scenarios of structures that are not right are refused, and so are other commands") {
  const std::string text = kScenario;
  const auto without = [&](const std::string& line) {
    std::string changed = text;
    changed.erase(changed.find(line), line.size());
    return changed;
  };
  check_refused("s.toml", without("[modes]\nband = [0, 100]\ngrowth = [-10, 10]\n"), {"modes", "missing"});
  check_refused("s.toml", without("band = [0, 100]\n"), {"modes.band", "missing"});
  check_refused("s.toml", without("K = \"K.mtx\"\n"), {"system.K", "missing"});
  check_refused("s.toml", without("[law]\nreservoir = { shape = \"disk\", radius = 0.4 }\n"),
                {"contacts.csv:2", "names no law"});
  check_refused("s.toml", text + "growht = 1\n", {"growht", "unknown key"});
  check_refused("s.toml", text + "[integrator]\nstep = 1\n", {"integrator", "does not have this table"});
  const auto swept = [&](const std::string& parameter) {
    return text + "[sweep]\nparameter = \"" + parameter + "\"\nfrom = 0.0\nto = 1\ncount = 5\n";
  };
  check_refused("s.toml", swept("modes.band[0]"), {"sweep.parameter", "no number of the structure"});
  check_refused("s.toml", swept("system.friction_factor"), {"sweep.parameter", "at system.friction_factor = 0"});
  check_refused("s.toml", swept("system.frictoin"), {"sweep.parameter", "frictoin"});
  const StructureFolder folder;
  for (const std::string command : {"run s.toml", "cycle s.toml", "stability s.toml --set system.friction_factor=0",
                                    "stability s.toml --set 'modes.band=[5, 1]'",
                                    "stability s.toml --set 'system.M={file=\"M.mtx\", variable=\"Q\"}'",
                                    "stability s.toml --set 'system.terms=[{matrix=\"K.mtx\", in=\"D\", power=1}]'"}) {
    const Ran ran = folder.run(command);
    INFO(command, "\n", ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find("system") + ran.err.find("modes") != 2 * std::string::npos);
  }
}

namespace {

// A chain of 60 nodes in space, held at both ends, with a sliding contact in its middle: 180 unknowns, too many for
// the dense way of a build with SLEPc.
void write_chain(const StructureFolder& folder) {
  constexpr int kNodes = 60;
  std::string mass, stiffness;
  int entries = 0;
  for (int node = 0; node < kNodes; ++node)
    for (int axis = 0; axis < 3; ++axis) {
      const int row = 3 * node + axis + 1;
      const double k = 1e6 * (1 + 0.3 * axis);
      mass += fmt::format("{} {} 0.01\n", row, row);
      stiffness += fmt::format("{} {} {}\n", row, row, 2 * k);
      ++entries;
      if (node + 1 == kNodes) continue;
      stiffness += fmt::format("{} {} {}\n{} {} {}\n", row, row + 3, -k, row + 3, row, -k);
      entries += 2;
    }
  folder.set("M.mtx", fmt::format("{}{} {} {}\n{}", kHead, 3 * kNodes, 3 * kNodes, 3 * kNodes, mass));
  folder.set("K.mtx", fmt::format("{}{} {} {}\n{}", kHead, 3 * kNodes, 3 * kNodes, entries, stiffness));
  folder.set("contacts.csv", kColumns + "90,91,92,0,0,1,1,0,0,1e6,500,1,0.5,middle,\n");
}

std::vector<std::complex<double>> eigenvalues(const Json& json) {
  std::vector<std::complex<double>> values;
  for (const Json& value : json.at("eigenvalues"))
    values.emplace_back(value.at(0).get<double>(), value.at(1).get<double>());
  return values;
}

}  // namespace

TEST_CASE("a structure of 180 unknowns: closed form of a chain without friction, the same answer on 1, 2 and 4 ranks") {
  const StructureFolder folder;
  write_chain(folder);
  const std::string box = " --json --set 'modes.band=[0, 800]' --set 'modes.growth=[-1000, 1000]'";
  // Without the contact's stiffness and force each axis is a chain of its own: ω = 2 √(k/m) sin(jπ/122).
  const Ran plain =
      folder.run("stability s.toml" + box + " --set system.stiffness_factor=0 --set system.preload_factor=0");
  INFO(plain.err);
  REQUIRE(plain.exit_code == 0);
  std::vector<double> expected;
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 1; j <= 60; ++j) {
      const double omega = 2 * std::sqrt(1e6 * (1 + 0.3 * axis) / 0.01) * std::sin(j * std::numbers::pi / 122);
      if (omega <= 2 * std::numbers::pi * 800) expected.push_back(omega);
    }
  std::sort(expected.begin(), expected.end());
  std::vector<double> found;
  for (const std::complex<double> value : eigenvalues(Json::parse(plain.out))) found.push_back(value.imag());
  std::sort(found.begin(), found.end());
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == near(expected[i], 1e-12));

  const Ran one = folder.run("stability s.toml" + box);
  REQUIRE(one.exit_code == 0);
  const Json first = Json::parse(one.out);
  CHECK(first.at("complete") == true);
#ifdef SLIPSET_MPIRUN
  CHECK(first.at("method") == "sparse");
  for (const int count : {2, 4}) {
    const Ran many = folder.run_on(count, "stability s.toml" + box);
    INFO(many.err);
    REQUIRE(many.exit_code == 0);
    CHECK(Json::parse(many.out).at("ranks") == count);
    const auto a = eigenvalues(first), b = eigenvalues(Json::parse(many.out));
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) <= 1e-12 * std::abs(a[i]));
  }
  // One message, of the first rank.
  const Ran wrong = folder.run_on(2, "stability s.toml" + box + " --set modes.growth=1");
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("slipset: ") != std::string::npos);
  CHECK(wrong.err.find("slipset: ") == wrong.err.rfind("slipset: "));
  const Ran law = folder.run_on(2, "law s.toml --json");
  CHECK(law.exit_code == 2);
  CHECK(law.err.find("works on one rank") != std::string::npos);
#endif
}
