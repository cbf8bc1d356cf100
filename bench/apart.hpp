// A measurement in a process of its own, so that its memory is that of this measurement alone.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <type_traits>

namespace slipset::bench {

// What `measure` returns, through a pipe; empty if the process ended early.
template <class Measure>
auto run_apart(Measure&& measure) -> std::optional<std::invoke_result_t<Measure>> {
  using Result = std::invoke_result_t<Measure>;
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const Result r = measure();
    _exit(write(ends[1], &r, sizeof r) == static_cast<ssize_t>(sizeof r) ? 0 : 1);
  }
  close(ends[1]);
  Result result{};
  const bool whole = read(ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return whole ? std::optional(result) : std::nullopt;
}

// Of this process so far [bytes].
inline double largest_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace slipset::bench
