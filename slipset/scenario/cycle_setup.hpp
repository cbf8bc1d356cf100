// [law], [system], and if they are there [initial] and [integrator] of a scenario file → a search for a periodic
// motion.                                                              docs/scenarios.md
#pragma once

#include <memory>

#include "slipset/scenario/toml_table.hpp"
#include "slipset/stability/cycle.hpp"

namespace slipset {

struct CycleSetup {
  std::string title;
  std::unique_ptr<System> system;
  CycleOptions options;
};

// Without [integrator]: steps and a duration that fit the frequencies and the growth rate of steady sliding, from a
// small disturbance of it. Throws InvalidInput with file, line, column, key and remedy.
CycleSetup read_cycle(const TomlTable& root);

}  // namespace slipset
