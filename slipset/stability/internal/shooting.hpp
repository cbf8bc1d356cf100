// A periodic motion as a fixed point of the event-driven flow φ.      docs/theory/stability.md
//   φ_T(x) = x,   (x - x_ref)·f(x_ref) = 0,   for x = (q, u) and T                                               (B.8)
// The flow's derivative is a central difference: it carries the jumps at events (saltation) by itself.
#pragma once

#include "slipset/stability/cycle.hpp"

namespace slipset::internal {

Run flow(const System& system, const VectorX& x, double time, double row_step);
VectorX end_of(const Run& run);  // (q, u)
// ẋ at x.
VectorX velocity_at(const System& system, const VectorX& x, double period);
// ∂φ_T/∂x; `size` of the motion [m].
MatrixX monodromy(const System& system, const VectorX& x, double time, double size);

// What is known of the cycle through x with this period and monodromy matrix. `rows` of its table.
Cycle cycle_through(const System& system, const VectorX& x, double period, const MatrixX& turn, int rows);

}  // namespace slipset::internal
