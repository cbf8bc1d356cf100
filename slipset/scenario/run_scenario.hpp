// [law], [system], [initial], [integrator], [output] of a scenario file → a run.       docs/scenarios.md
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipset/dynamics/simulate_ode.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

enum class IntegratorKind { moreau, event_driven, ode };

struct RunScenario {
  std::string title;
  std::unique_ptr<MechanicalSystem> system;
  State start;
  IntegratorKind integrator = IntegratorKind::moreau;
  SimulationOptions options;                     // for event-driven: `step` times `every` is the time between rows
  std::optional<RegularizedCoulomb> regularize;  // for ode: rk4 and adaptive, one of these two, or neither: elastic
  std::optional<LuGre> lugre;
  OdeOptions ode;                    // for ode, besides what `options` says
  std::vector<std::string> formats;  // csv, hdf5
  std::vector<std::string> figures;  // path, force, time
};

// Throws InvalidInput with file, line, column, key and remedy.
RunScenario read_run_scenario(const std::filesystem::path& path);
// The same from tables: each of [law], [system], [initial], [integrator], [output] is that of `over` if it has one,
// else that of `root`. For files with several cases.
RunScenario read_run(const TomlTable& root, const TomlTable& over);

}  // namespace slipset
