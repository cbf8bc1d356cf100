// Sets as text that read_shape reads again.                            docs/scenarios.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "slipset/sets/planar_set.hpp"

namespace slipset {

// { shape = "superellipse", semi_axes = [0.54, 0.46], exponent = 2.9, angle = 12 }: numbers with `digits` digits.
// Disks, ellipses and superellipses exactly; every other shape as the polar curve through 144 of its points.
std::string shape_toml(const PlanarSet& set, int digits = 10);
// The same keys as JSON.
nlohmann::ordered_json shape_json(const PlanarSet& set);

}  // namespace slipset
