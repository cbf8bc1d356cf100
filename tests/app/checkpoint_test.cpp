// Kill, resume, full disks: what is on disk is always whole, and a resumed run ends with the unbroken run's bytes.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/structure_folder.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

// A limit cycle with stick and slip and with steps of several solutions. Shorter where SLIPSET_SAMPLES asks for less,
// as in builds with sanitizers.
std::string scenario_of(double duration, const std::string& formats = "[\"csv\", \"hdf5\"]") {
  return fmt::format(
      "[law]\nreservoir = {{ shape = \"ellipse\", semi_axes = [30, 10], angle = 30 }}\n"
      "direction = {{ shape = \"ellipse\", semi_axes = [3, 1] }}\n"
      "[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 1\nnormal_force = 1\nbelt = {{ speed = 1, angle = 50 "
      "}}\n"
      "[initial]\nposition = \"equilibrium\"\nperturbation = [0.1, 0]\n"
      "[integrator]\nstep = 0.01\nduration = {}\n[output]\nevery = 100\nformats = {}\nfigures = []\n",
      duration * std::min(1.0, sample_count() / 3000.0), formats);
}

// Starts the program; the child's number.
pid_t start(const std::vector<std::string>& arguments, const fs::path& in, rlim_t file_size = RLIM_INFINITY) {
  std::vector<std::string> words{SLIPSET_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = (in / "stdout").string(), err = (in / "stderr").string();
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (::chdir(in.c_str()) != 0) ::_exit(126);
  ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), 1);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
  const rlimit limit{file_size, file_size};
  if (file_size != RLIM_INFINITY) ::setrlimit(RLIMIT_FSIZE, &limit);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_running(pid_t child) {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Every file of a folder with its content.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[fs::relative(entry.path(), folder).string()] = entry.is_regular_file() ? read_file(entry.path()) : "folder";
  return files;
}

// run.json without the time of computing.
// How long it took and what the file is called may differ.
Json without_names(const std::string& text) {
  Json json = Json::parse(text);
  json.erase("seconds");
  json.erase("files");
  return json;
}

void check_same_results(const fs::path& a, const fs::path& b, const std::string& name = "run",
                        const std::string& table = "run.csv") {
  auto files_a = content_of(a), files_b = content_of(b);
  const std::string json = name + ".json";
  REQUIRE(files_a.count(json) == 1);
  REQUIRE(files_b.count(json) == 1);
  CHECK((without_names(files_a[json]) == without_names(files_b[json])));
  files_a.erase(json);
  files_b.erase(json);
  CHECK(files_a.count(table) == 1);
  for (const auto& file : files_a) {  // nothing more, nothing less, and no checkpoint
    INFO(file.first);
    CHECK(files_b.count(file.first) == 1);
    CHECK((files_b[file.first] == file.second));
  }
  CHECK(files_a.size() == files_b.size());
}

double seconds_of_unbroken_run(const fs::path& folder) {
  const auto began = std::chrono::steady_clock::now();
  REQUIRE(run_program("run s.toml --out whole", folder).exit_code == 0);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

TEST_CASE("killed at ten random moments and resumed: the results of the unbroken run") {
  const TemporaryFolder folder;
  write_file(folder.path() / "s.toml", scenario_of(3000));
  const double whole = seconds_of_unbroken_run(folder.path());
  Random random(91);
  int kills = 0, resumed = 0;
  // Moments from before the first checkpoint to after the end; a run that was too quick is started again.
  for (int attempt = 0; attempt < 200 && kills < 10; ++attempt) {
    const pid_t child = start(
        {"run", "s.toml", "--out", "broken", "--checkpoint", kills % 2 ? "0" : "0.01", "--resume"}, folder.path());
    sleep_for(random.uniform(0, 0.4 * whole));
    ::kill(child, SIGKILL);
    const int code = wait_for(child);
    CHECK((code == 0 || code == 128 + SIGKILL));
    kills += code != 0;
    resumed += read_file(folder.path() / "stderr").find("resuming from t = ") != std::string::npos;
  }
  CHECK(kills == 10);
  CHECK(resumed > 0);
  CHECK(run_program("run s.toml --out broken --resume", folder.path()).exit_code == 0);
  check_same_results(folder.path() / "whole", folder.path() / "broken");
}

TEST_CASE("Ctrl-C leaves a checkpoint, says how to resume, and gives the shell's exit code") {
  const TemporaryFolder folder;
  write_file(folder.path() / "s.toml", "title = \"t\"\n" + scenario_of(1500));
  const double whole = seconds_of_unbroken_run(folder.path());
  fs::copy_file(folder.path() / "s.toml", folder.path() / "it's a b.toml");
  for (const int signal : {SIGINT, SIGTERM}) {
    int code = 0;
    std::string err;
    // Before it has begun, a signal ends it as any process, without a word; after its end it comes too late. Between the
    // two it must speak: moments are tried until one is there.
    for (int attempt = 0; attempt < 40 && (code != 128 + signal || err.empty()); ++attempt) {
      const pid_t child =
          start({"run", "it's a b.toml", "--out", "broken", "--threads", "1", "--format", "svg", "--checkpoint", "60"},
                folder.path());
      sleep_for(whole * (0.1 + 0.02 * attempt));
      ::kill(child, signal);
      code = wait_for(child);
      err = read_file(folder.path() / "stderr");
    }
    CHECK(code == 128 + signal);
    const std::string command =
        R"(run 'it'\''s a b.toml' --resume --out broken --checkpoint 60 --format svg --threads 1)";
    INFO(err);
    CHECK(err.find("resume with: slipset " + command + "\n") != std::string::npos);
    CHECK(fs::exists(folder.path() / "broken" / "run.checkpoint"));
    const Ran resumed = run_program(command, folder.path());
    CHECK(resumed.exit_code == 0);
    check_same_results(folder.path() / "whole", folder.path() / "broken");
    fs::remove_all(folder.path() / "broken");
  }
}

TEST_CASE("Ctrl-C in a run without checkpoints: the results up to there") {
  const TemporaryFolder folder;
  write_file(
      folder.path() / "s.toml",
      "[system]\nkind = \"spring-slider\"\nmass = 1\nstiffness = 100\nfriction_limit = 3\nstatic_limit = 4\n"
      "speed = 0.1\n[integrator]\nkind = \"event-driven\"\nstep = 100\nduration = 1e6\n[output]\nfigures = []\n");
  const fs::path table = folder.path() / "out" / "run.csv";
  for (double wait = 0.05; wait < 20 && !fs::exists(table); wait *= 2) {  // before it has begun a signal just ends it
    const pid_t child = start({"run", "s.toml", "--out", "out"}, folder.path());
    sleep_for(wait);
    ::kill(child, SIGINT);
    CHECK(wait_for(child) == 128 + SIGINT);
  }
  REQUIRE(fs::exists(table));
  CHECK(read_file(folder.path() / "stderr").find("the results are those up to there") != std::string::npos);
  const Json json = Json::parse(read_file(folder.path() / "out" / "run.json"));
  CHECK(json.at("report").at("status") == "stopped");
  CHECK(json.at("t").get<double>() < 1e6);
}

TEST_CASE("--resume: without a checkpoint, with one of another scenario, with a damaged one") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  write_file(folder.path() / "s.toml", scenario_of(1500));
  const Ran none = run_program("run s.toml --out quick --resume --json >/dev/null", folder.path());
  CHECK(none.exit_code == 0);
  CHECK(none.err.find("no checkpoint in quick; starting from the beginning") != std::string::npos);

  const pid_t child = start({"run", "s.toml", "--out", "out", "--checkpoint", "0"}, folder.path());
  while (!fs::exists(out / "run.checkpoint") && ::kill(child, 0) == 0) sleep_for(0.001);
  ::kill(child, SIGKILL);
  REQUIRE(wait_for(child) == 128 + SIGKILL);
  const auto refused = [&](const char* message) {
    auto before = content_of(out);  // without what the killed run had begun, which the next one removes
    std::erase_if(before, [](const auto& file) { return file.first.starts_with(".results-"); });
    const Ran ran = run_program("run s.toml --out out --resume", folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    INFO(ran.err);
    CHECK(ran.err.find(message) != std::string::npos);
    CHECK((content_of(out) == before));
  };
  const std::string checkpoint = read_file(out / "run.checkpoint"), rows = read_file(out / "run.checkpoint.rows");
  write_file(folder.path() / "s.toml", scenario_of(1501));
  refused("the checkpoint belongs to another scenario");
  write_file(folder.path() / "s.toml", scenario_of(1500));
  std::string damaged = checkpoint;
  damaged[damaged.size() / 2] ^= 1;
  write_file(out / "run.checkpoint", damaged);
  refused("the checkpoint is damaged");
  write_file(out / "run.checkpoint", checkpoint.substr(0, checkpoint.size() / 2));
  refused("the checkpoint is damaged");
  write_file(out / "run.checkpoint", "");
  refused("not a checkpoint");
  write_file(out / "run.checkpoint", checkpoint);
  damaged = rows;
  damaged[10] ^= 1;
  write_file(out / "run.checkpoint.rows", damaged);
  refused("the rows of the checkpoint are damaged");
  write_file(out / "run.checkpoint.rows", rows.substr(0, 100));
  refused("100 of the ");
  fs::remove(out / "run.checkpoint.rows");
  refused("0 of the ");
  write_file(out / "run.checkpoint.rows", rows);

  // Without --resume it starts anew, says so, and cleans up.
  const Ran anew = run_program("run s.toml --out out", folder.path());
  CHECK(anew.exit_code == 0);
  CHECK(anew.err.find("use --resume to continue from it") != std::string::npos);
  check_same_results(folder.path() / "quick", out);

  for (const char* wrong : {"--checkpoint -1", "--checkpoint nan", "--checkpoint 5s", "--json --resume"}) {
    INFO(wrong);
    CHECK(run_program(std::string("run s.toml ") + wrong, folder.path()).exit_code == 2);
  }
}

TEST_CASE("a file that the scenario names belongs to it") {
  const TemporaryFolder folder;
  std::string text = scenario_of(20000, "[\"csv\"]");
  text.replace(text.find("reservoir"), text.find("direction") - text.find("reservoir"),
               "reservoir = { shape = \"polar\", file = \"c.csv\" }\n");
  write_file(folder.path() / "s.toml", text);
  write_file(folder.path() / "c.csv", "0,1\n90,1\n180,1\n270,1\n");
  const pid_t child = start({"run", "s.toml", "--out", "out", "--checkpoint", "0"}, folder.path());
  while (!fs::exists(folder.path() / "out" / "run.checkpoint") && ::kill(child, 0) == 0) sleep_for(0.001);
  ::kill(child, SIGKILL);
  REQUIRE(wait_for(child) == 128 + SIGKILL);
  write_file(folder.path() / "c.csv", "0,1\n90,1\n180,1\n270,1.1\n");
  const Ran ran = run_program("run s.toml --out out --resume", folder.path());
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.find("or a file that it names has changed") != std::string::npos);
}

TEST_CASE("a full disk: clear error, earlier results intact, nothing left over") {
  const TemporaryFolder folder;
  write_file(folder.path() / "s.toml", scenario_of(60));
  REQUIRE(run_program("run s.toml --out out", folder.path()).exit_code == 0);
  const auto before = content_of(folder.path() / "out");
  std::string longer = scenario_of(600);
  longer.replace(longer.find("figures = []"), 12, "figures = [\"path\"]");
  write_file(folder.path() / "s.toml", longer);
  const auto size = fs::file_size(folder.path() / "out" / "run.csv");
  // Files may not grow beyond so many bytes: the table fails, or the smaller files, or the checkpoint, too.
  for (const rlim_t limit : {rlim_t{0}, rlim_t{100}, rlim_t{1000}, rlim_t{size}})
    for (const char* checkpoint : {"never", "0.001"}) {
      INFO(limit, checkpoint);
      // Its messages go to files, too: the smallest limits leave no room for them.
      const int code =
          wait_for(start({"run", "s.toml", "--out", "out", "--checkpoint", checkpoint}, folder.path(), limit));
      CHECK(code == 2);
      if (limit >= 1000)
        CHECK(read_file(folder.path() / "stderr").find("cannot be written: File too large") != std::string::npos);
      auto after = content_of(folder.path() / "out");
      after.erase("run.checkpoint");  // as much of the run as could be kept
      after.erase("run.checkpoint.rows");
      CHECK((after == before));
    }
  // With room again, it can be resumed.
  CHECK(run_program("run s.toml --out out --resume", folder.path()).exit_code == 0);
  CHECK(run_program("run s.toml --out whole", folder.path()).exit_code == 0);
  check_same_results(folder.path() / "whole", folder.path() / "out");
}

TEST_CASE("a folder that cannot be written is reported before the run") {
  const TemporaryFolder folder;
  write_file(folder.path() / "s.toml", scenario_of(1e7));  // would take minutes
  write_file(folder.path() / "file", "");
  std::vector<std::string> places{"file/x", "/proc/self/x"};
  if (::geteuid() != 0) {
    fs::create_directory(folder.path() / "locked");
    fs::permissions(folder.path() / "locked", fs::perms::owner_read | fs::perms::owner_exec);
    places.push_back("locked");
  }
  for (const std::string& place : places) {
    const Ran ran = run_program("run s.toml --out " + place, folder.path());
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    CHECK(ran.err.find(place + ": cannot be written: ") != std::string::npos);
  }
}

// A map of few columns: every point is solved. The lists that were on disk are not solved again.
TEST_CASE("a structure's sweep that is killed goes on, to the results of the unbroken one") {
  const StructureFolder folder;
  folder.set("s.toml", std::string(kScenario) +
                           "[sweep]\nparameter = \"system.friction_factor\"\nfrom = 0.5\nto = 1.5\ncount = 5\n"
                           "second = { parameter = \"law.reservoir.radius\", from = 0.2, to = 0.6, count = 60 }\n");
  const Ran whole = folder.run("stability s.toml --out whole");
  INFO(whole.err);
  REQUIRE(whole.exit_code == 0);
  const fs::path out = folder.path() / "broken";
  const auto solved_points = [&] {
    const std::string told = read_file(folder.path() / "stderr"), before = "resuming with ";
    const std::size_t at = told.find(before);
    return at == std::string::npos ? 0 : std::stoi(told.substr(at + before.size()));
  };
  int known = 0, kills = 0;
  for (int code = 1; code != 0 && kills < 50;) {
    const pid_t child =
        start({"stability", "s.toml", "--out", "broken", "--checkpoint", "0", "--resume"}, folder.path());
    const auto stamp = [&] {
      std::error_code none;
      return fs::last_write_time(out / "stability.checkpoint", none);
    };
    const auto before = stamp();
    while (stamp() == before && is_running(child)) sleep_for(0.001);
    if (kills < 4) ::kill(child, kills % 2 ? SIGKILL : SIGINT);
    code = wait_for(child);
    CHECK(solved_points() >= known);
    known = solved_points();
    if (code == 128 + SIGINT)
      CHECK(read_file(folder.path() / "stderr").find("resume with: slipset stability s.toml --resume --out broken") !=
            std::string::npos);
    ++kills;
  }
  CHECK(known > 0);
  CHECK_FALSE(fs::exists(out / "stability.checkpoint"));
  check_same_results(folder.path() / "whole", out, "stability", "boundary.csv");
}

#ifdef SLIPSET_MPIRUN
TEST_CASE("a structure's sweep on two ranks, also one that is resumed, has the results of one rank") {
  const StructureFolder folder;
  // Friction that falls with the speed, against a little damping.
  folder.set("s.toml",
             std::string(kScenario) + "[sweep]\nparameter = \"law.stribeck.static\"\nfrom = 0.5\nto = 4\ncount = 40\n");
  const std::string file =
      "stability s.toml --set 'law.stribeck={static=2,velocity=1}' --set system.rayleigh.mass=0.05";
  const auto criticals = [](const Ran& ran) {
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    std::vector<double> values;
    const Json json = Json::parse(ran.out);
    CHECK(json.at("sweep").at("answered") == 40);
    for (const Json& row : json.at("critical")) values.push_back(row.at("value"));
    return values;
  };
  const std::vector<double> one = criticals(folder.run(file + " --json"));
  CHECK(!one.empty());
  const auto check_same = [&](const std::vector<double>& many) {
    REQUIRE(many.size() == one.size());
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(std::abs(many[i] - one[i]) <= 1e-9 * one[i]);
  };
  check_same(criticals(folder.run_on(2, file + " --json")));
  const pid_t child = start({"stability", "s.toml", "--set", "law.stribeck={static=2,velocity=1}", "--set",
                             "system.rayleigh.mass=0.05", "--out", "broken", "--checkpoint", "0"},
                            folder.path());
  while (!fs::exists(folder.path() / "broken" / "stability.checkpoint") && is_running(child)) sleep_for(0.0005);
  ::kill(child, SIGKILL);
  if (wait_for(child) == 0) return;  // it was quicker
  const Ran resumed = folder.run_on(2, file + " --json --out broken --resume");
  CHECK(resumed.err.find("resuming with ") != std::string::npos);
  check_same(criticals(resumed));
}
#endif

TEST_CASE("checkpoints of stability where there are none are refused") {
  const StructureFolder folder;
  const Ran plain = folder.run("stability s.toml --resume");
  CHECK(plain.exit_code == 2);
  CHECK(plain.err.find("a structure without [sweep] has no checkpoints; remove the options") != std::string::npos);
  const Ran wrong = folder.run("stability s.toml --checkpoint soon");
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("expected seconds") != std::string::npos);
  const Ran small = folder.run("stability " SLIPSET_SOURCE "/examples/scenarios/belt-stability.toml --json --resume");
  CHECK(small.exit_code == 2);
  CHECK(small.err.find("only sweeps of structures") != std::string::npos);
}
