// How a solver is timed: the median of repeated solutions of the same problem, each from nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace slipset::bench {

// Repeat until 0.1 s are spent, at least five times, except where one solution takes 0.1 s or more: three of those below
// 1 s, else one. Solutions of microseconds stop at 200, since what is around them (reading the problem) takes longer.
// bench/peers.py has the same rule.
class Repetitions {
 public:
  void add(double seconds) {
    seconds_.push_back(seconds);
    total_ += seconds;
  }
  bool enough() const {
    const std::size_t n = seconds_.size();
    if (n == 0) return false;
    const double least = *std::min_element(seconds_.begin(), seconds_.end());
    return (total_ >= kTotal && n >= (least < kTotal ? 5 : least < 1 ? 3 : 1)) || n >= kMost;
  }
  double median() const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
  }

 private:
  static constexpr double kTotal = 0.1;  // [s]
  static constexpr std::size_t kMost = 200;
  std::vector<double> seconds_;
  double total_ = 0;
};

}  // namespace slipset::bench
