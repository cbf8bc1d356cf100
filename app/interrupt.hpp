// Ctrl-C and SIGTERM as a wish that the work can look at. A second one ends the process at once.
#pragma once

namespace slipset::app {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();  // signals act as before
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool asked();
  static int exit_code();  // 128 + the signal's number, as shells do
};

}  // namespace slipset::app
