// Checks of the numbers that a shape's from_parameters is given.
#pragma once

#include <span>
#include <string_view>

namespace slipset::internal {

// Throws InvalidInput unless there are `count` numbers.
void expect_numbers(std::string_view shape, std::span<const double> numbers, std::size_t count);
// How many pairs stand before the angle. Throws InvalidInput unless there is at least one, and the angle.
std::size_t expect_pairs(std::string_view shape, std::span<const double> numbers);

}  // namespace slipset::internal
