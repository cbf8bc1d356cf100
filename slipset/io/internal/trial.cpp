#include "slipset/io/internal/trial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

[[noreturn]] void run_child(const std::function<void()>& f, int to) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) std::signal(number, SIG_DFL);
  const rlimit no_core{0, 0}, minutes{120, 120};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &minutes);
  ::close(2);  // "free(): invalid pointer" is for nobody
  std::string thrown;
  try {
    f();
  } catch (const std::exception& error) {
    thrown = error.what();
    if (thrown.empty()) thrown = "no reason given";
  }
  std::string_view left = thrown;
  for (ssize_t n; !left.empty() && (n = ::write(to, left.data(), left.size())) > 0;)
    left.remove_prefix(static_cast<std::size_t>(n));
  ::_exit(0);
}

}  // namespace

Trial try_apart(const std::function<void()>& f) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) run_child(f, ends[1]);
  ::close(ends[1]);
  Trial trial;
  if (child > 0) {
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0) trial.thrown.append(buffer, static_cast<std::size_t>(n));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    trial.survived = WIFEXITED(status);
  }
  ::close(ends[0]);
  return trial;
}

void throw_of(const Trial& trial, const std::string& name) {
  if (trial.survived) throw InvalidInput(trial.thrown);
  throw InvalidInput(fmt::format("{}: the file is damaged: the library that reads it crashes on it", name));
}

}  // namespace slipset::internal
