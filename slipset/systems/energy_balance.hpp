// Energy of a run.                                                     docs/theory/dynamics.md
#pragma once

namespace slipset {

// Summed over the steps [J].
struct EnergyBalance {
  double kinetic = 0, potential = 0;  // now; what elastic contacts have stored counts as potential
  double initial = 0;                 // kinetic + potential at the start
  double dissipated = 0;              // by friction and impacts
  double by_torques = 0;              // of it, by drilling and rolling
  double input = 0;                   // by moving surfaces, drives and forces without potential
  double corrected = 0;               // potential energy by taking overlap out of positions
  // What the integrator itself has added; no friction and no impact. For Moreau's step the contacts' part is exact:
  // left is the difference between the work of the potential forces at the midpoint and the change of the potential
  // (D.1), and, where M changes, that between M at the midpoint and at the ends of a step (D.2).
  double residual() const { return kinetic + potential - initial + dissipated - input - corrected; }
};

}  // namespace slipset
