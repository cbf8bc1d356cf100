#include "slipset/core/internal/statistics.hpp"

#include <algorithm>

namespace slipset::internal {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace slipset::internal
