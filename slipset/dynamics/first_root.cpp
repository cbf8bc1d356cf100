#include "slipset/dynamics/first_root.hpp"

#include <array>
#include <cassert>
#include <cmath>

#include "slipset/core/roots.hpp"

namespace slipset {
namespace {

constexpr std::size_t kMost = 40;
constexpr int kDeepest = 40;
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

}  // namespace

FirstRoot first_root(std::span<const double> c) {
  assert(!c.empty() && c.size() <= kMost);
  if (!(c[0] > 0)) return {true, 0, false};
  double rest = 0;
  for (std::size_t k = 1; k < c.size(); ++k) rest += std::abs(c[k]);
  if (c[0] > rest) return {};

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
    double sum = 0, weight = 1;  // C(j,k)/C(d,k)
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
    if (changes == 1 && part.b[0] > 0 && part.b[degree] < 0)
      return {true,
              increasing_root([&](double x) { return negative_of(c, x); }, part.from, part.from + part.width,
                              part.from + part.width / 2),
              false};
    if (part.b[degree] == 0 && changes == 0) return {true, part.from + part.width, true};
    if (part.width <= smallest || depth + 1 >= stack.size()) return {true, part.from + part.width / 2, true};
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

}  // namespace slipset
