#include "slipset/motion/integrators/internal/first_root.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "slipset/core/roots.hpp"

namespace slipset::internal {
namespace {

constexpr std::size_t kMost = 40;
constexpr int kDeepest = 40;
constexpr double kFlat = 1e-6;  // slope over size below which a root may be one that touches
using Row = std::array<double, kMost>;

int sign_changes(const Row& b, std::size_t count) {
  int changes = 0;
  double last = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (b[k] == 0) continue;
    changes += last != 0 && (b[k] < 0) != (last < 0);
    last = b[k];
  }
  return changes;
}

ValueAndSlope negative_of(std::span<const double> c, double x) {
  double value = 0, slope = 0;
  for (std::size_t k = c.size(); k-- > 0;) {
    slope = slope * x + value;
    value = value * x + c[k];
  }
  return {-value, -slope};
}

// Whether the polynomial is negative a little further, deeper than a crossing of slope kFlat that turns back.
bool goes_through(std::span<const double> c, double at, double size) {
  return negative_of(c, std::min(1.0, at + 1e-3)).value > kFlat * kFlat * size;
}

}  // namespace

FirstRoot first_root(std::span<const double> c) {
  assert(!c.empty() && c.size() <= kMost);
  double rest = 0;
  for (std::size_t k = 1; k < c.size(); ++k) rest += std::abs(c[k]);
  // What comes this near to zero touches it, for all that rounding leaves to tell.
  const double size = std::abs(c[0]) + rest, near = 4 * std::numeric_limits<double>::epsilon() * size;
  if (!(c[0] > near)) return {true, 0, false};
  if (c[0] > rest + near) return {};

  // b_j = Σ_k C(j,k)/C(d,k) c_k
  const std::size_t count = c.size(), degree = count - 1;
  struct Part {
    double from, width;
    Row b;
  };
  std::array<Part, kDeepest + 2> stack;
  stack[0].from = 0;
  stack[0].width = 1;
  for (std::size_t j = 0; j < count; ++j) {
    double sum = -near, weight = 1;  // C(j,k)/C(d,k)
    for (std::size_t k = 0; k <= j; ++k) {
      sum += weight * c[k];
      weight *= static_cast<double>(j - k) / static_cast<double>(degree - k > 0 ? degree - k : 1);
    }
    stack[0].b[j] = sum;
  }
  std::size_t depth = 1;
  const double smallest = std::ldexp(1.0, -kDeepest);
  while (depth > 0) {
    Part& part = stack[depth - 1];
    const int changes = sign_changes(part.b, count);
    if (changes == 0 && part.b[degree] != 0) {
      --depth;
      continue;
    }
    if (changes == 1 && part.b[0] > 0 && part.b[degree] < 0) {
      const double to = part.from + part.width, middle = part.from + part.width / 2;
      // Where only rounding leads to the other side, the root of what was lowered.
      const double lowered_by = negative_of(c, to).value > 0 ? 0 : near;
      const auto lowered = [&](double x) {
        const ValueAndSlope at = negative_of(c, x);
        return ValueAndSlope{at.value + lowered_by, at.slope};
      };
      const double at = increasing_root(lowered, part.from, to, middle);
      return {true, at, negative_of(c, at).slope <= kFlat * size && !goes_through(c, at, size)};
    }
    if (part.b[degree] == 0 && changes == 0) return {true, part.from + part.width, true};
    if (part.width <= smallest || depth + 1 >= stack.size()) {
      const double at = part.from + part.width / 2;
      return {true, at, !goes_through(c, at, size)};
    }
    // de Casteljau at the middle: the right half stays, the left goes on top.
    Part& left = stack[depth];
    left.from = part.from;
    left.width = part.width / 2;
    part.from += left.width;
    part.width = left.width;
    for (std::size_t level = 0; level < count; ++level) {
      left.b[level] = part.b[0];
      for (std::size_t j = 0; j + 1 < count - level; ++j) part.b[j] = 0.5 * (part.b[j] + part.b[j + 1]);
    }
    ++depth;
  }
  return {};
}

}  // namespace slipset::internal
