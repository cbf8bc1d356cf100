// For which slip directions does a law destabilise steady sliding? The reservoir is turned against the direction set.
#include <fmt/format.h>

#include "slipset/laws/destabilising.hpp"

using namespace slipset;

int main() {
  fmt::print("two ellipses 3:1, the reservoir turned by\n");
  for (const double turn : {15, 17, 18, 30, 45}) {
    const FrictionLaw law(Ellipse(3, 1, radians(turn)), Ellipse(3, 1));
    fmt::print("  {:2} degrees:", turn);
    const auto intervals = destabilising_directions(law);
    if (intervals.empty()) fmt::print(" stable in every direction");
    for (const AngleInterval& i : intervals) fmt::print(" {:.4f} to {:.4f}", degrees(i.from), degrees(i.to));
    fmt::print("\n");
  }
}
