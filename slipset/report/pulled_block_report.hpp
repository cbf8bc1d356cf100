// The run of a pulled block, as JSON, text, a table and figures.      docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/scenario/pulled_block_run.hpp"

namespace slipset {

// Stable keys: docs/output.md.
nlohmann::ordered_json pulled_block_json(const PulledBlockScenario& scenario, const InterfaceRun& run);
std::string pulled_block_text(const PulledBlockScenario& scenario, const InterfaceRun& run);
Table pulled_block_table(const InterfaceRun& run);
// Force over displacement along both axes: the hysteresis loops.
Figure hysteresis_figure(const InterfaceRun& run, const std::string& title);
// Path of the force in the reservoir, scaled with the normal force.
Figure interface_force_figure(const PulledBlockScenario& scenario, const InterfaceRun& run);

}  // namespace slipset
