// One eigenvalue of a quadratic problem, from an estimate on.                           docs/theory/structures.md
//   Q(λ) x⁺ = Q'(λ) x,   Q(λ)ᴴ y⁺ = Q'(λ)ᴴ y,   λ⁺ next to λ with yᴴQ(λ⁺)x = 0                              (F.15)
// the last as in (F.4): what is left is the rounding of the entries. Converges cubically.
#pragma once

#include "slipset/stability/spectrum.hpp"

namespace slipset {

// False, with `pair` as it was, unless it settles within `reach` [1/s] of where it began. An empty left vector is taken
// as the conjugate of the right one, which it is for symmetric matrices.
bool refine_eigenpair(const QuadraticProblem& problem, Eigenpair& pair, double reach);

}  // namespace slipset
