// Work of a library that may crash on a damaged file, tried in a process of its own first.
#pragma once

#include <functional>

namespace slipset::internal {

// False if f() ends its process: a crash, a loop that takes minutes, memory without end. What it throws, returns or
// changes is lost. Where no process can be made, true.
bool survives(const std::function<void()>& f);

}  // namespace slipset::internal
