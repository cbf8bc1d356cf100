// "What is the friction coefficient at 30 degrees?" depends on the law, not only on the two coefficients.
#include <fmt/format.h>

#include "slipset/laws/classical.hpp"

using namespace slipset;

int main() {
  const std::pair<const char*, FrictionLaw> laws[] = {
      {"ellipse, maximum dissipation", associated(Ellipse(0.4, 0.2))},
      {"ellipse, force against the slip", collinear(Ellipse(0.4, 0.2))},
      {"ellipse, D with ratio √2", {Ellipse(0.4, 0.2), Ellipse(std::sqrt(2), 1)}},
      {"two independent bounds", two_sign(0.4, 0.2)},
  };
  fmt::print("slip at 30 degrees, coefficients 0.4 and 0.2\n");
  for (const auto& [name, law] : laws) {
    const Vec2 v = unit_at_degrees(30), s = slip_resistance(law, v);
    fmt::print("  {:<33} coefficient {:.4f}, deflected by {:5.1f} degrees, {:.4f} against the slip\n", name, s.norm(),
               degrees(std::atan2(cross(v, s), v.dot(s))), s.dot(v));
  }
}
