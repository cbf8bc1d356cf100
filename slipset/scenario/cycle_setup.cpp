#include "slipset/scenario/cycle_setup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/run_setup.hpp"
#include "slipset/stability/modes.hpp"

namespace slipset {
namespace {

std::vector<std::string_view> planar_kinds() {
  std::vector<std::string_view> names;
  for (const SystemKind& kind : system_kinds())
    if (kind.build) names.push_back(kind.name);
  return names;
}

}  // namespace

CycleSetup cycle_near(const SlidingSetup& sliding) {
  const LinearSliding steady = sliding.linearize();
  if (!steady.report.converged)
    throw InvalidInput("cycle: no steady sliding to start from (" + steady.report.why +
                       "); give a start, a step and a duration; in a file, [initial] and [integrator]");
  double fastest = 0, slowest = INFINITY;
  const std::vector<Mode> modes = modes_of(steady);
  for (const Mode& m : modes)
    if (m.frequency() > 0) {
      fastest = std::max(fastest, std::abs(m.value));
      slowest = std::min(slowest, m.frequency());
    }
  if (fastest == 0)
    throw InvalidInput(
        "cycle: steady sliding has no oscillating mode; give a start, a step and a duration; in a file, [initial] and "
        "[integrator]");
  CycleOptions options;
  const double growth = modes.front().grows() ? modes.front().growth_rate() : 0;
  options.step = 2 * kPi / fastest / 300;
  options.duration = std::max(60 * 2 * kPi / slowest, growth > 0 ? 15 / growth : 0);
  const VectorX shape = modes.front().shape.real();
  options.start = {0, steady.position + 0.1 * steady.contacts[0].slip_velocity.norm() / fastest * shape,
                   VectorX::Zero(steady.position.size())};
  return {sliding.title, sliding.system, options};
}

CycleSetup read_cycle(const TomlTable& root) {
  if (root.has("law"))
    for (const LawTable& table : law_tables())
      if (root.table("law").has(table.name))
        root.table("law").fail(table.name, "cycles are found for the rigid set-valued law; remove this key");
  if (const SystemKind& kind = system_kind_of(root); !kind.build)
    root.table("system").fail("kind", fmt::format("this command does not support \"{}\"; it supports systems with a "
                                                  "planar [law]: {}",
                                                  kind.name, fmt::join(planar_kinds(), ", ")));
  if (root.has("integrator")) {
    if (root.table("integrator").has("until"))
      root.table("integrator").fail("until", "a motion that sticks for good has no cycle; remove it, give a duration");
    RunSetup run = read_run(root, root);
    CycleOptions options;
    options.start = run.start;
    if (const auto* moreau = std::get_if<Moreau>(&run.integrator)) {
      options.step = moreau->step;
      options.closing_distance = moreau->closing_distance;
    } else if (const auto* events = std::get_if<EventDriven>(&run.integrator)) {
      if (events->row_step == 0)
        root.table("integrator").fail("step", "missing; it is that of the simulation that leads to the cycle");
      options.step = events->row_step;
    } else
      root.table("integrator").fail("kind", "cycles are found by moreau and event-driven; choose one of them");
    options.duration = run.options.duration;
    return {run.title, std::move(run.system), options};
  }
  if (root.has("initial")) root.fail("initial", "needs [integrator] with step and duration; or remove both");
  return cycle_near(read_sliding(root));
}

}  // namespace slipset
