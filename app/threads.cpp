#include "app/threads.hpp"

#include <fmt/format.h>

#include <future>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "slipset/core/error.hpp"

namespace slipset::app {
namespace {

// "", or why this many threads cannot live at the same time.
std::string why_not(unsigned count) {
  std::promise<void> end;
  const std::shared_future<void> ended(end.get_future());
  std::vector<std::thread> started;
  std::string why;
  try {
    started.reserve(count);
    for (unsigned i = 0; i < count; ++i) started.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error& error) {
    why = error.code().message();
  } catch (const std::bad_alloc&) {
    why = "not enough memory";
  }
  end.set_value();
  for (std::thread& thread : started) thread.join();
  return why;
}

}  // namespace

int threads_of(const CommonOptions& options) {
  if (options.threads == 1) return 1;
  const unsigned wanted =
      options.threads > 0 ? static_cast<unsigned>(options.threads) : std::thread::hardware_concurrency();
  const std::string why = why_not(wanted);
  if (why.empty()) return options.threads;
  if (options.threads == 0) return 1;
  throw InvalidInput(fmt::format("--threads: {} threads cannot be started ({}); give fewer", wanted, why));
}

}  // namespace slipset::app
