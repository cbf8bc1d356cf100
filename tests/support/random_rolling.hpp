// Random laws with sliding, drilling and rolling, and random blocks for them.
#pragma once

#include "slipset/contact/rolling_contact_law.hpp"
#include "tests/support/random.hpp"

namespace slipset::test {

inline PlanarSet random_convex(Random& random, double size) {
  const double ratio = random.uniform(0.1, 1), angle = random.uniform(0, 6);
  switch (random.integer(0, 5)) {
    case 0: return Disk(size);
    case 1: return Ellipse(size, size * ratio, angle);
    case 2: return Rectangle(size, size * ratio, angle);
    case 3: return Superellipse(size, size * ratio, random.uniform(1.2, 6), angle);
    case 4: return Polygon({{size, -0.5 * size}, {size, size}, {-0.7 * size, 0.3 * size}, {-0.2 * size, -size}}, angle);
    default: return Stadium(size, size * 0.5, size * 0.3, angle);
  }
}

inline RollingLaw random_rolling_law(Random& random) {
  const double mu = random.log_uniform(0.05, 1.5);
  const auto length = [&] { return mu * random.log_uniform(1e-3, 1); };
  std::optional<PlanarSet> rolling;
  switch (random.integer(0, 3)) {
    case 0: {
      RollingLaw::EllipsoidAxes axes;
      axes.sliding = Vec2(mu, mu * random.uniform(0.2, 1));
      axes.sliding_angle = random.uniform(0, 6);
      if (random.coin()) axes.drilling = length();
      if (random.coin()) axes.rolling = Vec2(length(), length());
      axes.rolling_angle = random.uniform(0, 6);
      return RollingLaw::ellipsoid(axes);
    }
    case 1: {
      std::optional<PlanarSet> sliding;
      std::optional<Interval> drilling;
      if (random.integer(0, 3) > 0) sliding = random_convex(random, mu);
      if (random.coin() || !sliding) drilling = Interval(length(), length());
      if (random.coin()) rolling = random_convex(random, length());
      return RollingLaw::product(sliding, drilling, rolling);
    }
    default:
      if (random.coin()) rolling = random_convex(random, length());
      return RollingLaw::contensou(mu, random.log_uniform(1e-3, 1), static_cast<PatchPressure>(random.integer(0, 2)),
                                   rolling);
  }
}

// A A ᵀ with column sizes from `least` to 1: full coupling of all components, condition numbers to about 1/least².
inline ContactMat random_rolling_block(Random& random, int n, double least) {
  ContactMat a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = random.uniform(-1, 1);
  for (int j = 0; j < n; ++j) a.col(j) *= random.log_uniform(least, 1);
  const ContactMat block = random.log_uniform(1e-3, 1e3) * (a * a.transpose());
  return 0.5 * (block + block.transpose());
}

}  // namespace slipset::test
