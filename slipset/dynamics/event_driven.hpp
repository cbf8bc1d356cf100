// Event-driven integration: the reference for the time-stepping.      docs/theory/dynamics.md
// Between events every contact either slips, with its resistance a smooth function of the state, or sticks, with its
// force from the constraint γ̇_T = 0. SUNDIALS (CVODE, BDF) integrates each phase and finds its end:
//   slip ends when |γ_T| has fallen to a threshold, from which it is extrapolated to zero;
//   stick ends when the gauge of the force reaches the reservoir's boundary; the velocity, zero there, is never
//   watched.
// What follows an event is the contact problem of the accelerations (C.1 with accelerations for velocities).
// Bilateral contacts and direction sets without flat sides or corners only. Where the motion is not unique (a law that
// can destabilise, at a slip velocity of zero) the integrator may stop, and says where.
#pragma once

#include "slipset/dynamics/simulate.hpp"

namespace slipset {

struct EventOptions {
  double relative_tolerance = 1e-12;
  double absolute_tolerance = 1e-14;
  double slip_threshold = 1e-9;  // |γ_T| at which slip is extrapolated to zero, over the largest slip speed so far [-]
  double row_step = 0.01;        // time between rows [s]
  double duration = 1;           // at most so long [s]
  bool until_stick = false;      // end when every contact sticks
  long max_events = 100000;
};

// Throws InvalidInput for systems that it is not for, and where the integrator cannot go on. `report.steps` counts the
// steps of the integrator.
Simulation simulate_events(const MechanicalSystem& system, const State& start, const EventOptions& options);

}  // namespace slipset
