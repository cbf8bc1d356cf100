#include "app/watch.hpp"

#include <fmt/format.h>

namespace slipset::app {

int Watch::report_stop() {
  end();
  fmt::print(stderr, "slipset: stopped; nothing was written\n");
  return Interrupt::exit_code();
}

}  // namespace slipset::app
