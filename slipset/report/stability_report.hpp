// Steady sliding and its stability, as JSON, text, tables and figures.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/report/results.hpp"
#include "slipset/scenario/stability_setup.hpp"
#include "slipset/stability/criteria.hpp"
#include "slipset/stability/spectrum.hpp"

namespace slipset {

// Everything about one state of steady sliding.
struct StabilityAnswer {
  LinearSliding sliding;
  std::vector<Mode> modes;
  std::vector<std::vector<Contribution>> contributions;  // mode by mode
  Criteria criteria;
};
// Where Newton's method fails, only sliding.report is filled in.
StabilityAnswer answer_stability(const SlidingSetup& scenario);

// A map over two parameters: for each value of the second a scan over the first.
struct StabilityMap {
  std::vector<std::vector<double>> growth;    // largest growth rate, row by row of the second parameter; NaN: no answer
  std::vector<std::vector<double>> boundary;  // rows (first, second, 1 if unstable above)
  std::size_t unanswered = 0;                 // points
  std::vector<std::string> why;               // of these, each once
  std::vector<std::string> boundary_unknown;  // where the boundary was not found, with the value of the second

  void add(const StabilityScan& scan, double second);
};
// The points of the boundary joined into curves, an empty row between two.
std::vector<std::vector<double>> joined(const std::vector<std::vector<double>>& boundary, const ScanRange& first,
                                        const ScanRange& second);

// All of it: stability.json, sweep.csv, boundary.csv, map.csv, figures; `scan` and `map` may be null.
Results stability_results(const StabilitySetup& scenario, const StabilityAnswer& answer, const StabilityScan* scan,
                          const StabilityMap* map);

// The stable keys of the JSON result; `scan` and `map` may be null.
nlohmann::ordered_json stability_json(const StabilitySetup& scenario, const StabilityAnswer& answer,
                                      const StabilityScan* scan, const StabilityMap* map);
std::string stability_text(const StabilitySetup& scenario, const StabilityAnswer& answer, const StabilityScan* scan,
                           const StabilityMap* map);

// What a sweep adds to any of it: keys critical, sweep and map; lines; sweep.csv, boundary.csv, map.csv, these figures and the map.
// `scan` and `map` may be null.
void add_sweep_json(nlohmann::ordered_json& json, const std::optional<Sweep>& sweep, const StabilityScan* scan,
                    const StabilityMap* map);
std::string sweep_text(const std::optional<Sweep>& sweep, const StabilityScan* scan, const StabilityMap* map);
void add_sweep_files(Results& results, const std::optional<Sweep>& sweep, const StabilityScan* scan,
                     const StabilityMap* map, std::vector<Figure> figures_of_scan);
// The largest growth rate at a point; NaN where there is no answer or no mode.
double largest_growth(const StabilityScan& scan, std::size_t point);
// parameter, stable, then growth rate and angular frequency of each mode, followed.
std::string scan_csv(const Sweep& sweep, const StabilityScan& scan);
std::string map_csv(const Sweep& sweep, const StabilityMap& map);

// Eigenvalues in the complex plane, those that grow in another colour; with the box in which they were looked for.
Figure eigenvalue_figure(const std::string& title, const std::vector<std::complex<double>>& stable,
                         const std::vector<std::complex<double>>& growing,
                         const std::optional<SpectrumBox>& box = std::nullopt);
// Growth rates and frequencies over the parameter, with the critical values.
Figure scan_figure(const Sweep& sweep, const StabilityScan& scan);
// Stable and unstable in the plane of two parameters.
Figure map_figure(const Sweep& sweep, const StabilityMap& map);

}  // namespace slipset
