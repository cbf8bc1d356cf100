// [law], [system], and if they are there [initial] and [integrator] of a scenario file → a search for a periodic
// motion, and its results.                                                     docs/scenarios.md, docs/output.md
#pragma once

#include <nlohmann/json.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/scenario/run_report.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "slipset/stability/cycle.hpp"

namespace slipset {

struct CycleScenario {
  std::string title;
  std::unique_ptr<MechanicalSystem> system;
  CycleOptions options;
};

// Without [integrator]: steps and a duration that fit the frequencies and the growth rate of steady sliding, from a
// small disturbance of it. Throws InvalidInput with file, line, column, key and remedy.
CycleScenario read_cycle_scenario(const std::filesystem::path& path);
CycleScenario read_cycle(const TomlTable& root);

// The stable keys of the JSON result.
nlohmann::ordered_json cycle_json(const CycleScenario& scenario, const Cycle& cycle);
std::string cycle_text(const CycleScenario& scenario, const Cycle& cycle);
// One period: the path in the plane, or over time for one coordinate.
Figure cycle_figure(const CycleScenario& scenario, const Cycle& cycle);

}  // namespace slipset
