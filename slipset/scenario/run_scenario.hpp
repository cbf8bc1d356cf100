// [law], [system], [initial], [integrator], [output] of a scenario file → a run.       docs/scenarios.md
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "slipset/dynamics/simulate.hpp"

namespace slipset {

struct RunScenario {
  std::string title;
  std::unique_ptr<MechanicalSystem> system;
  State start;
  SimulationOptions options;
  std::vector<std::string> figures;  // path, force, time
};

// Throws InvalidInput with file, line, column, key and remedy.
RunScenario read_run_scenario(const std::filesystem::path& path);

}  // namespace slipset
