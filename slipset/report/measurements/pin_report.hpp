// The law found in a pin-on-disk record, as [law], JSON, text, tables and figures.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/identification/pin_on_disk.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

std::string pin_law_toml(const PinIdentification& result);  // the [law] table
nlohmann::ordered_json pin_json(const PinIdentification& result);
std::string pin_text(const PinIdentification& result);
std::string pin_csv(const PinIdentification& result);  // folded signals, fit, points of C and D
// Forces over the slip angle, and the sets with their 95 % bands, as Figs. 23 to 26 of Walker & Leine 2019.
// `front` goes before their names, forces and sets.
std::vector<Figure> pin_figures(const PinIdentification& result, const std::string& title,
                                const std::string& front = "");

// The record as a table that read_pin_record reads.
std::string pin_record_csv(const PinRecord& record);

}  // namespace slipset
