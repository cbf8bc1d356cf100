// [law], [system], [initial], [integrator], [output] of a scenario file → a run.       docs/scenarios.md
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "slipset/dynamics/simulate.hpp"
#include "slipset/scenario/toml_table.hpp"

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
// The same from tables: each of [law], [system], [initial], [integrator], [output] is that of `over` if it has one,
// else that of `root`. For files with several cases.
RunScenario read_run(const TomlTable& root, const TomlTable& over);

}  // namespace slipset
