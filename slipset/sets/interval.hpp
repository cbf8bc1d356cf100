// Interval: friction along one line, forward and backward apart.      docs/theory/sets.md
//   I = [-b, f],  k(t) = t/f or -t/b,  h(v) = f v or -b v
// As a reservoir: f resists forward slip, b backward slip [-].
#pragma once

#include <algorithm>

#include "slipset/core/error.hpp"

namespace slipset {

class Interval {
 public:
  explicit Interval(double both) : Interval(both, both) {}
  Interval(double backward, double forward) : backward_(backward), forward_(forward) {
    require_positive(backward, "interval: backward bound");
    require_positive(forward, "interval: forward bound");
  }

  double backward() const { return backward_; }
  double forward() const { return forward_; }
  double gauge(double t) const { return t < 0 ? -t / backward_ : t / forward_; }
  // One-sided at 0: 0, as for the other sets.
  double gauge_gradient(double t) const { return t < 0 ? -1 / backward_ : t > 0 ? 1 / forward_ : t; }
  double support(double v) const { return v < 0 ? -backward_ * v : forward_ * v; }
  double support_point(double v) const { return v < 0 ? -backward_ : v > 0 ? forward_ : v; }
  double project(double t) const { return t < -backward_ ? -backward_ : t > forward_ ? forward_ : t; }
  bool contains(double t) const { return -backward_ <= t && t <= forward_; }
  double length() const { return backward_ + forward_; }
  Interval scaled(double factor) const { return {backward_ * factor, forward_ * factor}; }

 private:
  double backward_, forward_;
};

}  // namespace slipset
