// Inputs that nobody means, and machines that have too little: an answer or an error with a place, never a crash.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/near.hpp"
#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kExamples = SLIPSET_SOURCE "/examples/scenarios/";

std::string belt(const std::string& speed, const std::string& mass = "1") {
  return fmt::format(
      "[law]\nreservoir = {{ shape = \"ellipse\", semi_axes = [30, 10], angle = 30 }}\n"
      "direction = {{ shape = \"ellipse\", semi_axes = [3, 1] }}\n[system]\nkind = \"mass-on-belt\"\nmass = {}\n"
      "stiffness = 1\nnormal_force = 1\nbelt = {{ speed = {}, angle = 50 }}\n",
      mass, speed);
}

// Runs with `text` as x.toml.
Ran run_file(const std::string& command, const std::string& text, const TemporaryFolder& folder) {
  write_file(folder.path() / "x.toml", text);
  return run_program(command + " x.toml --json", folder.path());
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("F4: stability of belts at any speed is unstable at 50 degrees, as Theorem 2 says") {
  const TemporaryFolder folder;
  for (const std::string speed : {"1", "1e-14", "1e-200", "1e155"}) {
    CAPTURE(speed);
    const Ran ran = run_file("stability", belt(speed), folder);
    CHECK(ran.exit_code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("stable") == false);
    CHECK(json.at("damping_matrix")[0][0].get<double>() != 0);
    for (const Json& mode : json.at("modes")) CHECK(mode.at("growth_rate").is_number());
  }
  const Ran light = run_file("stability", belt("1", "5e-324"), folder);
  CHECK(light.exit_code == 2);
  CHECK(light.out == "");
  CHECK(has(light.err, "x.toml:4:1: system: "));
  CHECK(has(light.err, "system.mass = 5e-324 (x.toml:6:8)"));
  const Ran heavy = run_program("stability '" + kExamples + "mode-coupling.toml' --set system.c1=1e308", folder.path());
  CHECK(heavy.exit_code == 2);
  CHECK(has(heavy.err, "system.c1 = 1e+308 (--set system.c1=1e308)"));
}

TEST_CASE("A12: a stiff brake is held") {
  const TemporaryFolder folder;
  const Ran ran = run_file("stability",
                           "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\n[system]\nkind = \"linear\"\n"
                           "M = [[1, 0], [0, 1]]\nK = [[1e8, 0], [0, 1e8]]\nforce = [0, -100]\n"
                           "contacts = [{ normal = [0, 1], tangents = [[1, 0], [0, 0]], surface_velocity = [2, 0] }]\n",
                           folder);
  CHECK(ran.exit_code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(std::abs(json.at("equilibrium")[0].get<double>() - 0.3 * 100 / 1e8) <= 1e-20);
  CHECK(std::abs(json.at("contacts")[0].at("normal_force").get<double>() - 100) <= 1e-11);
  // One mode, along x: √(k/m), undamped.
  CHECK(json.at("modes").size() == 2);
  CHECK(std::abs(json.at("modes")[0].at("frequency").get<double>() - 1e4) <= 1e-8);
  CHECK(std::abs(json.at("modes")[0].at("frequency_hz").get<double>() - 1591.5494309189535) <= 1e-8);
}

TEST_CASE("F16: a sweep without any steady sliding is exit code 3; frequencies in Hz, pairs once") {
  const TemporaryFolder folder;
  const std::string sweep = "[sweep]\nparameter = \"system.belt.speed\"\nfrom = 1\nto = 2\ncount = 5\n";
  std::string loose = belt("1");
  loose.replace(loose.find("stiffness = 1"), 13, "stiffness = 0");
  const Ran nothing = run_file("stability", loose + sweep, folder);
  CHECK(nothing.exit_code == 3);
  CHECK(Json::parse(nothing.out).at("sweep").at("answered") == 0);
  write_file(folder.path() / "x.toml", loose + sweep);
  CHECK(has(run_program("stability x.toml", folder.path()).out, "nothing holds the body"));

  write_file(folder.path() / "held.toml", belt("1") + sweep);
  const Ran held = run_program("stability held.toml --out there", folder.path());
  CHECK(held.exit_code == 0);
  CHECK(has(held.out, "[Hz]"));
  CHECK(has(held.out, "[rad/s]"));
  const std::string table = read_file(folder.path() / "there" / "sweep.csv");
  const std::string header = table.substr(0, table.find('\n'));
  // Two real modes and a pair, at these speeds; or whatever: no column is the conjugate of another.
  const Json json = Json::parse(read_file(folder.path() / "there" / "stability.json"));
  std::size_t upper = 0;
  for (const Json& value : json.at("eigenvalues")) upper += value[1].get<double>() >= 0;
  CHECK(has(header, fmt::format("damping_ratio_{}", upper)));
  CHECK_FALSE(has(header, fmt::format("growth_{}", upper + 1)));
  // ζ = -σ/|λ| of every mode.
  for (const Json& mode : json.at("modes")) {
    const double growth = mode.at("growth_rate").get<double>(), w = mode.at("frequency").get<double>();
    CHECK(std::abs(mode.at("damping_ratio").get<double>() + growth / std::hypot(growth, w)) <= 1e-14);
  }
}

// Unstable between 44.1 and 75.9 degrees: between the points of a coarse sweep.
TEST_CASE("stability: a sweep says how far apart two critical values must be to be seen") {
  const TemporaryFolder folder;
  write_file(folder.path() / "x.toml",
             belt("1") + "[sweep]\nparameter = \"system.belt.angle\"\nfrom = 0\nto = 180\ncount = 3\n");
  const Ran coarse = run_program("stability x.toml --out there", folder.path());
  CHECK(has(coarse.out, "stable at each of these points"));
  CHECK(has(coarse.out, "what changes twice within their distance of 90 is not seen"));
  CHECK(Json::parse(read_file(folder.path() / "there" / "stability.json")).at("sweep").at("spacing") == 90);
  const Ran fine = run_program("stability x.toml --json --set sweep.count=19", folder.path());
  const Json json = Json::parse(fine.out);
  CHECK(json.at("sweep").at("spacing") == 10);
  CHECK(json.at("critical").size() == 2);
}

TEST_CASE("F7: keys, lists and tables without end are refused, not followed into the stack") {
  const TemporaryFolder folder;
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string many = repeated("a.", 50000) + "a";
  for (const std::string& text : {"[" + many + "]\n", many + " = 1\n", "[[" + many + "]]\n",
                                  "x = " + repeated("[", 50000), "x = " + repeated("{ a = ", 50000),
                                  "x = { " + many + " = 1 }\n", "x = \"\"\"" + many + "\"\"\"\n" + many + " = 1\n"}) {
    CAPTURE(text.substr(0, 20));
    const Ran ran = run_file("law", text, folder);
    CHECK(ran.exit_code == 2);
    CHECK(has(ran.err, "at most 64 are read"));
  }
  // Dots in texts and comments are no keys.
  const std::string law = "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\n";
  CHECK(run_file("law", "# " + many + "\ntitle = \"" + many + "\"\n" + law, folder).exit_code == 0);
  CHECK(run_file("law", "title = '''\n" + many + "\\'''\n" + law, folder).exit_code == 0);
  CHECK(run_file("law", "title = \"\\\"" + many + "\" # " + many + "\n" + law, folder).exit_code == 0);
}

TEST_CASE("F6: no bit of an HDF5 problem can be flipped so that the program crashes") {
  const TemporaryFolder folder;
  REQUIRE(run_program("run '" + kExamples + "box-stack.toml' --json --save-problems . --every 400", folder.path())
              .exit_code == 0);
  fs::path problem;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    if (entry.path().extension() == ".hdf5") problem = entry.path();
  REQUIRE_FALSE(problem.empty());
  const std::string good = read_file(problem);
  REQUIRE(run_program("solve '" + problem.string() + "'", folder.path()).exit_code == 0);
  int refused = 0;
  std::vector<std::pair<std::size_t, std::size_t>> places;                       // byte, bit
  for (std::size_t k = 0; k < 60; ++k) places.emplace_back(k * 37, k % 8);       // headers are at the front
  for (std::size_t at = 2114; at < 2122; ++at) places.emplace_back(at, at % 8);  // HDF5 1.10's library crashes here
  for (const auto& [at, bit] : places) {
    std::string bad = good;
    REQUIRE(at < bad.size());
    bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
    write_file(folder.path() / "bad.hdf5", bad);
    const Ran ran = run_program("solve bad.hdf5 --max-iterations 50", folder.path());
    CAPTURE(at);
    CAPTURE(bit);
    CHECK(ran.exit_code <= 3);
    CHECK((ran.exit_code != 2 || has(ran.err, "bad.hdf5")));
    refused += ran.exit_code == 2;
  }
  CHECK(refused > 0);
}

TEST_CASE("F8: threads that cannot be started are an error, and the default goes on with one") {
  const TemporaryFolder folder;
  write_file(folder.path() / "x.toml",
             belt("1") + "[sweep]\nparameter = \"system.belt.angle\"\nfrom = 0\nto = 90\ncount = 200\n");
// A sanitizer's own tables are larger than any limit of memory.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  const auto limited = [&](rlim_t bytes, const std::string& arguments) {
    const rlimit limit{bytes, before.rlim_max};
    ::setrlimit(RLIMIT_AS, &limit);
    const Ran ran = run_program(arguments, folder.path());
    ::setrlimit(RLIMIT_AS, &before);
    return ran;
  };
  const Ran many = limited(rlim_t{2} << 30, "stability x.toml --json --threads 4096");
  CHECK(many.exit_code == 2);
  CHECK(has(many.err, "--threads: 4096 threads cannot be started"));
#endif
  CHECK(run_program("stability x.toml --json --threads 3", folder.path()).out ==
        run_program("stability x.toml --json --threads 1", folder.path()).out);
}

TEST_CASE("F11: devices without end are refused; a pipe is read once") {
  const TemporaryFolder folder;
  for (const std::string device : {"/dev/zero", "/dev/urandom"})
    for (const std::string command : {"law", "run", "stability", "cycle", "solve", "identify", "study --show"}) {
      CAPTURE(command);
      const Ran ran = run_program(command + " " + device + " --json", folder.path());
      CHECK(ran.exit_code == 2);
      CHECK(ran.out == "");
    }
  const std::string scenario = "'" + kExamples + "sliding-body.toml'";
  for (const std::string command : {"law", "run"}) {
    const Ran piped = run_program(command + " /dev/stdin --json < " + scenario, folder.path());
    CHECK(piped.exit_code == 0);
  }
  const std::string pipe = "'" + (folder.path() / "pipe").string() + "'";
  REQUIRE(std::system(("mkfifo " + pipe).c_str()) == 0);
  const Ran fifo = run_program("law " + pipe + " --json & cat " + scenario + " > " + pipe + "; wait $!", folder.path());
  CHECK(fifo.exit_code == 0);
  CHECK(has(fifo.out, "\"reservoir\""));
}

TEST_CASE("A18: a global problem is read as such, and numbers that are left over are an error") {
  const TemporaryFolder folder;
  const std::string local = "3 1 1 3 3\n1 1 1\n3\n3\n2 1\n0 1\n0\n0\n2 0 0 0 1 0 0 0 1\n-1 2 0\n0.5\n";
  write_file(folder.path() / "local.dat", local);
  CHECK(run_program("solve local.dat", folder.path()).exit_code == 0);
  write_file(folder.path() / "more.dat", local + "0.5\n");
  const Ran more = run_program("solve more.dat", folder.path());
  CHECK(more.exit_code == 2);
  CHECK(has(more.err, ": as many numbers as contacts are left over behind mu"));
  for (const std::string end : {"0\n", "1\n", "1\n0 0 0\n0 0 0\n"}) {  // as Siconos writes them
    write_file(folder.path() / "end.dat", local + end);
    CHECK(run_program("solve end.dat", folder.path()).exit_code == 0);
  }
  for (const std::string end : {"2\n", "0 0\n", "1\n0 0 0\n0 0\n", "x\n", "1\n0 0 0\n0 0 0\n7\n"}) {
    write_file(folder.path() / "end.dat", local + end);
    CHECK(run_program("solve end.dat", folder.path()).exit_code == 2);
  }
  // Without the new line the last number may be cut off: 0.75 to 0.
  write_file(folder.path() / "cut.dat", local.substr(0, local.size() - 1));
  const Ran cut = run_program("solve cut.dat", folder.path());
  CHECK(cut.exit_code == 2);
  CHECK(has(cut.err, "may be cut off"));
  // M and H of three rows and columns, as sparse blocks; q, b, mu.
  const std::string block = "1 3 3\n1 1 1\n3\n3\n2 1\n0 1\n0\n0\n1 0 0 0 1 0 0 0 1\n";
  write_file(folder.path() / "global.dat", "3 1 " + block + block + "1 2 3\n-1 0 0\n0.5\n");
  const Ran global = run_program("solve global.dat --json", folder.path());
  CHECK(global.exit_code == 0);
  CHECK(nlohmann::json::parse(global.out).at("problems").at(0).at("form") == "global");
  write_file(folder.path() / "larger.dat", "3 1 1 6 6\n1 1 1\n6\n6\n");
  CHECK(run_program("solve larger.dat", folder.path()).exit_code == 2);
  // Five rows: the rolling rates are those of the free velocity where nothing rolls against friction.
  write_file(folder.path() / "rolling.dat",
             "5 1 0 5 5\n5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n-1 0.2 0 0.9 0\n0.5\n0.125\n");
  const Ran rolling = run_program("solve rolling.dat --out there", folder.path());
  CHECK(rolling.exit_code == 0);
  const std::string csv = read_file(folder.path() / "there" / "rolling.dat.csv");
  const std::string head =
      "contact,mode,impulse_n,impulse_t1,impulse_t2,impulse_r1,impulse_r2,velocity_n,velocity_t1,velocity_t2,"
      "velocity_r1,velocity_r2\n0,slip,";
  REQUIRE(csv.starts_with(head));
  std::istringstream numbers(csv.substr(head.size()));
  for (const double expected : {1.0, -0.2, 0.0, -0.125, 0.0, 0.0, 0.0, 0.0, 0.775, 0.0}) {
    std::string number;
    REQUIRE(std::getline(numbers, number, ','));
    CHECK(std::stod(number) == within(expected, 1e-15));
  }
}

TEST_CASE("F17: messages have the file, the line and the key") {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& command, const std::string& text) {
    const Ran ran = run_file(command, text, folder);
    CHECK(ran.exit_code == 2);
    CHECK(ran.out == "");
    return ran.err;
  };
  const std::string still = told("stability", belt("0"));
  CHECK(has(still, "x.toml:4:1: system: "));
  CHECK(has(still, "stands still"));
  CHECK(has(told("cycle", belt("0")), "x.toml:4:1: system: "));
  const std::string body =
      "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\n[system]\nkind = \"sliding-body\"\nmass = 1\n"
      "[integrator]\nstep = 0.01\nduration = 1\n[initial]\n";
  CHECK(has(told("run", body + "position = [1e308, 0]\nperturbation = [1e308, 0]\n"),
            "x.toml:11:16: initial.perturbation"));
  CHECK(has(told("law", "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\nreservoir_at = 1e-300\n"),
            "x.toml:3:16: law.reservoir_at"));
  CHECK(has(told("law", "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\nreservoir_at = 5e-324\n"),
            "x.toml:3:16: law.reservoir_at"));
  CHECK(has(told("run",
                 "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\n[system]\nkind = \"linear\"\n"
                 "M = [[1, 2], [2, 1]]\ncontacts = [{ normal_force = 1, tangents = [[1, 0], [0, 1]] }]\n"
                 "[integrator]\nstep = 0.01\nduration = 1\n"),
            "x.toml:3:1: system: linear: M must be symmetric and positive definite"));
  CHECK(has(told("cycle", belt("1") + "[law.elastic]\nstiffness = [1, 1]\n"), "x.toml:"));
  write_file(folder.path() / "mu.dat", "3 1 0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 2 0\n1e300\n");
  const Ran mu = run_program("solve mu.dat", folder.path());
  CHECK(mu.exit_code == 2);
  CHECK(has(mu.err, "mu.dat: mu: "));
}

TEST_CASE("F18: whole numbers of any size; a sweep's key must be closed, and not the sweep's own") {
  const TemporaryFolder folder;
  const Ran large = run_file("stability", belt("1000000000000000000"), folder);
  CHECK(large.exit_code == 0);
  CHECK(Json::parse(large.out).at("slip_velocity")[0].get<double>() < -6e17);
  CHECK(run_file("stability", belt("9223372036854775807"), folder).exit_code == 0);
  for (const auto& [key, why] : {std::pair<std::string, std::string>{"sweep.from", "does not change itself"},
                                 {"sweep.count", "does not change itself"},
                                 {"law.reservoir.semi_axes[0", "is no dotted key"},
                                 {"law.reservoir.semi_axes[0]]", "is no dotted key"},
                                 {"law.reservoir.semi_axes[0].", "is no dotted key"},
                                 {"law..reservoir", "is no dotted key"},
                                 {".law.reservoir.angle", "is no dotted key"},
                                 {"", "is no dotted key"},
                                 {"law.reservoir.semi_axes[-1]", "is no dotted key"},
                                 {"law.reservoir.semi_axes[2]", "is not in this file"},
                                 {"law.reservoir.semi_axes", "is not a number"}}) {
    CAPTURE(key);
    const Ran ran = run_file("stability",
                             belt("1") + "[sweep]\nparameter = \"" + key + "\"\nfrom = 0\nto = 1\ncount = 3\n", folder);
    CHECK(ran.exit_code == 2);
    CHECK(has(ran.err, "x.toml:11:13: sweep.parameter: "));
    CHECK(has(ran.err, why));
  }
  CHECK(run_file("stability",
                 belt("1") + "[sweep]\nparameter = \"law.reservoir.semi_axes[0]\"\nfrom = 20\nto = 40\n"
                             "count = 3\n",
                 folder)
            .exit_code == 0);
}

TEST_CASE("F18: unknown keys in a study's [system] are refused") {
  const TemporaryFolder folder;
  std::string text = run_program("study hoffmann2007-fig5 --show", folder.path()).out;
  const std::size_t at = text.find("k1 = ");
  REQUIRE(at != std::string::npos);
  text.replace(at, 2, "kk");
  write_file(folder.path() / "mine.toml", "study = \"hoffmann2007-fig5\"\n" + text);
  const Ran ran = run_program("study mine.toml --json", folder.path());
  CHECK(ran.exit_code == 2);
  CHECK(has(ran.err, "system.kk: unknown key"));
}
