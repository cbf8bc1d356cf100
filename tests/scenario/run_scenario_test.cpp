#include "slipset/scenario/run_setup.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/csv.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "slipset/report/run_hdf5.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "tests/support/near.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const std::string kLaw = "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2] }\n";
const std::string kBody = "[system]\nkind = \"sliding-body\"\nmass = 2\n";
const std::string kThrow = "[initial]\nvelocity = [1.4142135623730951, 1.4142135623730951]\n";
const std::string kSteps = "[integrator]\nstep = 1e-3\nuntil = \"stick\"\n";

RunSetup read_planar(const std::filesystem::path& path) {
  return std::get<RunSetup>(read_any_run(Scenario(path)).scenario);
}

RunSetup read(const std::string& text) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "s.toml", text);
  return read_planar(folder.path() / "s.toml");
}

std::string message(const std::string& text) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "s.toml", text);
  try {
    read_any_run(Scenario(folder.path() / "s.toml"));
  } catch (const InvalidInput& error) {
    return std::string(error.what()).substr((folder.path() / "s.toml").string().size());
  }
  return "no error";
}

}  // namespace

TEST_CASE("a sliding body from its file to its end") {
  const RunSetup scenario = read(kLaw + kBody + kThrow + kSteps + "[output]\nevery = 10\nfigures = [\"path\"]\n");
  CHECK(scenario.figures == std::vector<std::string>{"path"});
  const Run run = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  CHECK(run.report.stop_reason == "every contact sticks");
  CHECK(run.end.q[0] == near(0.334146140358, 1e-3));
  CHECK(run.end.q[1] == near(0.695298400541, 1e-3));
  CHECK(run.stop_time.value() == near(0.873260004774, 1e-3));
  CHECK(run.energy.dissipated == near(4, 1e-12));  // all of m v²/2
  const auto json = run_json(run);
  for (const char* key : {"t", "position", "velocity", "path_length", "stop_time", "stick_time", "dissipated",
                          "energy_residual", "steps", "seconds", "report"})
    CHECK(json.contains(key));

  // The table is read back with the same bits.
  const test::TemporaryFolder folder;
  write_file(folder.path() / "run.csv", csv_text(run.table));
  const NumberTable table = read_number_table(folder.path() / "run.csv");
  CHECK(table.names == run.table.names());
  REQUIRE(table.rows() == run.table.rows().size());
  for (std::size_t k = 0; k < table.columns.size(); ++k) CHECK(table.columns[k].back() == run.table.rows().back()[k]);
  CHECK_THROWS_AS(run.table.column("none"), InvalidInput);
}

TEST_CASE("mass on belt: stiffness as number, pair or rows; start at the equilibrium") {
  const std::string rest =
      "normal_force = 1\nbelt = { speed = 1, angle = 90 }\n[initial]\nposition = \"equilibrium\"\nperturbation = [0.5, "
      "0]\n" +
      kSteps;
  for (const char* stiffness : {"2", "[2, 2]", "[[2, 0], [0, 2]]"}) {
    const RunSetup s =
        read(kLaw + fmt::format("[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = {}\n", stiffness) + rest);
    CHECK(s.start.q[0] == near(0.5, 1e-15));
    CHECK(s.start.q[1] == near(0.1, 1e-15));  // 0.2 · 1 N over 2 N/m, along the belt
  }
}

TEST_CASE("linear: any matrices and contacts, no C++") {
  const RunSetup s =
      read(kLaw +
           "[system]\nkind = \"linear\"\nM = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nforce = [0, 0, -9.81]\n"
           "contacts = [{ normal = [0, 0, 1], tangents = [[1, 0, 0], [0, 1, 0]], restitution = 0.5 }]\n"
           "[initial]\nposition = [0, 0, 1]\nvelocity = [1, 1, 0]\n[integrator]\nstep = 1e-3\nduration = 5\n");
  const Run run = simulate(*s.system, s.start, s.integrator, s.options);
  CHECK(run.end.u.norm() < 1e-12);
  CHECK(run.energy.dissipated == near(10.81, 1e-2));
  const std::string head = kLaw + "[system]\nkind = \"linear\"\nM = [[1, 0], [0, 1]]\n";
  CHECK(message(head + "contacts = [{ tangents = [[1, 0], [0, 1]] }]\n" + kSteps) ==
        ":6:13: system.contacts[0]: give either normal (a contact that opens and closes) or normal_force (always "
        "closed)");
  for (const std::string key : {"gap", "restitution"})
    CHECK(message(head + "contacts = [{ normal_force = 1, tangents = [[1, 0], [0, 1]], " + key + " = 0.1 }]\n" + kSteps)
              .find("system.contacts[0]." + key + ": is for a contact with a normal") != std::string::npos);
  CHECK(message(head + "contacts = [{ normal_force = 1, tangents = [[1, 0, 0], [0, 1, 0]] }]\n" + kSteps) ==
        ":6:44: system.contacts[0].tangents: found 2 rows of 3; expected two directions of 2 numbers each");
  CHECK(message(kLaw +
                "[system]\nkind = \"linear\"\nM = [[1, 0], [0, -1]]\n"
                "contacts = [{ normal_force = 1, tangents = [[1, 0], [0, 1]] }]\n" +
                kSteps) == ":3:1: system: linear: M must be symmetric and positive definite");
}

TEST_CASE("linear: matrices from Matrix Market files beside the scenario") {
  const test::TemporaryFolder folder;
  const std::string scenario = kLaw +
                               "[system]\nkind = \"linear\"\nM = \"mass.mtx\"\nK = \"stiffness.mtx\"\ncontacts = [{ "
                               "normal_force = 1, tangents = "
                               "[[1, 0], [0, 1]] }]\n[integrator]\nstep = 1e-3\nduration = 1\n";
  write_file(folder.path() / "s.toml", scenario);
  write_file(folder.path() / "mass.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 3\n");
  write_file(folder.path() / "stiffness.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n5\n-1\n7\n");
  const RunSetup read_scenario = read_planar(folder.path() / "s.toml");
  SystemAt at = sized_for(*read_scenario.system);
  read_scenario.system->evaluate(0, Vec2(1, 10), Vec2(0, 0), at);
  CHECK(at.mass == MatrixX(Vec2(2, 3).asDiagonal()));
  CHECK(Vec2(at.force) == Vec2(5, -69));
  write_file(folder.path() / "stiffness.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n5\n-1\n");
  CHECK_THROWS_WITH_AS(read_any_run(Scenario(folder.path() / "s.toml")),
                       doctest::Contains("stiffness.mtx:5: the file ends after 2 of 3 entries"), ScenarioError);
  CHECK_THROWS_WITH_AS(read_any_run(Scenario(folder.path() / "s.toml")), doctest::Contains("s.toml:6:5: system.K: "),
                       ScenarioError);
}

TEST_CASE("ball, box and snake from their files") {
  const std::string steps = "[integrator]\nstep = 1e-3\nduration = 2\n";
  const RunSetup ball = read(
      kLaw + "[system]\nkind = \"ball-on-plane\"\nmass = 1\nradius = 0.1\nrestitution = 0.5\n[initial]\nvelocity = " +
      "[0.7, 0, 0, 0, 0, 0]\n" + steps);
  CHECK(ball.start.q[2] == 0.1);
  CHECK(simulate(*ball.system, ball.start, ball.integrator, ball.options).end.u[0] == near(0.5, 1e-12));

  const RunSetup box = read(kLaw +
                            "[system]\nkind = \"box-on-plane\"\nmass = 1\nlength = 0.2\nheight = 0.1\n"
                            "push = { force = 5, height = 0.02 }\n" +
                            steps);
  // It slides, pushed low: x = (F/m - μ g) t²/2.
  CHECK(simulate(*box.system, box.start, box.integrator, box.options).end.q[0] == near(2 * (5 - 0.4 * 9.81), 1e-2));

  const RunSetup snake = read(
      "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.1, 0.5] }\n[system]\nkind = \"snake-robot\"\nlinks = "
      "5\n"
      "length = 1\nmass = 1\nwave = { amplitude = 40, frequency = 0.5, phase = 60, steering = 5 }\n[integrator]\nstep "
      "= "
      "1e-2\nduration = 4\n");
  CHECK(snake.system->contacts().size() == 5);
  const Run run = simulate(*snake.system, snake.start, snake.integrator, snake.options);
  CHECK(run.end.q[0] > 0.1);
  CHECK(run.end.q[2] > 0.1);
  // The figure of its path has the body at several places.
  const test::TemporaryFolder folder;
  const auto saved = path_figure(*snake.system, run, "snake").save(folder.path());
  CHECK(saved.problem == "");
  const std::string body = read_file(folder.path() / "path-body.dat");
  std::size_t blocks = 0;
  for (std::size_t at = body.find("\n\n"); at != std::string::npos; at = body.find("\n\n", at + 1)) ++blocks;
  CHECK(blocks >= 2);
}

TEST_CASE("wrong run files give their message") {
  const std::string ball = kLaw + "[system]\nkind = \"ball-on-plane\"\nmass = 1\n";
  const std::string box = kLaw + "[system]\nkind = \"box-on-plane\"\nmass = 1\nlength = 0.2\nheight = 0.1\n";
  const std::string snake = kLaw + "[system]\nkind = \"snake-robot\"\nlength = 1\nmass = 1\n";
  const std::pair<std::string, const char*> rows[] = {
      {kLaw + kSteps, ":1:1: system: missing; give a table [system] with its kind"},
      {kLaw + "[system]\nkind = \"sliding-boddy\"\n" + kSteps,
       ":4:8: system.kind: found \"sliding-boddy\"; did you mean \"sliding-body\"? allowed: sliding-body, "
       "prescribed-circle, disk-on-pads, ball-on-plane, box-on-plane, snake-robot, mass-on-belt, block-on-belt, "
       "mode-coupling, mass-on-elastic-belt, frictional-impact-oscillator, "
       "follower-pendulum, linear, forced-oscillator, chain, two-blocks, spring-slider, spinning-body, pulled-block, "
       "rigid-bodies, structure"},
      {kLaw + kBody + "masss = 2\n" + kSteps,
       ":6:1: system.masss: unknown key; did you mean \"mass\"? allowed: kind, mass, gravity, normal_force"},
      {kLaw + "[system]\nkind = \"sliding-body\"\nmass = -2\n" + kSteps,
       ":5:8: system.mass: found -2; expected a number above 0"},
      {ball + kSteps, ":3:1: system.radius: missing; give a number"},
      {ball + "radius = 1\nrestitution = 1.5\n" + kSteps,
       ":3:1: system: ball-on-plane: restitution is 1.500000; it must be from 0 to 1"},
      {box + "push = { force = 1, hight = 1 }\n" + kSteps,
       ":8:21: system.push.hight: unknown key; did you mean \"height\"? allowed: force, height"},
      {box + "push = 5\n" + kSteps, ":8:8: system.push: found 5; expected a table, as in { force = 5, height = 0.1 }"},
      {snake + "links = 2.5\n" + kSteps, ":7:9: system.links: found 2.5; expected a whole number from 2 to 1000"},
      {snake + "links = 5\n" + kSteps,
       ":3:1: system.wave: missing; give a table, as in { amplitude = 30, frequency = 0.5, phase = 40 }"},
      {snake + "links = 5\nwave = { amplitude = 30, frequency = 0, phase = 40 }\n" + kSteps,
       ":8:38: system.wave.frequency: found 0; expected a number above 0"},
      {kLaw + "[system]\nkind = \"disk-on-pads\"\npads = 0\n" + kSteps,
       ":5:8: system.pads: found 0; expected a whole number from 1 to 1000"},
      {kLaw + kBody, ":1:1: integrator: missing; give a table [integrator] with step and duration"},
      {kLaw + kBody + "[integrator]\nstep = 0\nduration = 1\n",
       ":7:8: integrator.step: found 0; expected a number above 0"},
      {kLaw + kBody + "[integrator]\nstep = 1e-3\n", ":6:1: integrator.duration: missing; give a number"},
      {kLaw + kBody + "[integrator]\nkind = \"moreu\"\nstep = 1e-3\nduration = 1\n",
       ":7:8: integrator.kind: found \"moreu\"; did you mean \"moreau\"? allowed: moreau, event-driven, rk4, adaptive"},
      {kLaw + "[system]\nkind = \"linear\"\nM = [[1]]\ncontacts = []\n" + kSteps,
       ":6:12: system.contacts: found none; give at least one contact"},
      {kLaw +
           "[system]\nkind = \"linear\"\nM = [[1]]\ncontacts = [{ normal_force = 1, tangents = [[1], [0]] }]\n"
           "[output]\nfigures = [\"path\"]\n" +
           kSteps,
       ":8:11: output.figures: a system of one degree of freedom has no path in the plane; remove \"path\""},
      {kLaw + kBody + "[initial]\nvelocity = [1, 2, 3]\n" + kSteps,
       ":7:12: initial.velocity: found 3 numbers; expected 2, one per degree of freedom"},
      {kLaw + kBody + "[initial]\nposition = \"equilibrium\"\n" + kSteps,
       ":7:12: initial.position: this system has no equilibrium of steady sliding; give the position as numbers"},
      {kLaw + kBody + kSteps + "[output]\nfigures = [\"pth\"]\n",
       ":10:12: output.figures: found \"pth\"; did you mean \"path\"? allowed: path, force, time"},
      {kLaw + kBody + kSteps + "[output]\nevery = 1.5\n",
       ":10:9: output.every: found 1.5; expected a whole number from 1 to 1000000000"},
      {kLaw + kBody + "[initial]\nbristles = \"steady\"\n" + kSteps,
       ":7:12: initial.bristles: only [law] lugre has bristles"}};
  for (const auto& row : rows) {
    INFO(row.first);
    CHECK(message(row.first) == row.second);
  }
}

TEST_CASE("run.h5 has the columns of run.csv, with units, and what is needed to run it again") {
  const RunSetup scenario = read(kLaw + kBody + kThrow + kSteps + "[output]\nformats = [\"hdf5\"]\n");
  CHECK(scenario.formats == std::vector<std::string>{"hdf5"});
  const Run run = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  const test::TemporaryFolder folder;
  write_file(folder.path() / "run.h5", hdf5_bytes(run, {"a title", "slipset 1", "text"}));
  const Hdf5Reader file(folder.path() / "run.h5");
  const std::vector<std::string> names = file.texts("/", "columns");
  REQUIRE(names.size() == run.table.names().size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::vector<double> column = file.column(names[k]);
    REQUIRE(column.size() == run.table.rows().size());
    for (std::size_t i = 0; i < column.size(); ++i) REQUIRE(column[i] == run.table.rows()[i][k]);
    CHECK_FALSE(file.text(names[k], "unit").empty());
  }
  const std::pair<const char*, const char*> units[] = {
      {"t", "s"}, {"x", "m"}, {"dy", "m/s"}, {"contact/friction_2", "N"}, {"contact/slip_1", "m/s"}, {"kinetic", "J"}};
  for (const auto& unit : units) CHECK(file.text(unit.first, "unit") == unit.second);
  CHECK(file.text("/", "title") == "a title");
  CHECK(file.text("/", "program") == "slipset 1");
  CHECK(file.text("/", "scenario") == "text");
  CHECK(file.text("/", "integrator") == "moreau");
  CHECK(file.number("/", "step") == 1e-3);
  CHECK(file.number("/", "stop_time") == run.stop_time.value());
  CHECK_THROWS_AS(file.number("/", "seconds"), InvalidInput);
  CHECK(message(kLaw + kBody + kSteps + "[output]\nformats = [\"hdf\"]\n") ==
        ":10:12: output.formats: found \"hdf\"; did you mean \"hdf5\"? allowed: csv, hdf5");
}

TEST_CASE("checkpoints do not change the results; a stopped run continues to the same end") {
  const RunSetup scenario = read(kLaw + kBody + kThrow + kSteps + "[output]\nevery = 10\n");
  const Run whole = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  const test::TemporaryFolder folder;
  const CheckpointOwner owner{"p", "s"};
  CheckpointStore store(folder.path(), owner);
  CheckpointOptions options;
  options.seconds = 0;
  int left = 40;
  options.stop = [&] { return --left == 0; };
  const CheckpointedRun first = run_with_checkpoints(scenario, {}, &store, options);
  CHECK_FALSE(first.simulation);
  CHECK(first.saved);
  CHECK(first.t == near(0.4, 1e-9));
  const CheckpointedRun second = run_with_checkpoints(scenario, store.load(), &store, {});
  REQUIRE(second.simulation);
  CHECK(csv_text(second.simulation->table) == csv_text(whole.table));
  auto a = run_json(*second.simulation), b = run_json(whole);
  a.erase("seconds");
  b.erase("seconds");
  CHECK(a.dump() == b.dump());  // a NaN is null there

  // Where no checkpoint can be written the run says so once, and goes on.
  write_file(folder.path() / "file", "");
  CheckpointStore blocked(folder.path() / "file" / "x", owner);
  options.stop = {};
  std::vector<std::string> told;
  options.trouble = [&](const std::string& why) { told.push_back(why); };
  const CheckpointedRun third = run_with_checkpoints(scenario, {}, &blocked, options);
  CHECK(csv_text(third.simulation.value().table) == csv_text(whole.table));
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("the checkpoint cannot be written: Not a directory") != std::string::npos);
}

// The checkpoint before is still good, and the run can be resumed from it.
TEST_CASE("a last save that fails leaves the run resumable from the checkpoint before it") {
  const RunSetup scenario = read(kLaw + kBody + kThrow + kSteps + "[output]\nevery = 10\n");
  const test::TemporaryFolder folder;
  const auto blocked = folder.path() / "run.checkpoint.part";
  CheckpointOptions options;
  options.seconds = 0;
  int left = 40;
  options.stop = [&] {
    if (--left == 20) std::filesystem::create_directories(blocked / "x");
    return left == 0;
  };
  {
    CheckpointStore store(folder.path(), {"p", "s"});
    const CheckpointedRun stopped = run_with_checkpoints(scenario, {}, &store, options);
    CHECK_FALSE(stopped.simulation);
    CHECK(stopped.saved);
    CHECK(stopped.t == near(0.4, 1e-9));
  }
  CheckpointStore again(folder.path(), {"p", "s"});
  const Checkpoint from = again.load();
  CHECK(from.t == near(0.19, 1e-9));
  left = 2;  // and a run that was resumed from it, where not one could be written
  const CheckpointedRun resumed = run_with_checkpoints(scenario, from, &again, options);
  CHECK_FALSE(resumed.simulation);
  CHECK(resumed.saved);
}

TEST_CASE("the number of threads reaches the contact solver of every system") {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "s.toml", kLaw + kBody + kThrow + kSteps);
  AnyRun run = read_any_run(Scenario(folder.path() / "s.toml"));
  int threads = -1;
  std::get<RunSetup>(run.scenario).options.after_step = [&](const MoreauStepper& stepper, long) {
    threads = stepper.options().threads;
  };
  RunControl control;
  control.threads = 3;
  simulate(run, control);
  CHECK(threads == 3);
}

TEST_CASE("tables that no command uses are refused") {
  CHECK(
      message(kLaw + kBody + kSteps + "[stability]\nfrom = 1\n").find("stability.from: [stability] has no keys yet") !=
      std::string::npos);
  const std::string block =
      "[law]\nreservoir = { shape = \"disk\", radius = 0.3 }\nelastic = { stiffness = [100, 100] }\n"
      "[system]\nkind = \"pulled-block\"\nnormal_force = 10\npath = { kind = \"pull\", distance = 0.1 }\n";
  CHECK(message(block) == "no error");
  CHECK(
      message(block + "[sweep]\nfrom = 1\n").find("sweep: [system] kind = \"pulled-block\" does not have this table") !=
      std::string::npos);
}
