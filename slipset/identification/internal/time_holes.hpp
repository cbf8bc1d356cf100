// Holes in a record. For the identification's own use.
#pragma once

#include <span>
#include <string>

namespace slipset::internal {

// Steps of an increasing time that are much longer than the others: a model with a state has to guess what happened
// there. In words; empty if there are none.
std::string time_holes(std::span<const double> time);

}  // namespace slipset::internal
