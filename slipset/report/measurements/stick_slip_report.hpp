// A stick-slip record and what was found in it, as JSON, text and a figure.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/identification/stick_slip.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

nlohmann::ordered_json stick_slip_json(const StickSlipResult& result, const StickSlipOptions& options);
std::string stick_slip_text(const StickSlipResult& result, const StickSlipOptions& options);
// The record with its events, and the simulated spring-slider over it.
Figure stick_slip_figure(const StickSlipRecord& record, const StickSlipResult& result, const std::string& title);

}  // namespace slipset
