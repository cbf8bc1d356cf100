// Runs, as JSON, text, a table and figures.                            docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/motion/time_stepping.hpp"

namespace slipset {

// The stable keys of the JSON result.
nlohmann::ordered_json run_json(const Run& run);
// The same for people.
std::string run_text(const Run& run);

// The path in the plane of the first two coordinates, stick in another colour.
Figure path_figure(const System& system, const Run& run, const std::string& title);
// The friction forces of the first contact in its reservoir, with slip vectors.                    [WL19 Fig. 17b]
Figure force_figure(const System& system, const Run& run, const std::string& title);
// Coordinates, slip speed and energies over time.
Figure time_figure(const System& system, const Run& run, const std::string& title);

}  // namespace slipset
