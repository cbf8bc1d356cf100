// Counts heap allocations of a test program. Include it in one source file of the program.
#pragma once

#include <cstdlib>
#include <new>

namespace slipset::test {
inline std::size_t allocations = 0;
inline void* counted(std::size_t size) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
}  // namespace slipset::test

void* operator new(std::size_t size) {
  if (void* memory = slipset::test::counted(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return slipset::test::counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
