// Scenario files of rigid bodies: what they build, and what wrong ones say.
#include "slipset/scenario/bodies_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "slipset/core/angle.hpp"
#include "slipset/report/bodies_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;
using test::ScenarioFile;

namespace {

const std::string kStart =
    "[law]\nreservoir = { shape = \"disk\", radius = 0.5 }\n"
    "[laws.ice]\nreservoir = { shape = \"disk\", radius = 0.05 }\n"
    "[system]\nkind = \"rigid-bodies\"\n"
    "[integrator]\nstep = 1e-3\nduration = 0.05\n";
const std::string kFloor = "[[body]]\nname = \"floor\"\nshape = \"plane\"\n";
const std::string kBall = "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0.1]\n";

const BodyWorld& world_of(const RunSetup& s) { return dynamic_cast<const BodyWorld&>(*s.system); }

std::string error_of(const std::string& text) { return ScenarioFile(text).error(read_any_run); }

}  // namespace

TEST_CASE("keys that would do nothing are refused: spacing of one body, a vibration without amplitude, a second pair") {
  const auto says = [](const std::string& message, const std::string& what) {
    INFO(message);
    CHECK(message.find(what) != std::string::npos);
  };
  const std::string spacing = "body[0].spacing: is for a row of bodies, count = 2 or more; remove it";
  says(error_of(kStart + kBall + "spacing = [1, 0, 0]\n"), spacing);
  says(error_of(kStart + kBall + "spacing = [1, 0, 0]\ncount = 1\n"), spacing);
  const std::string led = kStart + kBall + "[[body]]\nname = \"shaker\"\nshape = \"box\"\nsize = [1, 1, 1]\n" +
                          "position = [0, 0, -0.5]\nmotion = ";
  says(error_of(led + "{ velocity = [1, 0, 0], phase = 90 }\n"), "body[1].motion.phase: is for a vibration; give its");
  says(error_of(led + "{ frequency = 3 }\n"), "body[1].motion.frequency: is for a vibration; give its amplitude");
  CHECK(error_of(led + "{ amplitude = [0, 0, 0.1], frequency = 3, phase = 90 }\n") == "none");
  const std::string pair = kStart + kBall + "[[pair]]\nfirst = \"law\"\nsecond = \"ice\"\nlaw = \"ice\"\n[[pair]]\n";
  says(error_of(pair + "first = \"law\"\nsecond = \"ice\"\nlaw = \"none\"\n"),
       "pair[1].second: another [[pair]] is for the same two surfaces");
  says(error_of(pair + "first = \"ice\"\nsecond = \"law\"\nlaw = \"none\"\n"), "pair[1].second: another [[pair]]");
  CHECK(error_of(pair + "first = \"ice\"\nsecond = \"ice\"\nlaw = \"none\"\n") == "none");
}

TEST_CASE("bodies, piles, stacks and pairs of a file become a world") {
  const ScenarioFile file(kStart + kFloor + kBall +
                          "velocity = [1, 0, 0]\nspin = [0, 0, 2]\norientation = { axis = [1, 0, 0], angle = 90 }\n"
                          "law = \"ice\"\npriority = 2\naxis = [0, 3, 0]\n"
                          "[[body]]\nname = \"b\"\nshape = \"box\"\nsize = [0.1, 0.2, 0.3]\nmass = 3\n"
                          "position = [1, 0, 0.15]\ncount = 3\nspacing = [0.5, 0, 0]\n"
                          "[[pile]]\nname = \"p\"\nspheres = 10\nwidth = 12\n"
                          "[[stack]]\nname = \"s\"\nboxes = 4\nsize = [0.1, 0.1, 0.1]\nbase = [-1, 0, 0]\n"
                          "[[pair]]\nfirst = \"law\"\nsecond = \"ice\"\nlaw = \"ice\"\n");
  const RunSetup scenario = read_bodies_run(file.scenario().root());
  const BodyWorld& world = world_of(scenario);
  CHECK(world.free_bodies() == 1 + 3 + 10 + 4);
  const RigidBody& ball = world.bodies[1];
  CHECK(ball.mass == near(1000 * 4.0 / 3 * 3.14159265358979 * 1e-3, 1e-12));
  CHECK(ball.surface.law == 1);
  CHECK(ball.surface.axis == Vec3(0, 1, 0));
  CHECK((world.states[1].world_spin() - Vec3(0, 0, 2)).norm() < 1e-15);
  CHECK((world.states[1].spin - Vec3(0, 2, 0)).norm() < 1e-15);
  CHECK(world.bodies[4].name == "b3");
  CHECK(world.states[4].position == Vec3(2, 0, 0.15));
  CHECK(world.bodies[4].inertia.x() == near(3 * (0.04 + 0.09) / 12, 1e-12));
  CHECK(world.bodies.back().name == "s.box4");
  CHECK(world.pairs.size() == 1);
  CHECK(world.rule_of(0, 1).law == 1);

  const Run run = simulate(world, scenario.start, scenario.integrator, scenario.options);
  CHECK(run.report.steps == 50);
  CHECK(run.table.size() == 51);
  const Table& table = run.table;
  CHECK(table.names().size() == 1 + 13 * 18 + 9);
  CHECK(table.rows().back().size() == table.names().size());
  const auto json = bodies_json(world, run, scenario.title);
  CHECK(json.at("bodies") == 18);
  CHECK(json.at("ends").size() == 18);
}

TEST_CASE("a table with a prescribed motion counts as a column, and moves so") {
  const ScenarioFile file(
      kStart + kBall +
      "[[body]]\nname = \"table\"\nshape = \"plane\"\nmotion = { amplitude = [0.01, 0, 0], frequency = "
      "10, phase = 90 }\n");
  const RunSetup scenario = read_bodies_run(file.scenario().root());
  const Run run = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  CHECK(std::abs(run.table["table.x"].back() - (-0.02)) < 1e-9);  // half a period
  CHECK(run.table.names().size() == 1 + 13 * 2 + 9);
}

TEST_CASE("wrong files of rigid bodies have place, key and remedy") {
  CHECK(error_of(kStart + kFloor).find("no body that is free") != std::string::npos);
  CHECK(error_of(kStart + kBall + "raduis = 1\n").find("body[0].raduis: unknown key; did you mean \"radius\"?") !=
        std::string::npos);
  CHECK(error_of(kStart + kBall + "law = \"iec\"\n").find("did you mean \"ice\"") != std::string::npos);
  CHECK(error_of(kStart + kBall + kBall).find("another body has the name \"ball\"") != std::string::npos);
  CHECK(error_of(kStart + kBall + "size = [1, 1, 1]\n").find("body[0].size: is for a box") != std::string::npos);
  CHECK(error_of(kStart + kBall + "mass = 1\ndensity = 1\n").find("the mass or the density") != std::string::npos);
  CHECK(error_of(kStart + kBall + "mass = -1\n").find("expected a number above 0") != std::string::npos);
  CHECK(error_of(kStart + kBall + "fixed = 1\n").find("expected true or false") != std::string::npos);
  CHECK(error_of(kStart + kBall + "fixed = true\nmotion = { velocity = [1, 0, 0] }\n").find("a body with a motion") !=
        std::string::npos);
  CHECK(error_of(kStart + kBall + "velocity = [1, 2]\n").find("found 2 numbers; expected three") != std::string::npos);
  CHECK(error_of(kStart + kBall + "velocity = [1, 2, nan]\n").find("finite") != std::string::npos);
  CHECK(error_of(kStart + kBall + "axis = [0, 0, 0]\n").find("length zero") != std::string::npos);
  CHECK(error_of(kStart + kFloor + "mass = 3\n" + kBall).find("bodies that are free") != std::string::npos);
  CHECK(error_of(kStart + "[[pile]]\nspheres = 10\nspread = 2\n").find("expected 0 to 0.5") != std::string::npos);
  CHECK(error_of(kStart + "[[pile]]\nspheres = 10\nwidth = 0.001\n").find("does not hold a sphere") !=
        std::string::npos);
  CHECK(error_of(kStart + "[[stack]]\nboxes = 2\nsize = [1, -1, 1]\n").find("stack[0]") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[[pair]]\nfirst = \"ice\"\n").find("pair[0].second: missing") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[initial]\nposition = [0]\n")
            .find("initial: [system] kind = \"rigid-bodies\" does not have this table") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[laws.slow]\nreservoir = { shape = \"disk\", radius = 1 }\nlugre = { sigma0 = 1 }\n")
            .find("laws.slow.lugre: rigid bodies have rigid contacts") != std::string::npos);
  CHECK(error_of(kStart + kBall + "[output]\nfigures = [\"force\"]\n").find("snapshots") != std::string::npos);
  CHECK(error_of(kStart + kBall + "mass = 1e-320\n").find("body[0].mass: 9.99989e-321 is out of range") !=
        std::string::npos);
  CHECK(error_of(kStart + kBall + "velocity = [0, 0, 1e200]\n").find("body[0].velocity: 1e+200 is out of range") !=
        std::string::npos);
  CHECK(error_of(kStart + "[[body]]\nshape = \"box\"\nsize = [1, 1, 1e-200]\n").find("body[0].size: 1e-200") !=
        std::string::npos);
  CHECK(error_of(kStart + kFloor + "[[pile]]\nspheres = 3\n").find("give this table a name") != std::string::npos);
}

TEST_CASE("laws with drilling and rolling, and pairs of them, beside laws of sliding alone") {
  const ScenarioFile file(kStart + kFloor + kBall + "law = \"felt\"\nvelocity = [1, 0, 0]\nspin = [0, 10, 5]\n" +
                          "[[body]]\nname = \"other\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 1, 0.1]\n"
                          "[laws.felt]\nreservoir = { shape = \"disk\", radius = 0.3 }\ndrilling = [0.001, 0.002]\n"
                          "rolling = { shape = \"ellipse\", semi_axes = [0.002, 0.004] }\n"
                          "[[pair]]\nfirst = \"law\"\nsecond = \"felt\"\nlaw = \"felt\"\n");
  const RunSetup scenario = read_bodies_run(file.scenario().root());
  const BodyWorld& world = world_of(scenario);
  CHECK(world.has_rolling_laws());
  REQUIRE(world.laws.size() == 3);
  CHECK(world.laws[0] != nullptr);
  CHECK(world.laws[1]->rows() == 6);  // felt, ice by name
  CHECK(world.rule_of(0, 1).law == 1);
  CHECK(world.rule_of(0, 2).law == 0);
  const Run run = simulate(world, scenario.start, scenario.integrator, scenario.options);
  const std::vector<BodyState> states = states_at(world, run.table, run.table.size() - 1);
  // The rolling torque about y, 0.004 m: 5/7 g e/R; drilling forward 0.002 m: g d/(2/5 R^2).
  CHECK(states[1].velocity.x() == near(1 - 5.0 / 7 * 9.81 * 0.04 * 0.05, 1e-6));
  CHECK(states[1].world_spin().z() == near(5 - 9.81 * 0.002 / 0.004 * 0.05, 1e-6));
  CHECK(run.table["turning"].back() == 1);
  const Table& table = run.table;
  CHECK(table.names().back() == "dissipated_by_torques");
  CHECK(table.names()[table.names().size() - 2] == "turning");
  CHECK(table[table.names().size() - 1].back() == run.energy.by_torques);
  CHECK(table.rows().back().size() == table.names().size());
  const auto json = bodies_json(world, run, scenario.title);
  CHECK(json.at("dissipated_by_torques") == run.energy.by_torques);
  CHECK(run.energy.by_torques > 0.9 * run.energy.dissipated);
  CHECK(bodies_text(world, run, scenario.title).find("by drilling and rolling") != std::string::npos);
}

TEST_CASE("wrong laws with drilling and rolling have place, key and remedy") {
  const std::string set = "reservoir = { shape = \"ellipse\", semi_axes = [0.6, 0.3] }\n";
  const auto law = [&](const std::string& keys) { return error_of(kStart + kBall + "[laws.felt]\n" + set + keys); };
  CHECK(law("rolling = 0.001\ndirection = \"associated\"\n") == "none");
  CHECK(law("rolling = 0.001\ndirection = \"collinear\"\n")
            .find("laws.felt.direction: laws with drilling or rolling "
                  "are associated") != std::string::npos);
  CHECK(law("rolling = 0.001\ndirection = { shape = \"disk\", radius = 1 }\n").find("laws.felt.direction: laws with") !=
        std::string::npos);
  CHECK(law("rolling = 0.001\nstribeck = { static = 1.5, velocity = 1 }\n")
            .find("laws.felt.stribeck: not supported with drilling or rolling") != std::string::npos);
  CHECK(law("rolling = -1\n").find("laws.felt.rolling") != std::string::npos);
  CHECK(law("rolling = 0\n").find("laws.felt.rolling") != std::string::npos);
  CHECK(law("drilling = \"x\"\n").find("laws.felt.drilling") != std::string::npos);
  CHECK(law("rolling = 1000\n")
            .find("a torque of 1e+03 m per unit normal force is out of range for these bodies; expected at most") !=
        std::string::npos);
  CHECK(law("patch = { radius = 0.01 }\n").find("laws.felt.reservoir: a patch needs") != std::string::npos);
  // A law with C other than D may stand beside one that rolls.
  CHECK(law("rolling = 0.001\n[laws.grain]\n" + set + "direction = \"collinear\"\n") == "none");
  CHECK(law("[laws.grain]\n" + set + "direction = \"collinear\"\n") == "none");
}

TEST_CASE("bodies that overlap by more than half the smallest are refused, less is taken out") {
  const auto sunk = [](double z) {
    return kStart + kFloor + fmt::format("[[body]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, {}]\n", z);
  };
  CHECK(error_of(sunk(-5)).find("\"floor\" and \"sphere2\" overlap by 5.1 m at the start") != std::string::npos);
  CHECK(
      error_of(kStart + kBall + "[[pile]]\nname = \"p\"\nspheres = 3\ncentre = [5, 0, 0]\n").find("\"ball\" overlap") !=
      std::string::npos);
  const ScenarioFile file(sunk(0.099));
  CHECK_NOTHROW(read_bodies_run(file.scenario().root()));
}

namespace {

const std::string kAnchor = "[[body]]\nname = \"anchor\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nfixed = true\n";
const std::string kRod =
    "[[body]]\nname = \"rod\"\nshape = \"box\"\nsize = [0.02, 0.02, 0.4]\nmass = 2\nposition = [0, 0, -0.2]\n";

std::string joint(const std::string& keys) { return "[[joint]]\n" + keys; }
std::string hinge(const std::string& bodies = "[\"anchor\", \"rod\"]") {
  return joint("kind = \"hinge\"\nbodies = " + bodies + "\npoint = [0, 0, 0]\naxis = [0, 2, 0]\n");
}
std::string start(double step, double duration, const std::string& system = "") {
  return fmt::format("[system]\nkind = \"rigid-bodies\"\n{}[integrator]\nstep = {}\nduration = {}\n", system, step,
                     duration);
}
Run run_of(const RunSetup& s) { return simulate(*s.system, s.start, s.integrator, s.options); }
Run run_of(const std::string& text) { return run_of(read_bodies_run(ScenarioFile(text).scenario().root())); }

}  // namespace

TEST_CASE("joints, loads and restitution of a file become those of the world") {
  const RunSetup scenario = read_bodies_run(
      ScenarioFile(kStart + kAnchor + "restitution = 0.25\n" + kRod + "force = [1, 2, 3]\ntorque = [4, 5, 6]\n" +
                   hinge() +
                   joint("name = \"w\"\nkind = \"fixed\"\nbodies = [\"s.box2\", \"rod\"]\npoint = [1, 2, 3]\n") +
                   "[[stack]]\nname = \"s\"\nboxes = 2\nsize = [0.1, 0.1, 0.1]\nbase = [-1, 0, 0]\n")
          .scenario()
          .root());
  const BodyWorld& world = world_of(scenario);
  CHECK(world.bodies[0].surface.restitution == 0.25);
  CHECK(world.bodies[1].surface.restitution == 0);
  CHECK(world.bodies[1].force == Vec3(1, 2, 3));
  CHECK(world.bodies[1].torque == Vec3(4, 5, 6));
  REQUIRE(world.joints.size() == 2);
  CHECK(world.joints[0].name == "hinge1");
  CHECK(world.joints[0].kind == JointKind::hinge);
  CHECK(world.joints[0].first == 0);
  CHECK(world.joints[0].second == 1);
  CHECK(world.joints[0].axis == Vec3(0, 1, 0));
  CHECK(world.joints[0].point_second == Vec3(0, 0, 0.2));
  CHECK(world.joints[1].name == "w");
  CHECK(world.joints[1].kind == JointKind::fixed);
  CHECK(world.bodies[world.joints[1].first].name == "s.box2");
  CHECK(world.joints[1].point == Vec3(1, 2, 3));
  const AnyRun any = read_any_run(ScenarioFile(kStart + kAnchor + kRod + hinge()).scenario());
  CHECK(why_no_problems(any).find("remove [[joint]]") != std::string::npos);
}

TEST_CASE("wrong joints, loads and restitutions have place, key and remedy") {
  const std::string two = kStart + kAnchor + kRod;
  const auto wrong = [&](const std::string& keys) { return error_of(two + joint(keys)); };
  const auto says = [](const std::string& error, const std::string& what) {
    CAPTURE(error);
    CHECK(error.find(what) != std::string::npos);
  };
  const std::string point = "point = [0, 0, 0]\n", pair = "bodies = [\"anchor\", \"rod\"]\n";
  CHECK(error_of(two + hinge()) == "none");
  CHECK(wrong("kind = \"ball\"\n" + pair + point) == "none");
  const std::string unknown = wrong("kind = \"ball\"\nbodies = [\"anchor\", \"rood\"]\n" + point);
  says(unknown, ":23:21: joint[0].bodies: found \"rood\"; did you mean \"rod\"? allowed: anchor, rod");
  says(wrong("kind = \"ball\"\nbodies = [\"anchor\"]\n" + point), "joint[0].bodies: found 1 names; expected two");
  says(wrong("kind = \"ball\"\nbodies = [\"rod\", \"rod\"]\n" + point), "joint[0].bodies: found the same body twice");
  says(wrong("kind = \"ball\"\nbodies = \"rod\"\n" + point), "joint[0].bodies: found ");
  says(wrong("kind = \"ball\"\n" + point), "joint[0].bodies: missing");
  says(wrong("kind = \"ball\"\n" + pair), "joint[0].point: missing");
  says(wrong(pair + point), "joint[0].kind: missing");
  says(wrong("kind = \"hing\"\n" + pair + point), "joint[0].kind: found \"hing\"; did you mean \"hinge\"?");
  for (const char* kind : {"ball", "fixed"})
    says(wrong(fmt::format("kind = \"{}\"\naxis = [1, 0, 0]\n", kind) + pair + point),
         "joint[0].axis: is for a hinge or a slider; remove it");
  for (const char* kind : {"hinge", "slider"}) {
    says(wrong(fmt::format("kind = \"{}\"\n", kind) + pair + point), "joint[0].axis: missing");
    says(wrong(fmt::format("kind = \"{}\"\naxis = [0, 0, 0]\n", kind) + pair + point),
         "joint[0].axis: found a direction");
  }
  says(wrong("kind = \"ball\"\nstiffness = 3\n" + pair + point), "joint[0].stiffness: unknown key");
  says(error_of(two + hinge() + joint("name = \"hinge1\"\nkind = \"ball\"\n" + pair + point)),
       "joint[1].name: another joint is \"hinge1\", too");
  says(error_of(two + kFloor + hinge("[\"anchor\", \"floor\"]")),
       "joint[0].bodies: joint \"hinge1\": \"anchor\" is fixed and \"floor\" is fixed; make one of them free");

  const std::string ball = kStart + kBall;
  says(error_of(ball + "restitution = 1.5\n"), "body[0].restitution: found 1.5; expected 0 (no bounce) to 1 (no loss)");
  says(error_of(ball + "restitution = -0.1\n"), "body[0].restitution: found -0.1; expected 0");
  says(error_of(ball + "restitution = nan\n"), "body[0].restitution: found ");
  CHECK(error_of(ball + "restitution = 1\n") == "none");
  says(error_of(ball + kFloor + "force = [0, 0, 1]\n"), "body[1].force: is for bodies that are free; remove it");
  says(error_of(ball + kAnchor + "torque = [0, 0, 1]\n"), "body[1].torque: is for bodies that are free; remove it");
  says(error_of(ball + "force = [1, 2]\n"), "body[0].force: found 2 numbers; expected three");

  // A long list of names is cut short.
  const std::string many = error_of(kStart + "[[pile]]\nspheres = 200\n" +
                                    joint("kind = \"ball\"\nbodies = [\"sphere1\", \"?????????\"]\n" + point));
  says(many, " and 145 more");
  CHECK(many.size() < 1500);
}

// The scheme is that of leapfrog: its period is shorter by (ωΔt)²/24, and its energy sways by (ωΔt)²/4 of the swing's,
// without drift.
TEST_CASE("a rod that overlaps what it hangs from swings with 2π √(J/(m g l)); report of its joints") {
  const double angle = 0.02, mass = 2, arm = 0.2;
  const double inertia = mass * (0.02 * 0.02 + 0.4 * 0.4) / 12 + mass * arm * arm;
  const double omega = std::sqrt(mass * 9.81 * arm / inertia), period = 2 * kPi / omega * (1 + angle * angle / 16);
  const std::string rod = fmt::format(
      "[[body]]\nname = \"rod\"\nshape = \"box\"\nsize = [0.02, 0.02, 0.4]\nmass = {}\n"
      "position = [{:.17g}, 0, {:.17g}]\norientation = {{ axis = [0, 1, 0], angle = {:.17g} }}\n",
      mass, -arm * std::sin(angle), -arm * std::cos(angle), degrees(angle));
  for (const double step : {8e-3, 4e-3, 2e-3}) {
    const RunSetup s =
        read_bodies_run(ScenarioFile(start(step, 10.5 * period) + kAnchor + rod + hinge()).scenario().root());
    const Run run = run_of(s);
    CHECK(run.report.contacts.most == 0);
    std::vector<double> crossings;
    Worst sway;
    const Table& table = run.table;
    const auto &x = table["rod.x"], &t = table["t"], &kinetic = table["kinetic"], &potential = table["potential"];
    for (std::size_t i = 1; i < x.size(); ++i) {
      if (x[i - 1] * x[i] < 0) crossings.push_back(t[i] - (t[i] - t[i - 1]) * x[i] / (x[i] - x[i - 1]));
      sway.add(std::abs(kinetic[i] + potential[i] - potential[0]));
    }
    REQUIRE(crossings.size() == 21);
    const double error = (crossings.back() - crossings.front()) / 10 / period - 1, small = std::pow(omega * step, 2);
    CHECK(error / small == near(-1.0 / 24, 0.01));  // measured: to 0.06 %
    const double swing = mass * 9.81 * arm * angle * angle / 2;
    CHECK(sway.value() / swing / small == near(0.25, 0.03));
    const auto json = bodies_json(world_of(s), run, s.title);
    CHECK(json.at("joints").at("number") == 1);
    CHECK(json.at("joints").at("largest_distance").get<double>() < 1e-5 * step * step);
    CHECK(json.at("joints").at("largest_angle").get<double>() < 1e-12);
    CHECK(bodies_text(world_of(s), run, s.title).find("joints            1; open by ") != std::string::npos);
  }
}

TEST_CASE("a ball bounces to e² of its height; what an impact takes is dissipated") {
  const double e = 0.7, height = 1, mass = 0.5, step = 1e-4;
  const std::string ball =
      "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nmass = 0.5\nposition = [0, 0, 1.1]\n";
  // The value of the surface whose law holds: the plane's, unless the ball has a higher priority.
  for (const std::string& file : {kFloor + "restitution = 0.7\n" + ball + "restitution = 0.2\n",
                                  kFloor + "restitution = 0.2\n" + ball + "restitution = 0.7\npriority = 1\n"}) {
    const Run run = run_of(start(step, 2.2) + file);
    const auto &z = run.table["ball.z"], &v = run.table["ball.vz"], &lost = run.table["dissipated"];
    std::size_t bounces = 0;
    for (std::size_t i = 1; i < z.size(); ++i) {
      if (!(v[i - 1] > 0 && v[i] <= 0)) continue;
      ++bounces;
      const double part = std::pow(e, 2.0 * static_cast<double>(bounces));
      // In the step of an impact the ball moves with e v, wherever in the step it strikes: (1 + e) v Δt of height, at
      // most, and g Δt of speed.
      const double open = 3 * std::sqrt(2 * 9.81 * height) * step * static_cast<double>(bounces);
      CHECK(std::abs(z[i] - 0.1 - part * height) < open);
      CHECK(std::abs(lost[i] - mass * 9.81 * height * (1 - part)) < mass * 9.81 * open);
    }
    CHECK(bounces == 5);
    CHECK(std::abs(run.energy.residual()) < mass * 9.81 * 3 * std::sqrt(2 * 9.81) * step * 4);
  }
}

TEST_CASE("a constant force gives F t/m, a torque T t/I about the axes of the world, and their work is put in") {
  // Turned by 90° about x: the body's y axis is the world's z.
  const Run run = run_of(start(1e-3, 2, "gravity = 0\n") +
                         "[[body]]\nname = \"b\"\nshape = \"box\"\nsize = [0.1, 0.2, 0.3]\nmass = 3\n"
                         "orientation = { axis = [1, 0, 0], angle = 90 }\n"
                         "force = [0.3, 0, -0.6]\ntorque = [0, 0, 0.04]\n");
  const double inertia = 3 * (0.01 + 0.09) / 12;
  CHECK(run.table["b.vx"].back() == near(0.3 * 2 / 3, 1e-12));
  CHECK(run.table["b.vz"].back() == near(-0.6 * 2 / 3, 1e-12));
  CHECK(run.table["b.x"].back() == near(0.3 * 2 / 3, 1e-12));
  CHECK(run.table["b.wz"].back() == near(0.04 * 2 / inertia, 1e-9));
  CHECK(std::abs(run.table["b.wx"].back()) < 1e-9);
  CHECK(run.energy.input == near(run.energy.kinetic, 1e-9));
  CHECK(run.energy.kinetic == near((0.09 + 0.36) * 4 / 6 + 0.0016 * 4 / inertia / 2, 1e-9));
}
