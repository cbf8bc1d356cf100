// A law from any map slip direction → resistance: here a friction tensor. Its direction set is found by integration,
// and a tensor that has none is refused with the reason.
#include <fmt/format.h>

#include "slipset/laws/flow.hpp"
#include "slipset/laws/properties.hpp"

using namespace slipset;

int main() {
  const Mat2 symmetric = Vec2(0.4, 0.1).asDiagonal();
  const FrictionLaw law = law_from_flow(tensor_flow(symmetric));
  fmt::print("diag(0.4, 0.1): D has the axis ratio {:.6f}\n",
             law.direction().radius(0) / law.direction().radius(kPi / 2));
  fmt::print("  can destabilise: {}\n", law_properties(law).can_destabilise.value ? "yes" : "no");

  Mat2 skew = symmetric;
  skew(0, 1) = -0.05;
  skew(1, 0) = 0.05;
  try {
    law_from_flow(tensor_flow(skew));
  } catch (const InvalidInput& error) {
    fmt::print("with a skew part of 0.05:\n  {}\n", error.what());
  }
}
