// Fitted Stribeck curves and LuGre parameters, as JSON, text and a figure.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/identification/rate_fit.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

std::string rate_law_toml(const RateFit& fit);  // the [law] table: exactly the fitted curve
nlohmann::ordered_json rate_json(const RateFit& fit);
std::string rate_text(const RateFit& fit);
Figure rate_figure(const RateRecord& record, const RateFit& fit, const std::string& title);

}  // namespace slipset
