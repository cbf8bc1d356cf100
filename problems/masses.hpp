// The contact problem of one step of a world as masses: M v = H r, u = Hᵀv + q, with the bodies' M and H.
#pragma once

#include "slipset/systems/bodies/body_problem.hpp"

namespace slipset::problems {

// What problem_of(world, dt, closed, closed) has by blocks, here as a MassDelassus.
ContactProblem masses_problem(const BodyWorld& world, double dt, double closed);

}  // namespace slipset::problems
