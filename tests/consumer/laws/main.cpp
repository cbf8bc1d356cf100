// A project that uses the laws of an installed slipset alone: the associated law of an ellipse with coefficients 0.4
// and 0.2 resists slip at 45 degrees by (0.4², 0.2²)/√(0.4² + 0.2²).
#include <cmath>
#include <cstdio>

#include "slipset/laws/classical.hpp"

int main() {
  const slipset::FrictionLaw law = slipset::associated(slipset::Ellipse(0.4, 0.2));
  const slipset::Vec2 s = slip_resistance(law, {1, 1});
  const double expected = 0.16 / std::sqrt(0.2);
  const bool good = std::abs(s.x() - expected) < 1e-15 && std::abs(s.y() - expected / 4) < 1e-15;
  std::printf("resistance (%.6f, %.6f): %s\n", s.x(), s.y(), good ? "as expected" : "wrong");
  return good ? 0 : 1;
}
