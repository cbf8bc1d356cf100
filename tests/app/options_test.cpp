// Every option and word that a command does not know is refused, by every command.
#include <doctest/doctest.h>

#include <vector>

#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

struct Command {
  const char* name;
  const char* good;                  // its arguments, which work
  std::vector<const char*> foreign;  // options of other commands
};

const std::vector<Command> kCommands = {
    {"law", "a.toml", {"--resume", "--checkpoint 1", "--method newton", "--show", "--model path", "--markdown shapes"}},
    {"run", "a.toml", {"--velocity 1,0", "--step 5", "--tolerance 1", "--show", "--lowpass 1", "--fps 3", "--every 2"}},
    {"stability", "belt.toml", {"--resume", "--velocity 1,0", "--max-iterations 3", "--show"}},
    {"cycle", "belt.toml", {"--resume", "--save-problems p", "--method newton", "--markdown systems"}},
    {"solve", "one.dat", {"--set a=1", "--resume", "--velocity 1,0", "--show", "--model path"}},
    {"study", "walker2016-fig7", {"--set a=1", "--resume", "--method newton", "--markdown studies"}},
    {"list",
     "",
     {"--set a=1", "--resume", "--show", "--method newton", "extra", "--out d", "--format svg", "--threads 1",
      "--markdown shapes --json", "--markdown shapes --quiet"}},
    {"identify", "pull.csv --model elastic-interface", {"--resume", "--velocity 1,0", "--tolerance 3x", "--show"}},
    {"track", "film.mp4", {"--set a=1", "--resume", "--model path", "--method newton"}}};

}  // namespace

TEST_CASE("unknown options and words are refused by each command, and nothing is written") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.toml",
             "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\n[system]\nkind = \"sliding-body\"\nmass = 1\n"
             "[initial]\nvelocity = [1, 0]\n[integrator]\nstep = 0.01\nuntil = \"stick\"\n");
  std::filesystem::copy_file(SLIPSET_SOURCE "/examples/scenarios/belt-limit-cycle.toml", folder.path() / "belt.toml");
  write_file(folder.path() / "one.dat", "3 1 0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 2 0\n0.5\n");
  for (const Command& command : kCommands) {
    std::vector<std::string> wrong = {"--nonsense",     "--nonsense 3", "-z",           "--jso",        "--json=maybe",
                                      "--out",          "--threads",    "--threads x",  "--threads -1", "--threads 1.5",
                                      "--threads 5000", "--format",     "--format gif", "--quiet=2x",   "--Json"};
    for (const char* foreign : command.foreign) wrong.emplace_back(foreign);
    for (const std::string& option : wrong) {
      const std::string arguments = std::string(command.name) + " " + command.good + " " + option;
      CAPTURE(arguments);
      const Ran ran = run_program(arguments, folder.path());
      CHECK(ran.exit_code == 2);
      CHECK(ran.out == "");
      CHECK(ran.err.starts_with("slipset: "));
    }
  }
  for (const char* words : {"run a.toml belt.toml", "stability belt.toml belt.toml", "cycle belt.toml x", "nonsense",
                            "--nonsense", "law", "run", "stability", "cycle", "solve", "identify", "track", "list x",
                            "law a.toml --velocity", "law a.toml --velocity 0,0", "law a.toml --out ''",
                            "run a.toml --set system.mass=1e400", "run a.toml --checkpoint", "run a.toml --every 3"}) {
    CAPTURE(words);
    const Ran ran = run_program(words, folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
  }
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out"));
}
