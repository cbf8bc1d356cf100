// Bracketed root finding in one variable, without exceptions and without allocation.
// Boost.Math's newton_raphson_iterate measures its step relative to the root and so never stops at a root
// of zero, which is where symmetric sets have theirs; these two stop on an absolute step.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace slipset {

struct ValueAndSlope {
  double value;
  double slope;  // 0 or NaN where it is not known: the step is then a bisection
};

// The root of an increasing function in [lo, hi], from the guess x. Newton's method, with a bisection
// wherever it would leave the bracket or is slower than halving. Accurate to a few rounding errors of
// max(1, |x|); always ends.
template <class Function>
double increasing_root(Function&& f, double lo, double hi, double x) {
  const double eps = std::numeric_limits<double>::epsilon();
  double last_step = hi - lo;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const ValueAndSlope at = f(x);
    if (at.value == 0) return x;
    (at.value < 0 ? lo : hi) = x;
    double step = -at.value / at.slope;
    const bool newton_is_good = x + step > lo && x + step < hi && 2 * std::abs(step) < std::abs(last_step);
    if (!newton_is_good) step = lo + (hi - lo) / 2 - x;
    last_step = step;
    x += step;
    if (!(std::abs(step) > 2 * eps * std::max(1.0, std::abs(x)))) return x;
  }
  return x;
}

// All real roots in [lo, hi] of sum of coefficients[k] x^k, increasing. A root where the polynomial only
// touches zero is found when rounding lets it change sign there.
std::vector<double> polynomial_roots(std::span<const double> coefficients, double lo, double hi);

}  // namespace slipset
