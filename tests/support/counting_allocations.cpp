#include "tests/support/counting_allocations.hpp"

#include <atomic>
#include <cerrno>

namespace {
std::atomic<std::size_t> count{0};
}

namespace slipset::test {
std::size_t allocations() { return count; }
}  // namespace slipset::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// All ways to memory that glibc has: new, Eigen and the containers end in one of them.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) {
  ++count;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  ++count;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}
}
#endif
