// What counts as small in an event-driven run: scales of time, speed, velocities and energy, from the system itself, so
// that the motion is the same in every system of units.                                      docs/theory/dynamics.md
#pragma once

#include "slipset/motion/integrators/internal/contact_phase.hpp"

namespace slipset::internal {

// 1/ω of the fastest of: free vibration, decay by dampers, forcing; at most `longest` [s].
double time_scale(const System& system, const State& state, double longest);

struct PhaseScales {
  double time = 1;   // [s]
  double speed = 0;  // of slip and of closing [m/s]
  double energy = 0;
  VectorX velocity;  // of each coordinate

  // Of the state that `phase` has looked at; speeds only grow. `time` stays as it is.
  void add(const Phase& phase, const VectorX& u);
};

}  // namespace slipset::internal
