// What the start of rigid bodies has that their motion cannot keep.     docs/theory/bodies.md
#pragma once

#include <string>
#include <vector>

#include "slipset/systems/bodies/body_world.hpp"

namespace slipset::internal {

// Bodies that overlap by more than `overlap` [m]; joints whose bodies move against what they hold, with the energy that
// their first step takes: ½ γᵀW⁻¹γ, γ the joints' velocities.
std::vector<std::string> start_warnings(const BodyWorld& world, double overlap);

}  // namespace slipset::internal
