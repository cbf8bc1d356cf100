// Slow motions without inertia.
#include "slipset/scenario/pulled_block_run.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset {
namespace {

constexpr std::string_view kPathExample = "a table, as in { kind = \"circle\", radius = 0.01 }";
constexpr int kMostIncrements = 1000000, kMostCycles = 10000;

constexpr Key kDistance{"distance", "m", kRequired, "of the motion"};
constexpr Key kMotionAngle{"angle", "degrees", 0.0, "of the motion"};
constexpr Key kCycles{"cycles", "", 2.0, "how many"};
constexpr Key kIncrements{"increments", "", 400.0, "of the motion, or of a cycle"};

void read_path(const TomlTable& table, PulledBlockSetup& scenario) {
  scenario.motion = table.choice("kind", names_of(pulled_paths()));
  const TomlTable t = table.described_by(find_entry(pulled_paths(), scenario.motion)->keys, "kind");
  const int increments = scenario.increments = t.whole("increments", 4, kMostIncrements);
  if (scenario.motion == "pull") {
    scenario.distance = t.positive("distance");
    return;
  }
  if (scenario.motion == "line") {
    scenario.positions = line_path(t.positive("distance"), radians(t.number("angle")), increments);
    return;
  }
  const int cycles = t.whole("cycles", 1, kMostCycles);
  if (static_cast<double>(increments) * cycles > 1e7) t.fail("cycles", "more than 1e7 increments in total");
  if (scenario.motion == "back-and-forth")
    scenario.positions = back_and_forth_path(t.positive("amplitude"), radians(t.number("angle")), cycles, increments);
  else if (scenario.motion == "circle")
    scenario.positions = circle_path(t.positive("radius"), cycles, increments);
  else
    scenario.positions = figure_eight_path(t.positive("length"), radians(t.number("angle")), cycles, increments);
}

AnyRun read_any_pulled_run(const Scenario& scenario) { return {read_pulled_block(scenario.root())}; }

}  // namespace

std::span<const Entry> pulled_paths() {
  static const std::vector<Entry> all = {
      {"pull",
       "a carriage with a frictionless guide pulls along x, the force along y is zero; always implicit",
       {kDistance, kIncrements}},
      {"line", "along a straight line", {kDistance, kMotionAngle, kIncrements}},
      {"back-and-forth",
       "along a straight line and back",
       {{"amplitude", "m", kRequired, "of the motion"}, kMotionAngle, kCycles, kIncrements}},
      {"circle", "along a circle", {{"radius", "m", kRequired, "of the circle"}, kCycles, kIncrements}},
      {"figure-eight",
       "along a figure of eight",
       {{"length", "m", kRequired, "of the figure"}, kMotionAngle, kCycles, kIncrements}}};
  return all;
}

std::vector<SystemKind> quasi_static_systems() {
  SystemKind kind{{"pulled-block",
                   "a block on an elastic interface, moved slowly along a path; needs [law] elastic",
                   {{"normal_force", "N", kRequired, "a number, or [first, last]"},
                    {"path", "", kRequired, "a table with its kind, see below"},
                    {"rule", "", "midpoint", "of the increments: midpoint (second order) or implicit"}}}};
  kind.read_run = read_any_pulled_run;
  kind.tables = {"title", "law", "system"};
  kind.prescribed = true;
  return {kind};
}

PulledBlockSetup read_pulled_block(const TomlTable& root) {
  const LawSetup law = read_law(root);
  const TomlTable law_table = root.table("law");
  for (const std::string& table : law.set_aside)
    if (table != "elastic") law_table.fail(table, "is not supported by a pulled-block; remove it");
  if (law.law.stribeck()) law_table.fail("stribeck", "is not supported by a pulled-block; remove it");
  if (!law.law.elastic())
    law_table.fail("elastic", "missing; a pulled-block needs elastic = { stiffness = [k1, k2], angle = 0 }");

  const TomlTable t = root.table("system").described_by(system_kind_of(root).keys, "kind");
  PulledBlockSetup scenario{law.title, ElasticReturn({law.law, *law.law.elastic()}), "", {}, 0, 0, {}};
  if (t.is_number("normal_force")) {
    scenario.options.normal_before = scenario.options.normal_after = t.positive("normal_force");
  } else {
    const Vec2 pair = t.positive_pair("normal_force");
    scenario.options.normal_before = pair.x();
    scenario.options.normal_after = pair.y();
  }
  constexpr std::array<std::string_view, 2> rules = {"implicit", "midpoint"};
  if (t.choice("rule", rules) == "implicit") scenario.options.rule = IncrementRule::implicit;
  const TomlTable path = t.table("path", kPathExample);
  path.located("", [&] { read_path(path, scenario); });
  return scenario;
}

InterfacePath run_pulled_block(const PulledBlockSetup& s) {
  return s.positions.empty() ? pull_block(s.interface, s.distance, s.increments, s.options)
                             : move_block(s.interface, s.positions, s.options);
}

}  // namespace slipset
