// A race that the thread sanitizer must report, whatever is suppressed: two parts of one loop write one number.
#include <cstdio>

#include "slipset/contact/internal/threads.hpp"

int main() {
  long sum = 0;
  slipset::internal::for_each_in_parallel(100000, 2, [&](std::size_t i) { sum += static_cast<long>(i); });
  std::printf("%ld\n", sum);
}
