// What `slipset run` leaves of rigid bodies: a table, JSON, figures.   docs/output.md
#pragma once

#include <nlohmann/json.hpp>

#include "slipset/dynamics/simulate.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/scenario/bodies_scenario.hpp"

namespace slipset {

// The stable keys of the JSON result.
nlohmann::ordered_json bodies_json(const BodiesScenario& scenario, const BodyRun& run);
std::string bodies_text(const BodiesScenario& scenario, const BodyRun& run);
// t; for each body that is free or moves: position, orientation (quaternion), velocity, spin; contacts; energies;
// where a law has drilling or rolling, also contacts that turn and what torques dissipate.
Trajectory bodies_table(const BodyRun& run);

// The paths of the centres from above and from the side, with the bodies at the end.
Figure bodies_path_figure(const BodiesScenario& scenario, const BodyRun& run);
// The bodies from the side at four times.
Figure snapshots_figure(const BodiesScenario& scenario, const BodyRun& run);
// Energies, and contacts with their modes, over time.
Figure bodies_time_figure(const BodiesScenario& scenario, const BodyRun& run);

}  // namespace slipset
