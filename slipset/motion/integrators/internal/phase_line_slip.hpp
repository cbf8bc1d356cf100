// Contacts along one line whose friction is not one number: what a run must say of them.   docs/theory/dynamics.md
// Along a line e the contact holds up to h_C(e), the component of the best point of C, and slips with e·s(e). Where C
// and D are different the first is larger, and between the two both stick and slip solve.
#pragma once

#include "slipset/motion/integrators/internal/contact_phase.hpp"

namespace slipset::internal {

// Whether a contact that sticks along a line, with the resistance found last, would also go on by slipping.
bool slip_solves_too(const Phase& phase, std::size_t i);

// Throws InvalidInput where the slip along the line is along the normal of a flat side of D whose resistances have
// different components along it: the sliding force is any of them.
void require_one_sliding_force(const Phase& phase, std::size_t i, const std::string& name);

}  // namespace slipset::internal
