#include "slipset/laws/elastic_interface.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

// Friction μI and stiffnesses ε1, ε2 with axes at α: A = B²/μ², so that with s = sin α, c = cos α
//   tan φ = -(ε1² - ε2²) s c / (ε1² s² + ε2² c²),   whatever μ and the unit of ε are.
TEST_CASE("K07 23, 25: the pull angle of the paper's step has the sign of its formula") {
  for (const double alpha : {0.2, kPi / 6, 1.0, -0.4, 2.5})
    for (const double friction : {0.1, 0.7})
      for (const double unit_of_stiffness : {1.0, 1e6}) {
        CAPTURE(alpha);
        const double e1 = 2 * unit_of_stiffness, e2 = 0.5 * unit_of_stiffness, s = std::sin(alpha), c = std::cos(alpha);
        const double expected = std::atan(-(e1 * e1 - e2 * e2) * s * c / (e1 * e1 * s * s + e2 * e2 * c * c));
        CHECK(pull_angle_one_step(Adhesion(e1, e2, alpha), Ellipse(friction, friction)) == near(expected, 1e-12));
      }
  // By hand: ε 2 and 1 at 30 degrees: tan φ = -3 (√3/4) / (7/4). The stiffer axis is above the pull, the point goes
  // below it.
  CHECK(pull_angle_one_step(Adhesion(2, 1, kPi / 6), Ellipse(1, 1)) == near(-std::atan(3 * std::sqrt(3.0) / 7), 1e-12));
  // One map of the step: T2 = 0 for a displacement at that angle.
  const Adhesion b(2, 1, kPi / 6);
  const Ellipse f(0.6, 0.3, 0.5);
  const Vec2 force = konyukhov_one_step(b, f, b.force(10 * unit(pull_angle_one_step(b, f))), 1);
  CHECK(force.y() == within(0, 1e-15));
  CHECK(force.x() > 0.1);
}
