// The factors of a law with drilling and rolling, as numbers.
#pragma once

#include <array>

#include "slipset/laws/rolling_law.hpp"

namespace slipset {

// The factors of a law, for projections that need no visit.
struct RollingFactors {
  RollingFactors() = default;
  explicit RollingFactors(const RollingLaw& law);

  std::array<int, 3> size{};                    // 0: no such factor
  std::array<double, 3> backward{}, forward{};  // of intervals
  bool simple = true;                           // balls and intervals alone
};

}  // namespace slipset
