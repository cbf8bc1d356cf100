// [sweep] of stability, carried out: a scan over one parameter, or for each value of a second one: a map.
#pragma once

#include <functional>
#include <optional>

#include "slipset/report/stability_report.hpp"

namespace slipset {

struct Swept {
  std::optional<StabilityScan> scan;
  std::optional<StabilityMap> map;
  bool ended_early = false;  // what is there are the points, or rows, up to there

  bool has_points() const;
  const StabilityScan* scan_or_null() const { return scan ? &*scan : nullptr; }
  const StabilityMap* map_or_null() const { return map ? &*map : nullptr; }
};

using ScanOf = std::function<StabilityScan(const ScanOptions&, std::optional<double> second)>;
// So many of all units are done; false ends the work.
using ShowProgress = std::function<bool(double done, double all, const char* unit)>;

Swept run_sweep(const Sweep& sweep, int threads, const ShowProgress& show, const ScanOf& scan_of);

// Whether there is an answer: steady sliding, or with a sweep at least one of its points; the file's own numbers may then be
// anywhere.
bool is_answered(const StabilityAnswer& answer, const Swept& swept);

}  // namespace slipset
