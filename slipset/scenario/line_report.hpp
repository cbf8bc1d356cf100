// What `slipset run` leaves for a line system: JSON, text, figures.   docs/output.md
#pragma once

#include <nlohmann/json.hpp>

#include "slipset/dynamics/line_simulate.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

// The stable keys of the JSON result, as of other runs, with cycle_dissipation and events.
nlohmann::ordered_json line_json(const LineSimulation& run);
std::string line_text(const LineSimulation& run);

// Coordinates, slip velocities and energies over time; of at most eight coordinates and contacts.
Figure line_time_figure(const LineSystem& system, const LineSimulation& run, const std::string& title);
// Friction force over slip velocity, of at most eight contacts.                                    [Q04 Figs. 1-4]
Figure line_force_figure(const LineSystem& system, const LineSimulation& run, const std::string& title);

}  // namespace slipset
