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
  bool go_on = show(0, second.count, "rows");
  for (int j = 0; j < second.count && go_on; ++j) {
    map.add(scan_of(options, second.at(j)), second.at(j));
    go_on = show(j + 1, second.count, "rows") || j + 1 == second.count;
  }
  swept.ended_early = !go_on;
  swept.map = std::move(map);
  return swept;
}

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
