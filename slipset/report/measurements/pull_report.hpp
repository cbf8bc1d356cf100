// The calibration of an elastic interface, as JSON and text.           docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "slipset/identification/pull_calibration.hpp"

namespace slipset {

nlohmann::ordered_json pull_json(const PullCalibration& fit);
std::string pull_text(const PullCalibration& fit);

}  // namespace slipset
