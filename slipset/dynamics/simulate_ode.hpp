// Runs of mechanical systems by ordinary integrators: with a regularised law (docs/theory/regularized.md), with LuGre
// friction (docs/theory/stability.md), on elastic interfaces in rate form (docs/theory/elastic.md).
// Trajectory, energies and result are those of dynamics/simulate.hpp. Contacts must be closed always, with given normal
// force. A contact counts as sticking: regularised within the band |γ| ≤ ε; with LuGre while the bristles take up more
// than half of the motion; on an elastic interface while it is elastic, and its `slip` is γ_sl.
#pragma once

#include "slipset/dynamics/elastic_rate.hpp"
#include "slipset/dynamics/lugre_rate.hpp"
#include "slipset/dynamics/regularized_rate.hpp"
#include "slipset/dynamics/simulate.hpp"

namespace slipset {

struct OdeOptions {
  OdeMethod method = OdeMethod::rk4;
  double step = 1e-3;                 // Δt of rk4; the others: time between rows [s]
  double duration = 1;                // [s]
  int every = 1;                      // steps between rows
  double relative_tolerance = 1e-8;   // of the adaptive methods
  double absolute_tolerance = 1e-10;  // of the adaptive methods [m, m/s, J; LuGre: σ0 z [-]; elastic: T [N]]
  RegularizedRateOptions rate;        // of regularised laws
  std::vector<Vec2> states;           // at the start, one a contact: LuGre z [m], elastic T [N]; empty: zeros
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
// With LuGre friction at every contact, for the contacts' sets. Two more columns a contact: its deflection.     (B.1)
Simulation simulate_ode(const MechanicalSystem& system, const LuGre& lugre, const State& start,
                        const OdeOptions& options);
// On elastic interfaces; every contact's law has its elasticity. Ends of modes are located as events, also by rk4,
// whose order is then 4; `report.switches` counts them. A force that jumps (E.1 without a solution) ends the run with
// report.finished false.                                                                                  (E.1, E.10)
Simulation simulate_ode(const MechanicalSystem& system, const State& start, const OdeOptions& options);

}  // namespace slipset
