#include "slipset/core/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slipset {

void require_positive(double value, const char* what) {
  if (!(std::isfinite(value) && value > 0))
    throw InvalidInput(fmt::format("{} is {}; it must be positive and finite", what, value));
}

void require_finite(double value, const char* what) {
  if (!std::isfinite(value)) throw InvalidInput(fmt::format("{} is {}; it must be finite", what, value));
}

}  // namespace slipset
