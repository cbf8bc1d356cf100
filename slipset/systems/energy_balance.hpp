// Energy of a run.                                                     docs/theory/dynamics.md, "Energy"
#pragma once

namespace slipset {

// Summed over the steps [J].
struct EnergyBalance {
  double kinetic = 0, potential = 0;  // now; weight, springs, and what elastic contacts have stored
  double initial = 0;                 // kinetic + potential at the start
  double dissipated = 0;              // heat: by friction, on slip, and by impacts
  double by_torques = 0;              // of it, by drilling and rolling
  double input = 0;       // by moving surfaces, drives and loads; dampers and other forces without potential count here
  double corrected = 0;   // potential energy by taking overlap out of positions
  double by_impacts = 0;  // of `dissipated`, by normal impulses on contacts that close
  // Lost by the scheme itself (gained, if negative) at contacts that stick or stay closed while their directions or
  // their surface's velocity change from step to step: no friction and no impact.                            (D.5)
  double numerical = 0;
  // What else the integrator has added. For Moreau's step left is the difference between the work of the potential
  // forces at the midpoint and the change of the potential (D.1), and, where M changes, that between M at the midpoint
  // and at the ends of a step (D.2).
  double residual() const { return kinetic + potential - initial + dissipated + numerical - input - corrected; }
};

}  // namespace slipset
