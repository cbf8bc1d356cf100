#include "slipset/report/sweep_run.hpp"

#include <algorithm>
#include <cmath>

namespace slipset {

Swept run_sweep(const Sweep& sweep, int threads, const ShowProgress& show, const ScanOf& scan_of) {
  ScanOptions options;
  options.from = sweep.first.from;
  options.to = sweep.first.to;
  options.count = sweep.first.count;
  options.threads = threads;
  Swept swept;
  if (!sweep.second) {
    options.progress = [&](int done) { return show(done, sweep.first.count, "points"); };
    swept.scan = scan_of(options, std::nullopt);
    swept.ended_early = swept.scan->ended_early;
    return swept;
  }
  StabilityMap map;
  const ScanRange& second = *sweep.second;
  for (int j = 0; j < second.count && !swept.ended_early; ++j) {
    options.progress = [&](int) { return show(j, second.count, "rows"); };
    const StabilityScan row = scan_of(options, second.at(j));
    swept.ended_early = row.ended_early;
    if (row.ended_early) break;
    map.add(row, second.at(j));
    swept.ended_early = !show(j + 1, second.count, "rows") && j + 1 < second.count;
  }
  swept.map = std::move(map);
  return swept;
}

bool Swept::has_points() const { return (scan && !scan->parameter.empty()) || (map && !map->growth.empty()); }

bool is_answered(const StabilityAnswer& answer, const Swept& swept) {
  if (swept.scan)
    return std::find(swept.scan->answered.begin(), swept.scan->answered.end(), true) != swept.scan->answered.end();
  if (swept.map)
    return std::any_of(swept.map->growth.begin(), swept.map->growth.end(), [](const std::vector<double>& row) {
      return std::any_of(row.begin(), row.end(), [](double growth) { return std::isfinite(growth); });
    });
  return answer.sliding.report.converged;
}

}  // namespace slipset
