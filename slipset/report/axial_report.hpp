// Runs of systems along one line, as JSON, text and figures.          docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/axial_system.hpp"

namespace slipset {

// As of other runs; path_length is null, and the law of `report` is "coulomb" unless it is regularised.
nlohmann::ordered_json axial_json(const Run& run);
std::string axial_text(const Run& run);

// Coordinates, slip velocities and energies over time; of at most eight coordinates and contacts.
Figure axial_time_figure(const AxialSystem& system, const Run& run, const std::string& title);
// Friction force over slip velocity, of at most eight contacts.                                    [Q04 Figs. 1-4]
Figure axial_force_figure(const AxialSystem& system, const Run& run, const std::string& title);

}  // namespace slipset
