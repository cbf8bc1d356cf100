// A whole run: steps, rows of a table, sums.                          docs/theory/dynamics.md
#pragma once

#include <functional>
#include <optional>

#include "slipset/dynamics/moreau.hpp"

namespace slipset {

struct SimulationOptions {
  double step = 1e-3;        // Δt [s]
  double duration = 1;       // at most so long [s]
  bool until_stick = false;  // end when every contact sticks, or is open and keeps its gap
  int every = 1;             // steps between rows
  ContactOptions contact;
  // Called after every row with the time done and the time to do [s]; false ends the run.
  std::function<bool(double, double)> progress;
};

// Rows of numbers under names: t, coordinates, velocities, for each contact force, slip and mode (0 none, 1 open, 2
// stick, 3 slip), energies.
struct Trajectory {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  std::size_t column(const std::string& name) const;  // throws InvalidInput if there is none
};

std::vector<std::string> trajectory_columns(const MechanicalSystem& system);
// A row of these columns; forces are the contacts' impulses over dt.
void add_trajectory_row(const State& state, const std::vector<ContactStep>& contacts, double dt,
                        const EnergyBalance& energy, Trajectory& trajectory);

struct SimulationReport {
  SimulationOptions options;
  long steps = 0;
  double seconds = 0;      // of computing
  long not_converged = 0;  // steps whose contacts did not reach the tolerance
  long ambiguous = 0;      // steps with several solutions; the one next to the last state was taken
  double worst_residual = std::numeric_limits<double>::quiet_NaN();  // of the contact steps; NaN if none was computed
  std::string why;                                                   // the run ended
};

struct Simulation {
  State end;
  Trajectory trajectory;
  EnergyBalance energy;
  double path_length = 0;           // of the first two coordinates [m]
  double stick_time = 0;            // with every contact sticking [s]
  std::optional<double> stop_time;  // when the sticking that lasts to the end began [s]
  SimulationReport report;
};

// Throws InvalidInput for a step or duration that is not positive; a contact that does not converge is counted in the
// report.
Simulation simulate(const MechanicalSystem& system, const State& start, const SimulationOptions& options);

}  // namespace slipset
