#include "slipset/io/internal/trial.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace slipset::internal {

bool survives(const std::function<void()>& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}) std::signal(number, SIG_DFL);
    const rlimit no_core{0, 0}, minutes{120, 120};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_CPU, &minutes);
    ::close(2);  // "free(): invalid pointer" is for nobody
    try {
      f();
    } catch (...) {
    }
    ::_exit(0);
  }
  if (child < 0) return true;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status);
}

}  // namespace slipset::internal
