// What the program leaves behind: all of the output, or an error; one run's files, and nobody else's replaced.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kExamples = SLIPSET_SOURCE "/examples/scenarios/";

std::string example(const std::string& name) { return "'" + kExamples + name + ".toml'"; }

void write_contact_problem(const fs::path& path) {
  write_file(path, "3 1 0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 2 0\n0.5\n");
}

// Programs are looked for in another place as long as this lives.
class Path {
 public:
  explicit Path(const std::string& value) : before_(::getenv("PATH")) { ::setenv("PATH", value.c_str(), 1); }
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("of two scenarios with one name the second does not replace the results of the first") {
  const TemporaryFolder folder;
  const std::string belt = read_file(kExamples + "belt-limit-cycle.toml");
  for (const char* where : {"a", "b"}) {
    fs::create_directories(folder.path() / where);
    write_file(folder.path() / where / "belt.toml", belt);
  }
  // The law and the system alone are a scenario of stability.
  const std::string steady = belt.substr(0, belt.find("[initial]"));
  for (const std::string command : {"law", "run", "stability", "cycle"}) {
    CAPTURE(command);
    for (const char* where : {"a", "b"})
      write_file(folder.path() / where / "belt.toml", command == "stability" ? steady : belt);
    const std::string short_run = command == "run" ? " --set integrator.duration=1" : "";
    REQUIRE(run_program(command + " a/belt.toml --quiet" + short_run, folder.path()).exit_code == 0);
    const fs::path written = folder.path() / "out/belt" / (command + ".json");
    const std::string first = read_file(written);
    CHECK(Json::parse(first).at("files") == Json::array({"a/belt.toml"}));
    const Ran second = run_program(command + " b/belt.toml --quiet" + short_run, folder.path());
    CHECK(second.exit_code == 2);
    CHECK(second.err.find("out/belt holds the results of a/belt.toml, not of b/belt.toml") != std::string::npos);
    CHECK(read_file(written) == first);
    CHECK(run_program(command + " ./a/../a/belt.toml --quiet" + short_run, folder.path()).exit_code == 0);
    CHECK(run_program(command + " b/belt.toml --quiet --out " + command + short_run, folder.path()).exit_code == 0);
  }
}

TEST_CASE("F2: output that is lost is exit code 2, of every command") {
  const TemporaryFolder folder;
  write_contact_problem(folder.path() / "one.dat");
  write_file(folder.path() / "pull.csv", "alpha,phi\n10,5\n20,9\n30,16\n40,24\n");
  for (const std::string& command :
       {"law " + example("two-ellipses"), "run " + example("sliding-body"), "stability " + example("belt-stability"),
        "cycle " + example("belt-limit-cycle"), std::string("solve one.dat"), std::string("list"),
        std::string("study walker2016-fig7"), std::string("identify pull.csv --model elastic-interface")}) {
    CAPTURE(command);
    for (const std::string mode : {"", " --json"}) {
      const Ran full = run_program(command + mode + " >/dev/full", folder.path());
      CHECK(full.exit_code == 2);
      CHECK(full.err.find("standard output cannot be written: No space left on device") != std::string::npos);
    }
    CHECK(run_program(command + " --json >&-", folder.path()).exit_code == 2);
    CHECK(run_program(command + " --quiet >/dev/full", folder.path()).exit_code == 0);
  }
  for (const std::string text : {"study walker2016-fig7 --show", "list --markdown shapes", "--help", "law --help",
                                 "study --help", "--version"}) {
    CAPTURE(text);
    CHECK(run_program(text, folder.path()).exit_code == 0);
    CHECK(run_program(text + " >/dev/full", folder.path()).exit_code == 2);
  }
  // Errors have nowhere to go then, which changes no exit code.
  CHECK(run_program("law none.toml 2>/dev/full", folder.path()).exit_code == 2);
}

TEST_CASE("F3: without gnuplot no old picture stays beside new numbers") {
  const TemporaryFolder folder;
  const auto at = [&](const char* name) { return fs::exists(folder.path() / "there" / name); };
  REQUIRE(run_program("run " + example("sliding-body") + " --out there", folder.path()).exit_code == 0);
  CHECK(at("path.png"));
  {
    const Path none("/none");
    const Ran ran = run_program("run " + example("sliding-body") + " --out there", folder.path());
    CHECK(ran.exit_code == 0);
    CHECK(ran.err.find("gnuplot was not found") != std::string::npos);
  }
  CHECK_FALSE(at("path.png"));
  CHECK(at("path.gp"));
  CHECK(at("run.json"));
}

TEST_CASE("F3: a picture that could not be drawn is exit code 2, and no old one stays") {
  const TemporaryFolder folder;
  REQUIRE(run_program("law " + example("two-ellipses") + " --out there", folder.path()).exit_code == 0);
  fs::create_directory(folder.path() / "bin");
  write_file(folder.path() / "bin" / "gnuplot", "#!/bin/sh\necho 'half a picture' > law.$PPID.part\n");
  fs::permissions(folder.path() / "bin" / "gnuplot", fs::perms::owner_all);
  const Path other((folder.path() / "bin").string());
  const Ran ran = run_program("law " + example("two-ellipses") + " --out there", folder.path());
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.find("law.png could not be written completely; is the disk full?") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "there" / "law.png"));
  CHECK(fs::exists(folder.path() / "there" / "law.json"));
}

TEST_CASE("a picture that could not be drawn does not hide that the result cannot be trusted") {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "bin");
  write_file(folder.path() / "bin" / "gnuplot", "#!/bin/sh\nexit 1\n");
  fs::permissions(folder.path() / "bin" / "gnuplot", fs::perms::owner_all);
  const std::string run = "run " + example("sliding-body") + " --out there --checkpoint 0 ";
  {
    const Path other((folder.path() / "bin").string());
    const Ran drawn = run_program(run, folder.path());
    CHECK(drawn.exit_code == 2);
    CHECK(drawn.err.find("could not draw the figure: gnuplot failed") != std::string::npos);
    CHECK_FALSE(fs::exists(folder.path() / "there" / "run.checkpoint"));  // the results are there
    // A step beyond stability: exit code 3 with every picture, and without.
    write_file(folder.path() / "lost.toml",
               "[law]\nregularize = { kind = \"quinn\", epsilon = 0.02 }\n[system]\nkind = \"chain\"\nblocks = 1000\n"
               "forcing = { amplitude = 0.25, frequency = 0.5 }\n[integrator]\nstep = 0.01\nduration = 20\n[output]\n"
               "every = 1000000\n");
    const Ran lost = run_program("run lost.toml --out lost", folder.path());
    CHECK(lost.exit_code == 3);
    CHECK(lost.err.find("could not draw the figure") != std::string::npos);
  }
  CHECK(run_program(run, folder.path()).exit_code == 0);
}

TEST_CASE("F3: another format, and a map after a sweep, leave no table of the run before") {
  const TemporaryFolder folder;
  const auto at = [&](const char* name) { return fs::exists(folder.path() / "there" / name); };
  const std::string whole = read_file(kExamples + "sliding-body.toml"), body = whole.substr(0, whole.find("[output]"));
  write_file(folder.path() / "csv.toml", body);
  write_file(folder.path() / "h5.toml", body + "\n[output]\nformats = [\"hdf5\"]\nfigures = [\"time\"]\n");
  REQUIRE(run_program("run csv.toml --out there", folder.path()).exit_code == 0);
  CHECK(at("run.csv"));
  CHECK(at("path.png"));
  REQUIRE(run_program("run h5.toml --out there", folder.path()).exit_code == 0);
  for (const char* gone : {"run.csv", "path.png", "path.gp", "force.png"}) CHECK_FALSE(at(gone));
  for (const char* kept : {"run.h5", "time.png", "run.json"}) CHECK(at(kept));

  const std::string belt = read_file(kExamples + "belt-stability.toml");
  const std::string front = belt.substr(0, belt.find("[sweep]"));
  REQUIRE(front.size() < belt.size());
  const std::string sweep = "[sweep]\nparameter = \"system.belt.angle\"\nfrom = 0\nto = 90\ncount = 4\n";
  write_file(folder.path() / "sweep.toml", front + sweep);
  write_file(folder.path() / "map.toml",
             front + sweep + "second = { parameter = \"system.belt.speed\", from = 1, to = 2, count = 3 }\n");
  REQUIRE(run_program("stability sweep.toml --out there", folder.path()).exit_code == 0);
  CHECK(at("sweep.csv"));
  REQUIRE(run_program("stability map.toml --out there", folder.path()).exit_code == 0);
  CHECK_FALSE(at("sweep.csv"));
  CHECK(at("boundary.csv"));
  CHECK(at("run.h5"));  // of another command
}

TEST_CASE("F13, F19: a folder that cannot take the results is refused before the work, and nothing is replaced") {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "there");
  for (const char* name : {"run.csv", "path.gp", "law.json", "stability.json", "cycle.json", "study.json"}) {
    fs::remove_all(folder.path() / "there");
    fs::create_directory(folder.path() / "there");
    write_file(folder.path() / "there" / name, "mine");
    const std::string command = std::string(name).starts_with("law")         ? "law " + example("two-ellipses")
                                : std::string(name).starts_with("stability") ? "stability " + example("belt-stability")
                                : std::string(name).starts_with("cycle")     ? "cycle " + example("belt-limit-cycle")
                                : std::string(name).starts_with("study")     ? "study walker2016-fig7"
                                                                             : "run " + example("sliding-body");
    CAPTURE(command);
    const Ran ran = run_program(command + " --out there", folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    CHECK(ran.err.find("not written by slipset") != std::string::npos);
    CHECK(read_file(folder.path() / "there" / name) == "mine");
    CHECK(std::distance(fs::directory_iterator(folder.path() / "there"), fs::directory_iterator()) == 1);
    const Ran blocked = run_program(command + " --json --out 'there/" + name + "/x'", folder.path());
    CHECK(blocked.exit_code == 2);
    CHECK(blocked.err.find("cannot be written") != std::string::npos);
  }
}

TEST_CASE("F19: a title with an apostrophe has its picture; control characters do not reach the terminal") {
  const TemporaryFolder folder;
  write_file(folder.path() / "it's.toml",
             "title = \"Coulomb's law \\u001b[31m\\u0007 \\u009b31m, `date` \\\"quoted\\\" \\\\ %s {}\"\n"
             "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\n[system]\nkind = \"sliding-body\"\nmass = 1\n"
             "[initial]\nvelocity = [1, 0]\n[integrator]\nstep = 0.01\nuntil = \"stick\"\n");
  for (const std::string command : {"law", "run"}) {
    const Ran ran = run_program(command + " \"it's.toml\" --out " + command, folder.path());
    CHECK(ran.exit_code == 0);
    CHECK(ran.err == "");
    CHECK((ran.out + ran.err).find('\x1b') == std::string::npos);
  }
  CHECK(fs::exists(folder.path() / "law" / "law.png"));
  CHECK(fs::exists(folder.path() / "run" / "time.png"));
  write_file(folder.path() / "bad.toml", "[law]\n\"a\\u001b[31mb\" = 1\n");
  const Ran bad = run_program("law bad.toml", folder.path());
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find('\x1b') == std::string::npos);
  CHECK(bad.err.find("a\\x1b[31mb") != std::string::npos);
}

TEST_CASE("--format: pictures as svg and pdf") {
  const TemporaryFolder folder;
  for (const auto& [format, front] : {std::pair<std::string, std::string>{"svg", "<?xml"}, {"pdf", "%PDF"}}) {
    const Ran ran = run_program("law " + example("two-ellipses") + " --out there --format " + format, folder.path());
    CHECK(ran.exit_code == 0);
    CHECK(ran.err == "");
    CHECK(read_file(folder.path() / "there" / ("law." + format)).starts_with(front));
    CHECK_FALSE(fs::exists(folder.path() / "there" / "law.png"));
  }
  CHECK_FALSE(fs::exists(folder.path() / "there" / "law.svg"));
  const Ran wrong = run_program("law " + example("two-ellipses") + " --out there --format gif", folder.path());
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("--format: found \"gif\"; expected png, svg or pdf") != std::string::npos);
  // Names only: CLI11 would take the number of an enumerator, too.
  for (const char* number : {"0", "2", "Pdf"})
    CHECK(run_program("law " + example("two-ellipses") + " --out there --format " + number, folder.path()).exit_code ==
          2);
}
