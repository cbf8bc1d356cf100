// Random numbers with a fixed seed, the same on every run. SLIPSET_SAMPLES sets how many samples the property
// tests take of each shape (default 3000); 1000000 was run for the worst cases quoted in the tests.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <string_view>

#include "slipset/core/angle.hpp"

namespace slipset::test {

inline int sample_count() {
  const char* wanted = std::getenv("SLIPSET_SAMPLES");
  return wanted ? std::atoi(wanted) : 3000;
}

// With SLIPSET_SHOW set, the measured worst cases are printed: the source of the numbers in the tests' comments.
inline void show_worst(std::string_view what, std::string_view of, double worst) {
  if (std::getenv("SLIPSET_SHOW")) fmt::print("{:<24} {:<36} {:.2e}\n", what, of, worst);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  double log_uniform(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
  bool coin() { return integer(0, 1) == 1; }

  // A direction; half of them within 1e-12 to 0.1 of an axis of `frame`, one in ten exactly on it.
  Vec2 direction(double frame) {
    if (coin()) return unit(uniform(0, 2 * kPi));
    const double off = integer(0, 4) == 0 ? 0 : log_uniform(1e-12, 0.1) * (coin() ? 1 : -1);
    const Vec2 own = unit_at_degrees(90.0 * integer(0, 3)) + off * unit_at_degrees(90.0 * integer(0, 3));
    const Vec2 axis = unit_at_degrees(degrees(frame));
    return Vec2(axis.x() * own.x() - axis.y() * own.y(), axis.y() * own.x() + axis.x() * own.y()).normalized();
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace slipset::test
