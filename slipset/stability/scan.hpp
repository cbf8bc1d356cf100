// How the modes of steady sliding change with a parameter.            docs/theory/stability.md
// Modes are followed, not sorted: from point to point each goes to the eigenvalue next to where it was heading, with
// the mode shape most like its own (B.7). Critical values, where the sliding becomes unstable or stable again, are
// refined by root finding.
#pragma once

#include <functional>

#include "slipset/stability/modes.hpp"

namespace slipset {

// The system at a value of the parameter. Called from several threads at once.
using SlidingAt = std::function<LinearSliding(double)>;

struct ScanOptions {
  double from = 0, to = 1;
  int count = 101;  // points, both ends included
  int threads = 0;  // 0: all cores. The results are the same bits for any number
  // Called now and then with points done; false ends the scan.
  std::function<bool(int)> progress;
};

struct CriticalValue {
  double value;         // of the parameter
  bool unstable_above;  // for growing parameters the sliding becomes unstable here; else stable
  double frequency;     // of the mode that loses its damping [rad/s]; 0: divergence
  bool by_coalescence;  // two undamped modes meet here: the growth rate starts like a root
};

struct StabilityScan {
  std::vector<double> parameter;
  Eigen::MatrixXcd values;       // a row per point, a column per mode, followed; NaN where there is no answer
  std::vector<bool> answered;    // the linearisation exists there
  std::vector<bool> stable;      // false where not answered
  std::vector<std::string> why;  // of the points without an answer, one each kind
  std::vector<CriticalValue> critical;
  std::vector<std::string> critical_unknown;  // where the verdict changes without one that was found, and why
  std::size_t counted = 0;   // points of a structure whose list was counted; the others were followed (mode_scan.hpp)
  bool ended_early = false;  // by progress; the points are those up to there
};

StabilityScan scan_stability(const SlidingAt& sliding_at, const ScanOptions& options);

// The value between `stable` and `unstable`, at which the verdicts are as they are called, to 1e-12 of their distance
// or a few rounding errors.
CriticalValue refine_critical(const SlidingAt& sliding_at, double stable, double unstable);

// f(0), ..., f(count - 1) on several threads, each result stored by f under its number.
void for_each_parallel(int count, int threads, const std::function<void(int)>& f);

}  // namespace slipset
