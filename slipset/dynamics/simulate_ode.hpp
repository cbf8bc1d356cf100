// Runs of mechanical systems with a regularised law, by ordinary integrators.      docs/theory/regularized.md
// Trajectory, energies and result are those of dynamics/simulate.hpp; a contact counts as sticking within the band
// |γ| ≤ ε. Contacts must be closed always, with given normal force.
#pragma once

#include "slipset/dynamics/regularized_rate.hpp"
#include "slipset/dynamics/simulate.hpp"

namespace slipset {

struct OdeOptions {
  OdeMethod method = OdeMethod::rk4;
  double step = 1e-3;                 // Δt of rk4; the others: time between rows [s]
  double duration = 1;                // [s]
  int every = 1;                      // steps between rows
  double relative_tolerance = 1e-8;   // of the adaptive methods
  double absolute_tolerance = 1e-10;  // of the adaptive methods [m, m/s, J]
  RegularizedRateOptions rate;
  // Called after every row with the time done and the time to do [s]; false ends the run.
  std::function<bool(double, double)> progress;
};

// The step up to which RK4 is stable on the ramp, 2.785 over the bound of its decay rate at the start; infinite for
// laws without a ramp.                                                                                   (R.7, R.14)
double rk4_ramp_limit(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start);

// Throws InvalidInput for options out of range and for contacts that can open. A step above the ramp's limit is a
// warning in the report; a motion that leaves the range of numbers or a solver that gives up ends the run with
// report.finished false.
Simulation simulate_ode(const MechanicalSystem& system, const RegularizedCoulomb& form, const State& start,
                        const OdeOptions& options);

}  // namespace slipset
