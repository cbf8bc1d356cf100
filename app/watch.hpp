// A long work under watch: a line of progress, and Ctrl-C as a wish to stop.
#pragma once

#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"

namespace slipset::app {

class Watch {
 public:
  explicit Watch(const CommonOptions& options) : progress_(!options.quiet && !options.json) {}

  // `done` of `all` units; `all` = 0 if it is not known. False once a stop was asked for.
  bool show(double done, double all, std::string_view unit) {
    progress_.show(done, all, unit);
    return !stopped();
  }
  void end() { progress_.end(); }  // clears the line
  static bool stopped() { return Interrupt::asked(); }
  // Says that nothing was written; returns the exit code.
  int report_stop();

 private:
  Interrupt interrupt_;
  Progress progress_;
};

}  // namespace slipset::app
