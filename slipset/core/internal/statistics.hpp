// Statistics of samples.
#pragma once

#include <vector>

namespace slipset::internal {

// The middle value; of an even number the upper of the two. `values` must not be empty.
double median(std::vector<double> values);

}  // namespace slipset::internal
