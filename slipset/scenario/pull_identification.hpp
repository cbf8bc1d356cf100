// `slipset identify --model elastic-interface`: a table of (α, φ) in degrees → the calibration, as text and JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "slipset/identification/pull_calibration.hpp"

namespace slipset {

struct PullIdentification {
  PullCalibration fit;
  std::optional<double> stiffness_ratio;  // ε1/ε2, with friction coefficients
};

// Columns named alpha and phi, else the first two; `friction` is empty or μ1, μ2. Throws InvalidInput.
PullIdentification identify_pull(const std::filesystem::path& file, std::span<const double> friction);
nlohmann::ordered_json pull_identification_json(const PullIdentification& result);
std::string pull_identification_text(const PullIdentification& result);

}  // namespace slipset
