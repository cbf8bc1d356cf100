// Runs of rigid bodies, as JSON, text and figures.                    docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/motion/run.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/bodies/body_world.hpp"

namespace slipset {

// The stable keys of the JSON result.
nlohmann::ordered_json bodies_json(const BodyWorld& world, const Run& run, const std::string& title);
std::string bodies_text(const BodyWorld& world, const Run& run, const std::string& title);
// The bodies at a row of a run's table; those that do not move stand where the world has them.
std::vector<BodyState> states_at(const BodyWorld& world, const Table& table, std::size_t row);

// The paths of the centres from above and from the side, with the bodies at the end.
Figure bodies_path_figure(const BodyWorld& world, const Run& run, const std::string& title);
// The bodies from the side at four times.
Figure snapshots_figure(const BodyWorld& world, const Run& run, const std::string& title);
// Energies, and contacts with their modes, over time.
Figure bodies_time_figure(const BodyWorld& world, const Run& run, const std::string& title);

}  // namespace slipset
