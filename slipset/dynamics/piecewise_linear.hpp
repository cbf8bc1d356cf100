// The exact motion of a line system with Coulomb friction.            docs/theory/regularized.md
// Between events every contact sticks, with its force from γ̇ = 0, or slips, with a constant force: the equations are
// linear, and the Taylor series of the motion follow from a recursion,
//   q_{k+1} = u_k/(k+1),   u_{k+1} = M⁻¹(F_k - D u_k - K q_k + W f_k)/(k+1)                              (R.10)
// Steps of 1.5 over the fastest rate with 24 terms leave less than a rounding error. Slip velocities and forces are
// then polynomials whose first root is found for sure (dynamics/first_root.hpp): slip ends where γ comes to zero, stick
// where a force comes to its (static) limit. What follows an event: every contact at rest is first taken to stick. The
// lowest derivative of a force that leaves its limits, or of a slip that starts the wrong way, names a contact that
// changes; this is repeated until none is left. At each derivative that is Murty's rule for a linear complementarity
// problem with the matrix R = WᵀM⁻¹W.        (R.11) The cost of a step is linear in the size of the system, the number
// of steps grows with the fastest rate.
#pragma once

#include "slipset/dynamics/line_simulate.hpp"

namespace slipset {

struct LineEventOptions {
  double row_step = 0.01;    // time between rows [s]
  double duration = 1;       // at most so long [s]
  bool until_stick = false;  // end when every contact sticks
  double cycle = 0;          // period of which the dissipation is told [s]; 0: that of the system's forcing
  double tie = 1e-12;        // forces, speeds and times that are this near, relative to their terms, are the same
  long max_events = 10000000;
  // Called after every row with the time done and the time to do [s]; false ends the run.
  std::function<bool(double, double)> progress;
};

// Throws InvalidInput for options out of range, and for contacts that depend on each other (a singular R). A run that
// meets too many events, or an event after which no consistent motion is found, ends with report.finished false.
LineSimulation simulate_events(const LineSystem& system, const State& start, const LineEventOptions& options);

}  // namespace slipset
