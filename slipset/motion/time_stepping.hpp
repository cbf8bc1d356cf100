// A whole run by time-stepping: steps, rows of a table, sums.          docs/theory/dynamics.md
#pragma once

#include <chrono>

#include "slipset/motion/moreau.hpp"

namespace slipset {

// Throws InvalidInput for a step or duration that is not positive, and for until_stick with rigid bodies; a contact that
// does not converge is counted in the report.
Run simulate(const System& system, const State& start, const Moreau& integrator, const RunOptions& options);
// From the system's own start.
Run simulate(const System& system, const Moreau& integrator, const RunOptions& options);

// The steps of a run: of one length, but the last one ends with the duration.
struct StepPlan {
  double start, step, duration;  // [s]

  // Throws InvalidInput for a step that is not positive, and for more than 1e10 of them.
  long count() const;
  double length(long number, double now) const;  // of step 0, 1, ..., which begins at `now` [s]
};

// The same run, advanced by its caller, who can watch it, stop it and save checkpoints. `system` must outlive it.
class TimeSteppingRun {
 public:
  TimeSteppingRun(const System& system, const State& start, const Moreau& integrator, const RunOptions& options);

  // Continues to the next row, but by at most so many steps. False when the run has ended.
  bool advance(long steps = 64);
  void end(std::string reason);  // here, by the caller
  const State& state() const { return stepper_.state(); }
  const MoreauStepper& stepper() const { return stepper_; }
  long steps() const { return run_.report.steps; }
  const Table& table() const { return run_.table; }
  Run result() &&;

  // All that decides how the run goes on, besides its rows, as numbers: a run that is restored from it, and from the
  // rows at that moment, ends with the same bits. Throws InvalidInput if they are not of this system.
  std::vector<double> memory() const;
  void restore(const std::vector<double>& memory, const std::vector<std::vector<double>>& rows);

 private:
  void step();
  void end_jammed();
  void look_at_stopping();
  void count();  // what the step was
  void count_solutions();
  void count_cycles(double to);
  bool add_row();  // false: the run has ended with it
  double seconds() const;
  double solver_seconds() const;

  const System* system_;
  RunOptions options_;
  double step_, last_dt_;  // [s]; the last step of a run may be shorter
  StepPlan plan_;
  MoreauStepper stepper_;
  Run run_;
  long all_steps_;
  double start_;            // [s]
  VectorX start_velocity_;  // [m/s], [rad/s]
  double cycle_;            // [s]
  double at_last_cycle_ = 0;
  std::vector<double> row_;
  State last_good_;  // at the last row
  EnergyBalance last_good_energy_;
  bool stuck_ = false, ended_ = false, told_rest_ = false;
  double earlier_seconds_ = 0, earlier_solver_seconds_ = 0;  // of the run before it was restored
  std::chrono::steady_clock::time_point began_;
};

}  // namespace slipset
