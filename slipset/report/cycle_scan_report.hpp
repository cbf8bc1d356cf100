// Branches of cycles in a parameter, as JSON, text, tables and a figure.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/report/results.hpp"
#include "slipset/scenario/cycle_scan.hpp"

namespace slipset {

// All of it: branches.json, branches.csv, simulations.csv, branches.png.
Results cycle_scan_results(const CycleScan& scan, const CycleDiagram& diagram);

nlohmann::ordered_json diagram_json(const CycleScan& scan, const CycleDiagram& diagram);
std::string diagram_text(const CycleScan& scan, const CycleDiagram& diagram);
std::string branches_csv(const CycleScan& scan, const CycleDiagram& diagram);
std::string motions_csv(const CycleScan& scan, const CycleDiagram& diagram);
// Largest first coordinate of the cycles over the parameter, stable solid and unstable dashed, with events and the
// simulations' maxima.
Figure diagram_figure(const CycleScan& scan, const CycleDiagram& diagram);

}  // namespace slipset
