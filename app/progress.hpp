// A line of progress on standard error, with rate and time left; only on a terminal.
#pragma once

#include <chrono>
#include <string_view>

namespace slipset::app {

class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `all` units; `all` = 0 if it is not known.
  void show(double done, double all, std::string_view unit);
  void end();  // clears the line

 private:
  bool shown_;
  bool drawn_ = false;
  double first_ = -1;  // what was done at the first call: a resumed run does not begin at zero
  std::chrono::steady_clock::time_point began_, last_;
};

}  // namespace slipset::app
