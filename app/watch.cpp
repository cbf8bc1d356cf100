#include "app/watch.hpp"

#include "app/standard_output.hpp"

namespace slipset::app {

int Watch::report_stop() {
  end();
  tell("stopped; nothing was written");
  return Interrupt::exit_code();
}

}  // namespace slipset::app
