// A periodic motion as a fixed point of the event-driven flow φ.      docs/theory/stability.md
//   φ_T(x) = x,   (x - x_ref)·f(x_ref) = 0,   for x = (q, u τ) and T                                             (B.8)
// τ makes lengths of the velocities, so that nothing depends on the unit of time: 1/ω of the cycle. The flow's derivative
// is a central difference: it carries the jumps at events (saltation) by itself.
#pragma once

#include <functional>

#include "slipset/core/angle.hpp"
#include "slipset/stability/cycle.hpp"

namespace slipset::internal {

// Largest errors of multipliers: by the variation of the return map, and by differences of the flow, where two that are
// equal to 1 come out apart by the root of a difference's error.
constexpr double kReturnMapError = 1e-7, kShootingError = 1e-4;

inline double unit_time_of(double period) { return period / (2 * kPi); }

struct Flow {
  const System& system;
  double unit_time;             // τ [s]
  std::function<bool()> go_on;  // asked now and then; false: whatever is being computed throws InvalidInput

  State state(const VectorX& x) const;
  VectorX of(const State& state) const;  // x
  Run run(const VectorX& x, double time, double row_step) const;
  VectorX end(const VectorX& x, double time) const { return of(run(x, time, time).end); }
  VectorX velocity(const VectorX& x, double period) const;              // ẋ
  MatrixX monodromy(const VectorX& x, double time, double size) const;  // ∂φ_T/∂x; `size` of the motion [m]
  std::pair<MatrixX, MatrixX> one_sided(const VectorX& x, double time, double size) const;  // its two halves
  // What is known of the cycle through x with this period. `rows` of its table.
  Cycle cycle_through(const VectorX& x, double period, double size, int rows) const;
};

}  // namespace slipset::internal
