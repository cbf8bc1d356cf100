// How many threads a command may use.
#pragma once

#include "app/options.hpp"

namespace slipset::app {

// --threads, if this many can be started now; throws InvalidInput if not. Without the option 0, which means all cores,
// or 1 where so many cannot be started. oneTBB ends the process when one of its threads cannot be started.
int threads_of(const CommonOptions& options);

}  // namespace slipset::app
