// A whole run: steps, rows of a table, sums.                          docs/theory/dynamics.md
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "slipset/dynamics/moreau.hpp"

namespace slipset {

struct SimulationOptions {
  double step = 1e-3;        // Δt [s]
  double duration = 1;       // ends with the step that reaches it [s]
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
  std::string integrator = "moreau";  // or "event-driven", "rk4", "bdf", "adams", "erk", "dirk"
  long steps = 0;
  double seconds = 0;      // of computing
  long not_converged = 0;  // steps whose contacts did not reach the tolerance
  long ambiguous = 0;      // steps with several solutions; the one next to the last state was taken
  double worst_residual = std::numeric_limits<double>::quiet_NaN();  // of the contact steps; NaN if none was computed
  double tolerance = std::numeric_limits<double>::quiet_NaN();       // loosest relative one of an adaptive integrator
  std::string why;                                                   // the run ended
  bool finished = true;  // else a solver gave up, or the motion left the range of numbers: `why` says so
  // Of ordinary integrators (dynamics/simulate_ode.hpp): the law, as in kRegularizationNames, or "lugre", or "elastic",
  // and what it took.
  std::string regularization;
  double epsilon = std::numeric_limits<double>::quiet_NaN();  // [m/s]; NaN for laws without
  std::string balance;                                        // how balance forces were found; regularised laws
  long switches = 0;                                          // of elastic contacts between their modes
  long evaluations = 0;                                       // of the right-hand side
  long error_test_failures = 0;                               // adaptive: steps tried again
  long nonlinear_iterations = 0;                              // implicit methods
  std::vector<std::string> warnings;
};

// True, with the reason in the report, if the rows would soon fill the memory (2 GB).
bool too_many_rows(const Trajectory& trajectory, SimulationReport& report);

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

// The same run, led by its caller: to look on, to stop and to write checkpoints. `system` must outlive it.
class SimulationRun {
 public:
  SimulationRun(const MechanicalSystem& system, const State& start, const SimulationOptions& options);

  // Goes on to the next row, but by no more than so many steps. False when the run has ended.
  bool advance(long steps = 64);
  void end(std::string why);  // here
  const State& state() const { return stepper_.state(); }
  const Trajectory& trajectory() const { return run_.trajectory; }
  Simulation result() &&;

  // All that decides how the run goes on, besides its rows, as numbers: a run that is restored from it, and from the
  // rows at that moment, ends with the same bits. Throws InvalidInput if they are not of this system.
  std::vector<double> memory() const;
  void restore(const std::vector<double>& memory, std::vector<std::vector<double>> rows);

 private:
  void step();
  void count();  // what the step was
  void add_row();
  double seconds() const;

  const MechanicalSystem* system_;
  SimulationOptions options_;
  MoreauStepper stepper_;
  Simulation run_;
  long all_steps_;
  bool stuck_ = false, ended_ = false;
  double largest_gap_rate_ = 0;  // [m/s]
  double earlier_seconds_ = 0;   // of the run before it was restored
  std::chrono::steady_clock::time_point began_;
};

}  // namespace slipset
