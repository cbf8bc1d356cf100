#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace slipset::app {

Progress::Progress(bool wanted)
    : shown_(wanted && ::isatty(2) == 1), began_(std::chrono::steady_clock::now()), last_(began_) {}

void Progress::show(double done, double all, std::string_view unit) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (first_ < 0) first_ = done;
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  drawn_ = true;
  const double rate = (done - first_) / std::chrono::duration<double>(now - began_).count();
  if (all > 0)
    fmt::print(stderr, "\r\033[K{:3.0f} %  {:.4g} {} per second, {:.0f} s left", 100 * done / all, rate, unit,
               (all - done) / rate);
  else
    fmt::print(stderr, "\r\033[K{:.4g} {}, {:.4g} per second", done, unit, rate);
}

void Progress::end() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace slipset::app
