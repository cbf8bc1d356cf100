// Planar sets as a name and a list of numbers, for binary files.      docs/formats.md
#pragma once

#include <string_view>
#include <vector>

#include "slipset/sets/planar_set.hpp"

namespace slipset::internal {

// The numbers that make the set again: its shape's parameters(), angles in degrees.
// Throws InvalidInput for a UserSet.
std::vector<double> set_numbers(const PlanarSet& set);
// Throws InvalidInput for an unknown name, for another number of numbers, and for what the shape refuses.
PlanarSet set_from_numbers(std::string_view shape, const std::vector<double>& numbers);

}  // namespace slipset::internal
