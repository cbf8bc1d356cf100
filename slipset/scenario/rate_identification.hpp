// `slipset identify FILE --model stribeck | lugre`: friction over velocity → parameters, text, JSON, figure.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "slipset/identification/rate_fit.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

struct RateRecord {
  std::vector<double> time, velocity, friction;  // time is empty for a Stribeck curve without
};
// Columns velocity (v), friction (per unit normal force, or in newtons with `normal_force`), for LuGre also time (t).
RateRecord read_rate_record(const std::filesystem::path& file, const std::vector<std::string>& columns,
                            const std::vector<std::string>& units, double normal_force, bool needs_time);

nlohmann::ordered_json rate_json(const RateFit& fit);
std::string rate_text(const RateFit& fit);
Figure rate_figure(const RateRecord& record, const RateFit& fit, const std::string& title);

}  // namespace slipset
