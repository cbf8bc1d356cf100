// Random friction laws of every kind, moderate in aspect: for steps and motions.
#pragma once

#include "slipset/laws/classical.hpp"
#include "tests/support/random.hpp"

namespace slipset::test {

inline PlanarSet random_moderate_set(Random& random, bool convex) {
  const double a = random.log_uniform(0.1, 1), b = random.log_uniform(0.1, 1), angle = random.uniform(0, 7);
  switch (random.integer(0, convex ? 6 : 9)) {
    case 0: return Disk(a);
    case 1: return Ellipse(a, b, angle);
    case 2: return Superellipse(a, b, random.uniform(1.2, 8), angle);
    case 3: return Rectangle(a, b, angle);
    case 4: return Stadium(a, b, random.log_uniform(0.1, 1), angle);
    case 5: return NormMix(a, b, 0.7, 0.3, angle);
    case 6: {
      std::vector<Vec2> vertices;
      const int n = random.integer(3, 8);
      for (int i = 0; i < n; ++i)
        vertices.push_back(unit(2 * kPi * (i + random.uniform(0, 0.4)) / n).cwiseProduct(Vec2(a, b)));
      return Polygon(vertices, angle);
    }
    case 7: return NormMix(a, b, 2.5, -1.5, angle);
    case 8: return Wedge(1.2, radians(36), angle).scaled(a);
    default: return Superellipse(a, b, random.uniform(0.5, 1), angle);
  }
}

inline FrictionLaw random_law(Random& random) {
  return {random_moderate_set(random, false), random_moderate_set(random, true)};
}

}  // namespace slipset::test
