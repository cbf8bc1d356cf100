// Every command of README and docs that names a scenario of the examples, typed as it stands there; and every scenario of
// the examples, whether named there or not, with the command that it is for.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "slipset/io/files.hpp"
#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const std::filesystem::path kSource = SLIPSET_SOURCE;

// "law examples/scenarios/wedge.toml --json", without the program's name.
std::set<std::string> documented_commands() {
  std::vector<std::filesystem::path> pages = {kSource / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  const std::regex command(
      "slipset ([a-z]+ (?:--[a-z]+ )?examples/scenarios/[\\w-]+\\.toml(?: --?[\\w-]+(?: "
      "(?:'[^']*'|[\\w.][\\w./,=-]*))?)*)");
  std::set<std::string> found;
  for (const auto& page : pages) {
    const std::string text = read_file(page);
    for (std::sregex_iterator m(text.begin(), text.end(), command), end; m != end; ++m) found.insert((*m)[1]);
  }
  return found;
}

std::string command_for(const std::string& scenario) {
  const auto has = [&](const char* text) { return scenario.find(text) != std::string::npos; };
  if (!has("\n[system]")) return "law";
  if (has("\n[cycle]")) return "cycle";
  return has("\n[integrator]") || has("\"pulled-block\"") ? "run" : "stability";
}

bool holds_nan(const std::string& text) {
  static const std::regex nan("(^|[,:\\[ \n])-?(nan|inf|infinity)([,\\] \n]|$)", std::regex::icase);
  return std::regex_search(text, nan);
}

// Runs without a complaint, and what it writes are numbers.
void check_runs(const std::string& command) {
  const TemporaryFolder folder;
  std::filesystem::create_directory_symlink(kSource / "examples", folder.path() / "examples");
  const Ran ran = run_program(command, folder.path());
  INFO(command, "\n", ran.out, ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out != "");
  if (command.find("--json") != std::string::npos) {
    CHECK_NOTHROW(nlohmann::json::parse(ran.out));
    CHECK_FALSE(holds_nan(ran.out));
    return;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path() / "out")) {
    if (!entry.is_regular_file()) continue;
    INFO(entry.path().filename().string());
    CHECK(entry.file_size() > 0);
    if (entry.path().extension() == ".csv" || entry.path().extension() == ".json")
      CHECK_FALSE(holds_nan(read_file(entry.path())));
    ++files;
  }
  CHECK(files > 0);
}

}  // namespace

TEST_CASE("the commands of README and docs run as they are written there") {
  const std::set<std::string> commands = documented_commands();
  CHECK(commands.size() >= 15);
  for (const std::string& command : commands) check_runs(command);
}

TEST_CASE("every scenario of the examples runs as shipped") {
  const std::set<std::string> documented = documented_commands();
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "examples/scenarios")) {
    const std::string name = "examples/scenarios/" + entry.path().filename().string();
    const std::string command = command_for(read_file(entry.path())) + " " + name;
    ++count;
    if (!documented.contains(command)) check_runs(command);
  }
  CHECK(count >= 40);
}

TEST_CASE("what looks for NaN in results finds it") {
  CHECK(holds_nan("t,x\n0,nan\n"));
  CHECK(holds_nan("0,1,-inf\n"));
  CHECK(holds_nan("nan\n"));
  CHECK_FALSE(holds_nan("name,information\n1,2\n"));
}
