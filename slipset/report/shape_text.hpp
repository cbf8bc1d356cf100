// Sets as text that read_shape reads again.                            docs/scenarios.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "slipset/sets/planar_set.hpp"

namespace slipset {

// { shape = "superellipse", semi_axes = [0.54, 0.46], exponent = 2.9, angle = 12 }: with all digits, so that the set
// that is read is the set that was written. Disks, ellipses, superellipses and polar curves; every other shape as the
// polar curve through 144 of its points.
std::string shape_toml(const PlanarSet& set);
// The same keys as JSON.
nlohmann::ordered_json shape_json(const PlanarSet& set);

// Comment lines above a fitted [law]: which of its numbers are one choice of many. Empty if `names` is.
std::string undetermined_comment(const std::vector<std::string>& names);

}  // namespace slipset
