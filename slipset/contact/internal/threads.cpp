#include "slipset/contact/internal/threads.hpp"

#ifdef SLIPSET_HAS_TBB

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#ifdef SLIPSET_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace slipset::internal {
namespace {

// The thread sanitizer does not see how TBB hands work over and back, whatever way a part of it ends: it is told.
struct Handover {
#ifdef SLIPSET_THREAD_SANITIZER
  void give() { __tsan_release(this); }
  void take() { __tsan_acquire(this); }
#else
  void give() {}
  void take() {}
#endif
};
struct GivesBack {
  Handover& back;
  ~GivesBack() { back.give(); }
};
struct TakesBack {
  Handover& back;
  ~TakesBack() { back.take(); }
};

void share_out(std::size_t count, const std::function<void(std::size_t)>& f) {
  Handover there, back;
  there.give();
  const TakesBack end{back};
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    there.take();
    const GivesBack part{back};
    f(i);
  });
}

int number_of(int threads) { return threads > 0 ? threads : tbb::info::default_concurrency(); }

}  // namespace

struct ThreadLimit::Control {
  explicit Control(int threads)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(number_of(threads))) {}
  tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) : control_(std::make_unique<Control>(threads)) {}
ThreadLimit::~ThreadLimit() = default;

void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& f) { share_out(count, f); }

void for_each_in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& f) {
  const ThreadLimit limit(threads);
  tbb::task_arena arena(number_of(threads));
  arena.execute([&] { share_out(count, f); });
}

}  // namespace slipset::internal

#else

namespace slipset::internal {

struct ThreadLimit::Control {};

ThreadLimit::ThreadLimit(int) {}
ThreadLimit::~ThreadLimit() = default;

void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& f) {
  for (std::size_t i = 0; i < count; ++i) f(i);
}

void for_each_in_parallel(std::size_t count, int, const std::function<void(std::size_t)>& f) {
  for_each_in_parallel(count, f);
}

}  // namespace slipset::internal

#endif
