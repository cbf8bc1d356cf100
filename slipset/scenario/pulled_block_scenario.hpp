// [system] kind = "pulled-block": a block on an elastic interface, without inertia.       docs/scenarios.md
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "slipset/dynamics/simulate.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/models/pulled_block.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct PulledBlockScenario {
  std::string title;
  ElasticReturn interface;
  std::string motion;           // pull, line, back-and-forth, circle, figure-eight
  std::vector<Vec2> positions;  // empty for pull
  double distance = 0;
  int increments = 0;
  InterfaceRunOptions options;
};

// Whether the file's [system] is of this kind; other mistakes are left to the readers.
bool is_pulled_block(const std::filesystem::path& path);
// Throws InvalidInput with file, line, column, key and remedy.
PulledBlockScenario read_pulled_block(const std::filesystem::path& path);

InterfaceRun run_pulled_block(const PulledBlockScenario& scenario);

// Stable keys: docs/output.md.
nlohmann::ordered_json pulled_block_json(const PulledBlockScenario& scenario, const InterfaceRun& run);
std::string pulled_block_text(const PulledBlockScenario& scenario, const InterfaceRun& run);
Trajectory pulled_block_table(const InterfaceRun& run);
// Force over displacement along both axes: the hysteresis loops.
Figure hysteresis_figure(const InterfaceRun& run, const std::string& title);
// Path of the force in the reservoir, scaled with the normal force.
Figure interface_force_figure(const PulledBlockScenario& scenario, const InterfaceRun& run);

}  // namespace slipset
