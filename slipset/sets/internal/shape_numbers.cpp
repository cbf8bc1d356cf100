#include "slipset/sets/internal/shape_numbers.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset::internal {

void expect_numbers(std::string_view shape, std::span<const double> numbers, std::size_t count) {
  if (numbers.size() != count)
    throw InvalidInput(fmt::format("shape \"{}\": found {} numbers, expected {}", shape, numbers.size(), count));
}

std::size_t expect_pairs(std::string_view shape, std::span<const double> numbers) {
  if (numbers.size() < 3 || numbers.size() % 2 == 0)
    throw InvalidInput(
        fmt::format("shape \"{}\": found {} numbers, expected pairs and an angle", shape, numbers.size()));
  return numbers.size() / 2;
}

}  // namespace slipset::internal
