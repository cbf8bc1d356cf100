#pragma once

namespace slipset::internal {

constexpr double kVelocityRounding = 1e-14;  // of a velocity, over the terms that it is the sum of: less is none

}  // namespace slipset::internal
