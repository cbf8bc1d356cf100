// slipset stability on structures as people use it: what is refused, with exit code 2, file, line and remedy.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

constexpr const char* kScenario = R"([law]
reservoir = { shape = "disk", radius = 0.4 }
[laws.lining]
reservoir = { shape = "rectangle", semi_axes = [0.4, 0.2] }
[system]
kind = "structure"
M = "M.mtx"
K = "K.mtx"
contacts = "contacts.csv"
[modes]
band = [0, 100]
growth = [-10, 10]
)";
const std::string kHead = "%%MatrixMarket matrix coordinate real general\n";
const std::string kMass = kHead + "3 3 3\n1 1 1\n2 2 1\n3 3 1\n";
const std::string kStiffness = kHead + "3 3 5\n1 1 3e4\n2 2 4e4\n3 3 5e4\n1 3 1e3\n3 1 1e3\n";
const std::string kColumns = "ux,uy,uz,nx,ny,nz,tx,ty,tz,stiffness,force,slip1,slip2,name,law\n";

// A folder with a structure of one node, good as it stands.
class Folder {
 public:
  Folder() {
    set("s.toml", kScenario);
    set("M.mtx", kMass);
    set("K.mtx", kStiffness);
    set("contacts.csv", kColumns + "0,1,2,0,0,1,1,0,0,1000,10,1,0.5,corner,\n");
  }
  void set(const std::string& name, const std::string& text) const { write_file(folder_.path() / name, text); }
  Ran run(const std::string& arguments) const { return run_program(arguments, folder_.path()); }

 private:
  TemporaryFolder folder_;
};

// The program refuses the structure with this file in place of the good one, and says each of the words.
void check_refused(const std::string& file, const std::string& text, const std::vector<std::string>& words) {
  const Folder folder;
  folder.set(file, text);
  const Ran ran = folder.run("stability s.toml --json");
  INFO(text, "\n", ran.err);
  CHECK(ran.exit_code == 2);
  CHECK(ran.out == "");
  CHECK(ran.err.find("s.toml:") != std::string::npos);
  for (const std::string& word : words) CHECK_MESSAGE(ran.err.find(word) != std::string::npos, word);
}

void check_row_refused(const std::string& row, const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.push_back("contacts.csv:3:");
  check_refused("contacts.csv", kColumns + "0,1,2,0,0,1,1,0,0,1000,10,1,0.5\n" + row + "\n", all);
}

}  // namespace

TEST_CASE("slipset stability of a structure: modes, a .csv of each kind, the figure") {
  const Folder folder;
  const Ran ran = folder.run("stability s.toml --out there");
  INFO(ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out.find("proven complete") != std::string::npos);
  const Json json = Json::parse(folder.run("stability s.toml --json").out);
  CHECK(json.at("eigenvalues").size() == 3);
  CHECK(json.at("degrees_of_freedom") == 3);
  const Json two = Json::parse(folder.run("stability s.toml --json --set 'modes.band=[0, 30]'").out);
  CHECK(two.at("eigenvalues").size() == 1);
}

TEST_CASE("matrices that are not right are refused with their file, the place and what to do") {
  check_refused("M.mtx", kHead + "3 3 3\n1 1 1\n2 2 1\n", {"system.M", "M.mtx"});  // truncated
  check_refused("M.mtx", kHead + "3 3 4\n1 1 1\n2 2 1\n3 3 1\n1 2 0.5\n",
                {"system.M", "row 1, column 2 is 0.5", "symmetric"});
  check_refused("M.mtx", kHead + "3 3 5\n1 1 1\n2 2 1\n3 3 1\n1 2 2\n2 1 2\n", {"system.M", "not positive definite"});
  check_refused("M.mtx", kHead + "3 3 3\n1 1 1\n2 2 nan\n3 3 1\n", {"M.mtx:4"});
  check_refused("K.mtx", kHead + "2 2 2\n1 1 1\n2 2 1\n", {"system.K", "2 x 2, and M is 3 x 3", "export"});
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
  check_refused("contacts.csv", "ux,uy,uz\n0,1,2\n", {"contacts.csv:1", "no column \"nx\""});
  check_refused("contacts.csv", "0,1,2,0,0,1,1,0,0,1000,10,1,0.5\n", {"no names of columns"});
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
  check_refused("s.toml", text + "[sweep]\nparameter = \"system.friction_factor\"\nfrom = 0.1\nto = 1\ncount = 5\n",
                {"sweep", "--set system.friction_factor"});
  const Folder folder;
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
