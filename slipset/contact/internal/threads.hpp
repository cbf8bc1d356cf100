// Loops on several threads, by oneTBB; a build without it runs them on the calling thread. Results never depend on the
// number of threads: every call writes to a place of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace slipset::internal {

// As long as it lives, loops use no more threads than this; 0: all cores.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

// f(0), ..., f(count - 1), in any order, within the ThreadLimit of the caller. Pass std::ref(f): nothing is then
// allocated for it.
void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& f);

// The same on this many threads, also where that is more than there are cores; 0: all cores.
void for_each_in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& f);

}  // namespace slipset::internal
