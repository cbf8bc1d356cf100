// How many times this test program has asked for memory, by new or by malloc (Eigen's way).
#pragma once

#include <cstddef>

namespace slipset::test {
std::size_t allocations();  // stays 0 under a sanitizer, which has its own malloc
}  // namespace slipset::test
