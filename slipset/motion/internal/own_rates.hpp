// How quickly a system's own forces change its motion near a state.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset::internal {

struct OwnRates {
  double by_position = 0;  // √ of the largest |λ| of M⁻¹∂h/∂q [1/s]: its springs
  double by_velocity = 0;  // the largest |λ| of M⁻¹∂h/∂u [1/s]: its dampers
};
// Zero where M is not positive definite, or a derivative is beyond the range of numbers. They do not depend on the units
// of the coordinates.
OwnRates own_rates(const System& system, const State& state);

}  // namespace slipset::internal
