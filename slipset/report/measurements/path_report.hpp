// Sliding paths beside laws, as JSON, text, tables and a figure.       docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/identification/path_identification.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

std::string path_law_toml(const PathFit& fit);  // the [law] table; empty without a law
nlohmann::ordered_json paths_json(const PathIdentification& result);
std::string paths_text(const PathIdentification& result);
Figure paths_figure(const PathIdentification& result, const std::string& title);
// time, x, y as measured, smoothed x, y and velocities.
std::string path_csv(const SlidingPath& path, const SmoothedPath& smoothed);

}  // namespace slipset
