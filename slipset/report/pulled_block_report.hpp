// The run of a pulled block, as JSON, text, a table and figures.      docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/scenario/pulled_block_run.hpp"

namespace slipset {

// Stable keys: docs/output.md.
nlohmann::ordered_json pulled_block_json(const PulledBlockSetup& scenario, const InterfacePath& run);
std::string pulled_block_text(const PulledBlockSetup& scenario, const InterfacePath& run);
Table pulled_block_table(const InterfacePath& run);
// Force over displacement along both axes: the hysteresis loops.
Figure hysteresis_figure(const InterfacePath& run, const std::string& title);
// Path of the force in the reservoir, scaled with the normal force.
Figure interface_force_figure(const PulledBlockSetup& scenario, const InterfacePath& run);

}  // namespace slipset
