// One rigid box sliding on a plane with direction-dependent friction, in the engines that were found at build time.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace slipset::bench {

// Name and a function that makes so many steps; empty if no engine was found.
std::vector<std::pair<std::string, std::function<void(int)>>> sliding_in_engines();

}  // namespace slipset::bench
