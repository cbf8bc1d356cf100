// `slipset identify FILE --model stick-slip`: a pulled slider's record → coefficients, text, JSON, figure.
// docs/identify.md
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "slipset/identification/stick_slip.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

struct StickSlipRecord {
  std::vector<double> time, force;  // [s], spring force over weight
};
// Columns time (t) and force (Fnorm: over the weight; or F in newtons, which is divided by it).
StickSlipRecord read_stick_slip(const std::filesystem::path& file, const std::vector<std::string>& columns,
                                const std::vector<std::string>& units, double weight);

nlohmann::ordered_json stick_slip_json(const StickSlipResult& result, const StickSlipOptions& options);
std::string stick_slip_text(const StickSlipResult& result, const StickSlipOptions& options);
// The record with its events, and the simulated spring-slider over it.
Figure stick_slip_figure(const StickSlipRecord& record, const StickSlipResult& result, const std::string& title);

}  // namespace slipset
