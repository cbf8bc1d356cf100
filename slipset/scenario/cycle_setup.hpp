// [law], [system], and if they are there [initial] and [integrator] of a scenario file → a search for a periodic
// motion.                                                              docs/scenarios.md
#pragma once

#include <memory>

#include "slipset/scenario/stability_setup.hpp"
#include "slipset/stability/cycle.hpp"

namespace slipset {

struct CycleSetup {
  std::string title;
  std::shared_ptr<const System> system;
  CycleOptions options;
};

// Without [integrator] as cycle_near says. Throws InvalidInput with file, line, column, key and remedy.
CycleSetup read_cycle(const TomlTable& root);
// From a small disturbance of steady sliding, with steps and a duration that fit its frequencies and growth rate. Throws
// InvalidInput where there is none, or nothing oscillates.
CycleSetup cycle_near(const SlidingSetup& sliding);

}  // namespace slipset
