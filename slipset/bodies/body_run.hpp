// A whole run of a world: steps, rows, sums.                           docs/output.md
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "slipset/bodies/body_stepper.hpp"

namespace slipset {

struct BodyRunOptions {
  double step = 1e-3;   // Δt [s]
  double duration = 1;  // ends with the step that reaches it [s]
  int every = 1;        // steps between rows
  BodyStepOptions with;
  // After every step, with its number from 1 on: to save problems.
  std::function<void(const BodyStepper&, long)> after_step;
  // After every row, with the time done and to do [s]; false ends the run.
  std::function<bool(double, double)> progress;
};

struct BodyRow {
  double t = 0;
  std::vector<BodyState> states;
  BodyEnergy energy;
  std::size_t contacts = 0, sticking = 0, slipping = 0;  // in the last step; others are open
  std::size_t turning = 0;                               // of the slipping ones: drill or roll
};

struct BodyRunReport {
  BodyRunOptions options;
  long steps = 0;
  double seconds = 0, solver_seconds = 0;  // of computing; of the contact solver alone
  long not_converged = 0;                  // steps whose contacts did not reach the tolerance
  long iterations = 0;                     // of the contact solver, in all
  double worst_residual = std::numeric_limits<double>::quiet_NaN();
  double margin = 0, deepest_overlap = 0;  // [m]
  long corrections = 0;
  bool finished = true;
  std::string why;  // it ended
};

struct BodyRun {
  BodyWorld end;
  std::vector<BodyRow> rows;
  BodyEnergy energy;
  double contact_sum = 0, sticking_sum = 0,
         closed_sum = 0;  // over the steps: contacts, those that stick, those not open
  std::size_t most_contacts = 0;
  BodyRunReport report;
};

// Throws InvalidInput for a step or duration that is not positive. A motion that leaves the range of numbers ends the
// run.
BodyRun run_bodies(BodyWorld world, const BodyRunOptions& options);

}  // namespace slipset
