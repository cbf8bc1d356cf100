// Runs of all systems, as JSON, text and figures.                      docs/output.md
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/motion/time_stepping.hpp"

namespace slipset {

// What integrator and contact solver did and how the run ended: the object `report` of every run, and the same for
// people. A new key of RunReport is added to report_json(), and there only.
nlohmann::ordered_json report_json(const Run& run);
std::string report_text(const Run& run);
// The keys that runs of all systems share: energies, cycles, events, contacts where they are counted, steps, report.
void add_outcome(const Run& run, nlohmann::ordered_json& json);
// The line of the energies.
std::string energy_text(const Run& run);

// The stable keys of the JSON result; systems with a report of their own build on add_outcome().
nlohmann::ordered_json run_json(const Run& run);
struct RunTextOptions {
  std::size_t most_coordinates = std::numeric_limits<std::size_t>::max();
  bool path_length = true;  // false where it has no meaning
};
std::string run_text(const Run& run, RunTextOptions options = {});

// The body at a row of the run's table as a line in the plane of its path; empty for a point, and for rigid bodies, whose
// tables are ordered by bodies.
std::vector<Vec2> outline_at(const System& system, const Table::Row& row);
// The path in the plane of the first two coordinates, stick in another colour.
Figure path_figure(const System& system, const Run& run, const std::string& title);
// The friction forces of the first contact in its reservoir, with slip vectors.                    [WL19 Fig. 17b]
Figure force_figure(const System& system, const Run& run, const std::string& title);
// Coordinates, slip speed and energies over time.
Figure time_figure(const System& system, const Run& run, const std::string& title);

}  // namespace slipset
