#include "tests/support/counting_allocations.hpp"

#include <atomic>

namespace {
std::atomic<std::size_t> count{0};
}

namespace slipset::test {
std::size_t allocations() { return count; }
}  // namespace slipset::test

#if !defined(__SANITIZE_ADDRESS__)
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
#endif
