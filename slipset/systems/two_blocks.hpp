// Two blocks, one on the other, on a moving belt, each on a spring.                        [Q04 7, Fig. 10]
//   ẍ_1 + x_1 = f_1 - f_2,   ẍ_2 + κx_2 = f_2
//   γ_1 = ẋ_1 - u̇,  γ_2 = ẋ_2 - ẋ_1,   u = a sin ωt the belt's displacement
#pragma once

#include "slipset/systems/axial_system.hpp"

namespace slipset {

struct TwoBlocksParameters {
  double stiffness_ratio = 2;              // κ
  Vec2 friction_limits = Vec2(0.5, 0.25);  // of f_1 and f_2; for blocks of equal weight stacked (1, 0.25)
  double amplitude = 1;                    // a
  double frequency = 0.5;                  // ω [rad/s]
};

AxialSystem two_blocks(const TwoBlocksParameters& parameters);

}  // namespace slipset
