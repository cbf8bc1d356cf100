// Comparison of numbers in tests. doctest's own Approx adds 1 to the scale: for small numbers its tolerance is absolute.
//   CHECK(x == near(expected, 1e-9));    |x - expected| ≤ 1e-9 |expected|, relative and nothing else
//   CHECK(x == within(expected, 1e-9));  |x - expected| ≤ 1e-9, in the unit of x; needed where expected may be 0
// A NaN, on either side, is never equal. `!=` does not compile: what differs is to say by how much.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <stdexcept>

namespace slipset::test {

class Near {
 public:
  Near(double expected, double tolerance, bool relative)
      : expected_(expected), tolerance_(tolerance), relative_(relative) {
    if (!(tolerance > 0 && std::isfinite(tolerance))) throw std::logic_error("a tolerance of a test must be positive");
    if (relative && expected == 0) throw std::logic_error("no relative tolerance about 0: use within(0, absolute)");
  }

  friend bool operator==(double value, const Near& near) {
    near.difference_ = value - near.expected_;
    return std::isfinite(near.difference_) && std::abs(near.difference_) <= near.tolerance_ * near.scale();
  }
  friend bool operator!=(double value, const Near& near) = delete;

  friend std::ostream& operator<<(std::ostream& out, const Near& near) {
    return out << fmt::format("{:.17g} (off by {:.2g}{}, allowed {:.2g})", near.expected_,
                              near.difference_ / near.scale(), near.relative_ ? " relative" : "", near.tolerance_);
  }

 private:
  double scale() const { return relative_ ? std::abs(expected_) : 1; }

  double expected_, tolerance_;
  bool relative_;
  mutable double difference_ = std::nan("");  // of the comparison, for its message
};

inline Near near(double expected, double relative) { return {expected, relative, true}; }
inline Near within(double expected, double absolute) { return {expected, absolute, false}; }

// The largest of many numbers. A NaN stays, where std::max(worst, NaN) would forget it; of no numbers there is none.
class Worst {
 public:
  void add(double x) {
    if (count_++ == 0 || std::isnan(x) || x > value_) value_ = std::isnan(value_) ? value_ : x;
  }
  double value() const {
    if (count_ == 0) throw std::logic_error("the worst of no samples");
    return value_;
  }
  long count() const { return count_; }

 private:
  double value_ = 0;
  long count_ = 0;
};

// The smallest of many numbers, as careful.
class Least {
 public:
  void add(double x) { negative_.add(-x); }
  double value() const { return -negative_.value(); }
  long count() const { return negative_.count(); }

 private:
  Worst negative_;
};

}  // namespace slipset::test
