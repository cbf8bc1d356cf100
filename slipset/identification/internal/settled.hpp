// When Ceres' answer is a minimum.
#pragma once

#include <ceres/ceres.h>

namespace slipset::internal {

// Converged; or stopped by the number of iterations while the sum of squares did not change any more: our tolerances
// are near rounding, and differences in place of derivatives may never meet them.
inline bool settled(const ceres::Solver::Summary& summary) {
  if (summary.termination_type == ceres::CONVERGENCE) return true;
  if (!summary.IsSolutionUsable() || summary.iterations.empty()) return false;
  const ceres::IterationSummary& last = summary.iterations.back();
  return last.cost_change <= 1e-6 * last.cost;
}

}  // namespace slipset::internal
