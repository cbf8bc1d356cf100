// Dispatch on the kind of set once, outside the loop: inside it there is no branch on the kind and no allocation.
#include <fmt/format.h>

#include <vector>

#include "slipset/laws/friction_law.hpp"

using namespace slipset;

int main() {
  const FrictionLaw law(Superellipse(0.5, 0.25, 2.6, radians(20)), Ellipse(1.5, 1, radians(20)));
  std::vector<Vec2> velocities;
  for (int i = 0; i < 360; ++i) velocities.push_back(unit_at_degrees(i));

  const double mean = law.visit([&](const auto& reservoir, const auto& direction) {
    double sum = 0;
    for (const Vec2& v : velocities) sum += slip_resistance(reservoir, direction, v).dot(v);
    return sum / static_cast<double>(velocities.size());
  });
  fmt::print("mean component against the slip over all directions: {:.6f}\n", mean);
}
