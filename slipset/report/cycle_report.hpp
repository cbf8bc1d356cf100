// A periodic motion, as JSON, text and a figure.                       docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/report/results.hpp"
#include "slipset/scenario/cycle_setup.hpp"

namespace slipset {

// All of it: cycle.json, cycle.csv, cycle.png.
Results cycle_results(const CycleSetup& scenario, const Cycle& cycle);

// The stable keys of the JSON result.
nlohmann::ordered_json cycle_json(const CycleSetup& scenario, const Cycle& cycle);
std::string cycle_text(const CycleSetup& scenario, const Cycle& cycle);
// One period: the path in the plane, or over time for one coordinate.
Figure cycle_figure(const CycleSetup& scenario, const Cycle& cycle);

}  // namespace slipset
