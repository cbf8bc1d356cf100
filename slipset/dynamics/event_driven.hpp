// Event-driven integration: the reference for the time-stepping.      docs/theory/dynamics.md
// Between events every contact keeps its mode (phase.hpp: open, stick, slip, slip along a flat side of D), and SUNDIALS
// (CVODE, BDF) integrates and finds the phase's end. Each mode watches only its own functions:
//   slip ends when |γ_T| has fallen to a threshold, from which it is extrapolated to zero, or when its direction
//   reaches the normal of a flat side of D; stick ends when the gauge of the force reaches the reservoir's boundary.
// What follows an event is the contact problem of the accelerations (C.1 with forces and accelerations); a contact that
// closes makes an impact (C.1 with Newton's restitution).
// Where the motion is not unique (a law that can destabilise, at a slip velocity of zero) the acceleration next to rest
// is taken, and the report counts it.
#pragma once

#include "slipset/dynamics/simulate.hpp"

namespace slipset {

struct EventOptions {
  double relative_tolerance = 1e-12;
  double absolute_tolerance = 1e-14;
  double slip_threshold = 1e-9;  // |γ_T| at which slip is extrapolated to zero, over the largest slip speed so far [-]
  double row_step = 0.01;        // time between rows [s]; every event has two besides, before and after
  double duration = 1;           // at most so long [s]
  bool until_stick = false;      // end when every contact sticks
  long max_events = 100000;
  bool keep_what_is_done = false;  // where it cannot go on: end with report.finished false, instead of a throw
  // Called after every row with the time done and the time to do [s]; false ends the run.
  std::function<bool(double, double)> progress;
};

// Thrown where CVODE cannot go on and where no acceleration satisfies the laws (Painlevé), with the time.
class CannotGoOn : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

// `report.steps` counts the steps of CVODE.
Simulation simulate_events(const MechanicalSystem& system, const State& start, const EventOptions& options);

}  // namespace slipset
