// The program as people use it: exit codes, what goes to which stream, which files appear.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/near.hpp"
#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

const std::set<std::string> kAlongLine = {"forced-oscillator", "chain", "two-blocks", "spring-slider"};
const std::string kScenario = SLIPSET_SOURCE "/examples/scenarios/two-ellipses.toml";

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::recursive_directory_iterator(folder)) ++count;
  return count;
}

}  // namespace

TEST_CASE("slipset law prints the table and the reasons, and leaves the picture with script and data") {
  const TemporaryFolder folder;
  const Ran ran = run_program("law '" + kScenario + "'", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out.find("can destabilise        yes") != std::string::npos);
  CHECK(ran.out.find("44.10583469 to 75.89416531") != std::string::npos);
  for (const char* file : {"law.png", "law.gp", "law.json", "law-sets.dat"})
    CHECK(std::filesystem::exists(folder.path() / "out" / "two-ellipses" / file));
}

TEST_CASE("--json: one object on standard output, no files unless --out is given") {
  const TemporaryFolder folder;
  const Ran ran = run_program("law '" + kScenario + "' --json --velocity 1,0.5", folder.path());
  CHECK(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("directions").size() == 72);
  CHECK(json.at("jacobian").size() == 2);
  CHECK(json.at("can_destabilise").at("value") == true);
  CHECK(files_in(folder.path()) == 0);
  const Ran with_out = run_program("law '" + kScenario + "' --json --out there --step 90", folder.path());
  CHECK(Json::parse(with_out.out).at("directions").size() == 4);
  CHECK(Json::parse(read_file(folder.path() / "there" / "law.json")) == Json::parse(with_out.out));
}

TEST_CASE("--quiet prints nothing, and still writes") {
  const TemporaryFolder folder;
  const Ran ran = run_program("law '" + kScenario + "' --quiet --out there", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(ran.out + ran.err == "");
  CHECK(std::filesystem::exists(folder.path() / "there" / "law.png"));
}

TEST_CASE("bad input: exit code 2, the reason on standard error, nothing on standard output, no file") {
  const TemporaryFolder folder;
  write_file(folder.path() / "bad.toml", "[law]\nreservoir = { shape = \"disk\", radius = -1 }\n");
  std::filesystem::copy_file(kScenario, folder.path() / "good.toml");
  const std::pair<const char*, const char*> rows[] = {
      {"law bad.toml", "bad.toml:2:40: law.reservoir.radius: found -1; expected a number above 0"},
      {"law bad.toml --json", "expected a number above 0"},
      {"law none.toml", "none.toml: cannot be read: No such file or directory"},
      {"law .", "this is a folder"},
      {"law", "FILE is required"},
      {"lwa bad.toml", "unknown command \"lwa\"; did you mean \"law\"?"},
      {"", "subcommand is required"},
      {"law bad.toml --velocty 1,2", "--velocty"},
      {"law good.toml --velocity 1", "--velocity: found \"1\"; expected two numbers"},
      {"law good.toml --velocity a,b", "--velocity: found"},
      {"law good.toml --step 0", "--step: found \"0\"; expected degrees"},
      {"law good.toml --step nan", "--step: found \"nan\""},
      {"law good.toml --threads -3", "--threads"},
      {"list extra", "extra"}};
  for (const auto& row : rows) {
    INFO(row.first);
    const Ran ran = run_program(row.first, folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    CHECK(ran.err.find(row.second) != std::string::npos);
  }
  CHECK(files_in(folder.path()) == 2);
  const Ran nan = run_program("law '" + kScenario + "' --json --velocity nan,0", folder.path());
  CHECK(nan.exit_code == 2);
  // A folder that cannot be made: an error before anything is printed.
  const Ran blocked = run_program("law '" + kScenario + "' --out bad.toml/x", folder.path());
  CHECK(blocked.exit_code == 2);
  CHECK(blocked.out == "");
  CHECK(blocked.err.find("cannot be written") != std::string::npos);
}

TEST_CASE("slipset run: result as JSON, table and pictures; nothing is left of a wrong file") {
  const TemporaryFolder folder;
  const std::string scenario = SLIPSET_SOURCE "/examples/scenarios/sliding-body.toml";
  const Ran json = run_program("run '" + scenario + "' --json", folder.path());
  CHECK(json.exit_code == 0);
  CHECK(Json::parse(json.out).at("stop_time").get<double>() == near(0.873260004774, 1e-4));
  CHECK(files_in(folder.path()) == 0);
  const Ran ran = run_program("run '" + scenario + "' --out there", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");  // progress is for terminals
  for (const char* file : {"run.csv", "run.json", "path.png", "force.png", "time.png"})
    CHECK(std::filesystem::exists(folder.path() / "there" / file));
  const Ran wrong = run_program("run '" + kScenario + "' --out wrong", folder.path());
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("give a table [system] with its kind") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "wrong"));
}

TEST_CASE("slipset study: exit code 0 if it agrees, 1 if a published number is falsified, 2 for a wrong name") {
  const TemporaryFolder folder;
  const Ran ran = run_program("study walker2016-fig7", folder.path());
  CHECK(ran.exit_code == 0);
  CHECK(ran.err == "");
  for (const char* file : {"study.json", "study.md", "forces.csv", "force.png", "force.gp"})
    CHECK(std::filesystem::exists(folder.path() / "out" / "studies" / "walker2016-fig7" / file));

  // Its own file, as shown, with another number.
  std::string text = run_program("study walker2016-fig7 --show", folder.path()).out;
  CHECK(text == read_file(SLIPSET_SOURCE "/studies/walker2016/fig7.toml"));
  const std::string value = "value = 0.80732706";
  text.replace(text.find(value), value.size(), "value = 0.808");
  write_file(folder.path() / "mine.toml", "study = \"walker2016-fig7\"\n" + text);
  const Ran wrong = run_program("study mine.toml --out there", folder.path());
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.out.find("DISAGREES") != std::string::npos);
  const Json json = Json::parse(read_file(folder.path() / "there" / "study.json"));
  CHECK(json.at("agrees") == false);
  CHECK(json.at("name") == "mine");

  const Ran both = run_program("study mine.toml walker2016-fig7 --json", folder.path());
  CHECK(both.exit_code == 1);
  CHECK(Json::parse(both.out).at("agrees") == false);
  CHECK(Json::parse(both.out).at("studies")[1].at("agrees") == true);
  const Ran one = run_program("study walker2016-fig7 --json", folder.path());
  CHECK(Json::parse(one.out).at("rows")[0].at("published") == 0.80732706);

  const Ran unknown = run_program("study walker2016-fig9 --out nowhere", folder.path());
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.out == "");
  CHECK(unknown.err.find("unknown study \"walker2016-fig9\"; did you mean \"walker2016-fig") != std::string::npos);
  CHECK(run_program("study walker2016-fig7 none.toml", folder.path()).exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "nowhere"));
}

TEST_CASE("ball, box and snake of the examples run, and end as they must") {
  const TemporaryFolder folder;
  const auto result = [&](const std::string& name) {
    const Ran ran = run_program("run '" SLIPSET_SOURCE "/examples/scenarios/" + name + ".toml' --json", folder.path());
    CHECK(ran.exit_code == 0);
    return Json::parse(ran.out);
  };
  // Rolling: (5 v + 2 r ω × e_z)/7, whatever the law.
  const Json ball = result("rolling-ball");
  CHECK(ball.at("velocity")[0].get<double>() == near((5 * 1.0 - 2 * 0.0286 * 40) / 7, 1e-9));
  CHECK(ball.at("velocity")[1].get<double>() == near((5 * 0.4 - 2 * 0.0286 * 60) / 7, 1e-9));
  // At rest, flat on one of its sides.
  const Json box = result("tumbling-box");
  CHECK(box.at("stop_time").is_number());
  CHECK(std::abs(std::remainder(box.at("position")[3].get<double>(), 1.5707963267948966)) < 1e-3);
  // It has gone along a curve to the left, and friction took what the joints gave.
  const Json snake = result("snake-robot");
  CHECK(snake.at("path_length").get<double>() > 3);
  CHECK(snake.at("position")[2].get<double>() > 2);
  CHECK(std::abs(snake.at("energy_residual").get<double>()) < 1e-5);
}

TEST_CASE("slipset run: event-driven, and a system of one degree of freedom") {
  const TemporaryFolder folder;
  const std::string law = "[law]\nreservoir = { shape = \"rectangle\", semi_axes = [0.4, 0.2] }\n";
  write_file(folder.path() / "slide.toml",
             law +
                 "[system]\nkind = \"sliding-body\"\nmass = 1\n"
                 "[initial]\nvelocity = [1.4142135623730951, 1.4142135623730951]\n"
                 "[integrator]\nkind = \"event-driven\"\nstep = 0.01\nuntil = \"stick\"\n");
  const Ran ran = run_program("run slide.toml --json", folder.path());
  CHECK(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("report").at("integrator") == "event-driven");
  CHECK(std::abs(json.at("stop_time").get<double>() - 0.720802019558) < 1e-10);
  CHECK(std::abs(json.at("position")[1].get<double>() - 0.509683995923) < 1e-10);

  write_file(folder.path() / "one.toml", law +
                                             "[system]\nkind = \"linear\"\nM = [[1]]\nK = [[1]]\n"
                                             "contacts = [{ normal_force = 1, tangents = [[1], [0]] }]\n"
                                             "[initial]\nposition = [2]\n[integrator]\nstep = 1e-3\nduration = 10\n");
  CHECK(run_program("run one.toml", folder.path()).exit_code == 0);
  CHECK(std::filesystem::exists(folder.path() / "out/one/time.png"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out/one/path.png"));
}

TEST_CASE("a full disk behind standard output is an error, not a crash") {
  const TemporaryFolder folder;
  CHECK(run_program("law '" + kScenario + "' --json >/dev/full", folder.path()).exit_code == 2);
}

TEST_CASE("--help gives an example; list names every shape; --version") {
  const TemporaryFolder folder;
  for (const char* command : {"law", "run", "study", "list"}) {
    const Ran ran = run_program(std::string(command) + " --help", folder.path());
    CHECK(ran.exit_code == 0);
    CHECK(ran.out.find("Example: slipset ") != std::string::npos);
    for (const char* option : {"--json", "--quiet"}) CHECK(ran.out.find(option) != std::string::npos);
    for (const char* option : {"--out", "--threads"})  // list only prints
      CHECK((ran.out.find(option) != std::string::npos) == (command != std::string("list")));
  }
  CHECK(run_program("--help", folder.path()).exit_code == 0);
  CHECK(run_program("--version", folder.path()).out == "slipset 0.1.0\n");
  const Json list = Json::parse(run_program("list --json", folder.path()).out);
  CHECK(list.at("shapes").size() == 10);
  CHECK(list.at("studies").dump().find("walker2016-fig6") != std::string::npos);
  CHECK(run_program("list", folder.path()).out.find("superellipse") != std::string::npos);
}

TEST_CASE("every scenario of the examples has a law that can be described") {
  const TemporaryFolder folder;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPSET_SOURCE "/examples/scenarios")) {
    if (entry.path().extension() != ".toml" || kAlongLine.contains(entry.path().stem().string())) continue;
    const Ran ran = run_program("law '" + entry.path().string() + "' --json", folder.path());
    INFO(entry.path().string(), ran.err);
    CHECK(ran.exit_code == 0);
    ++count;
  }
  CHECK(count >= 5);
}

TEST_CASE("run: the examples along one line, files and JSON; a step beyond stability is exit code 3") {
  const TemporaryFolder folder;
  for (const std::string& name : kAlongLine) {
    const Ran ran = run_program("run '" SLIPSET_SOURCE "/examples/scenarios/" + name + ".toml' --json --out " + name,
                                folder.path());
    INFO(name, ran.err);
    CHECK(ran.exit_code == 0);
    const auto json = nlohmann::json::parse(ran.out);
    CHECK(json.at("report").at("finished") == true);
    CHECK(std::abs(json.at("energy_residual").get<double>()) < 1e-9);
    for (const char* file : {"run.csv", "run.json", "time.gp", "force.gp"})
      CHECK(std::filesystem::exists(folder.path() / name / file));
  }
  write_file(
      folder.path() / "lost.toml",
      "[law]\nregularize = { kind = \"quinn\", epsilon = 0.02 }\n[system]\nkind = \"chain\"\nblocks = 1000\nforcing "
      "= { amplitude = 0.25, frequency = 0.5 }\n[integrator]\nstep = 0.01\nduration = 20\n[output]\nevery = 1000000\n");
  CHECK(run_program("run lost.toml --json", folder.path()).exit_code == 3);
  write_file(folder.path() / "wrong.toml",
             "[law]\nregularize = { kind = \"quinn\", epsilon = 0 }\n[system]\nkind = "
             "\"chain\"\nblocks = 10\n");
  CHECK(run_program("run wrong.toml", folder.path()).exit_code == 2);
}

TEST_CASE("slipset solve: table, JSON, files; exit code 2 for broken problems, 3 for unsolved ones") {
  const TemporaryFolder folder;
  const std::filesystem::path one = folder.path() / "one.dat", broken = folder.path() / "broken.dat";
  write_file(one,
             "3 2 1 6 6\n4 2 2\n3 6\n3 6\n3 4\n0 2 4\n0 1 0 1\n0\n1 0 0 0 1 0 0 0 1\n1\n.5 0 0 0 .5 0 0 0 .5\n"
             "2\n.5 0 0 0 .5 0 0 0 .5\n3\n1 0 0 0 1 0 0 0 1\n-1 2 0 -1 0 2\n0.5 0.5\n");
  write_file(broken, "3 2 1 6 6\n4 2 2\n");
  const Ran table = run_program("solve one.dat --out results", folder.path());
  CHECK(table.exit_code == 0);
  CHECK(table.err == "");
  CHECK(table.out.find("one.dat") != std::string::npos);
  CHECK(std::filesystem::exists(folder.path() / "results" / "one.dat.csv"));
  const Ran json = run_program("solve one.dat one.dat --json --method newton --tolerance 1e-12", folder.path());
  CHECK(json.exit_code == 0);
  const Json result = Json::parse(json.out);
  CHECK(result["problems"].size() == 2);
  CHECK(result["problems"][0]["full_error"].get<double>() <= 1e-12);
  const Ran bad = run_program("solve one.dat broken.dat", folder.path());
  CHECK(bad.exit_code == 2);
  CHECK(bad.out == "");
  CHECK(bad.err.find("broken.dat:") != std::string::npos);
  CHECK(run_program("solve one.dat --method newtn", folder.path()).err.find("\"newton\"") != std::string::npos);
  CHECK(run_program("solve one.dat --tolerance 1e-300 --max-iterations 3", folder.path()).exit_code == 3);
}

TEST_CASE("a command whose program is not beside slipset is refused, with what to build") {
  const TemporaryFolder folder;
  const std::filesystem::path alone = folder.path() / "slipset";
  std::filesystem::copy_file(SLIPSET_PROGRAM, alone);
  for (const std::string command : {"identify", "study", "track"}) {
    CAPTURE(command);
    const Ran ran = run_program(command + " --help", folder.path(), alone.string());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("slipset-" + command + " is not beside slipset") != std::string::npos);
  }
  CHECK(run_program("list --quiet", folder.path(), alone.string()).exit_code == 0);
}
