// Options and results of a run of any system by any integrator.      docs/theory/dynamics.md
#pragma once

#include <array>
#include <functional>
#include <iosfwd>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/table.hpp"
#include "slipset/systems/system_step.hpp"

namespace slipset {

class MoreauStepper;

struct RunOptions {
  double duration = 1;       // at most so long [s]
  bool until_stick = false;  // end when every contact sticks, or is open and keeps its gap; not of rigid bodies
  int every = 1;             // steps between rows
  double cycle = 0;          // period for which the dissipation is reported [s]; 0: that of the system's forcing
  // Called after every row, and now and then between two, with the time done and the time to do [s]; false ends the run.
  std::function<bool(double, double)> progress = {};
  // Moreau only: called after every step, with its number from 1 on.
  std::function<void(const MoreauStepper&, long)> after_step = {};
};
// Throws InvalidInput for values out of range, and for more than 1e8 cycles.
void check(const RunOptions& options);
// For integrators other than Moreau: throws InvalidInput if there is an `after_step`, which has no step to be called with.
void refuse_after_step(const RunOptions& options);

enum class RunStatus {
  finished,       // the duration was reached
  sticks,         // every contact sticks, as asked for
  stopped,        // by the caller
  left_range,     // the motion left the range of numbers
  no_solution,    // no motion, or none that was found, satisfies the laws
  solver_failed,  // an adaptive solver gave up
  table_full,     // as many rows as memory is meant for
};
constexpr std::array<std::string_view, 7> kRunStatusNames = {"finished",    "sticks",        "stopped",   "left-range",
                                                             "no-solution", "solver-failed", "table-full"};

struct RunReport {
  RunStatus status = RunStatus::finished;
  std::string stop_reason = "duration";
  RunOptions options;
  std::string integrator;  // "moreau", "event-driven", "rk4", "bdf", "adams", "erk", "dirk"
  double step = std::numeric_limits<double>::quiet_NaN();       // Δt; of those without, the time between rows [s]
  double tolerance = std::numeric_limits<double>::quiet_NaN();  // of the contacts; loosest of an adaptive integrator
  double closing_distance =
      std::numeric_limits<double>::quiet_NaN();  // largest gap that counted as closed [m]; NaN: no contact can open
  long steps = 0;
  double seconds = 0;      // of computing
  long not_converged = 0;  // steps or evaluations whose contacts did not reach the tolerance
  long ambiguous = 0;      // steps with several solutions; the one next to the last state was taken
  // Steps in which the solutions of a closed contact with friction were not counted: the method does not.
  long not_counted = 0;
  // Steps whose laws leave impulses open (of more contacts than the bodies need), the most that one leaves open, steps
  // for which the choice of (C.20) was not found, and steps in which it was not looked at: see ContactOptions.
  long undetermined = 0;
  int most_undetermined = 0;
  long not_settled = 0;
  long not_looked_at = 0;
  double worst_residual = std::numeric_limits<double>::quiet_NaN();  // of the contact steps; NaN if none was computed
  // What the scheme lost or gained, residual and numerical, over the largest energy of the run: above 0.01 a warning,
  // above 0.1 the motion cannot be trusted. NaN: not checked, what drives put in was taken from the balance itself.
  double energy_error = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> warnings;
  std::vector<std::string> doubts;  // why the results cannot be relied on, though the run came to its end

  // Of ordinary integrators: the law, as in kRegularizationNames, or "lugre", or "elastic" (empty: set-valued), and
  // what it took.
  std::string law;
  double epsilon = std::numeric_limits<double>::quiet_NaN();  // [m/s]; NaN for laws without
  std::string balance;                                        // how balance forces were found; regularised laws
  long evaluations = 0;                                       // of the right-hand side
  long error_test_failures = 0;                               // adaptive: steps tried again
  long nonlinear_iterations = 0;                              // implicit methods
  long switches = 0;                                          // of elastic contacts between their modes
  long unresolved = 0;  // rk4: steps too long for how fast the contacts' states change

  // Event-driven: events, those at the same time as another (ties); piecewise linear systems: contacts at their limit
  // whose first derivative did not decide (degenerate), and the deepest derivative that did.
  long events = 0, ties = 0, degenerate = 0;
  int deepest_derivative = 0;

  long iterations = 0;          // of the contact solver, time-stepping
  bool finds_contacts = false;  // the system finds its contacts anew in every step; the next two are of such systems
  ContactCounts contacts;
  double solver_seconds = 0;  // of the contact solver alone

  // Every step converged, none was too long, the energies add up, and there is no other doubt.
  bool trusted() const { return not_converged == 0 && unresolved == 0 && !(energy_error > 0.1) && doubts.empty(); }
  // The duration was reached, every contact sticks as asked for, or the caller ended it.
  bool finished() const {
    return status == RunStatus::finished || status == RunStatus::sticks || status == RunStatus::stopped;
  }
  void stop(RunStatus with, std::string reason) {
    status = with;
    stop_reason = std::move(reason);
  }
};

// What became of the run, and why: "finished: duration (moreau, 2000 steps of 0.001 s)", and a line per warning.
std::ostream& operator<<(std::ostream& out, const RunReport& report);

// What an event-driven integrator of a piecewise linear system met.
enum class FrictionEventKind {
  release,   // stick to slip
  stop,      // slip to stick
  reversal,  // slip to slip the other way
  graze      // a slip speed came to zero, or a force to its limit, and nothing changed
};
constexpr std::array<std::string_view, 4> kFrictionEventNames = {"release", "stop", "reversal", "graze"};

struct FrictionEvent {
  double t = 0;
  Eigen::Index contact = 0;
  FrictionEventKind kind = FrictionEventKind::graze;
  int slip = 0;        // direction of the slip that follows: -1, 0 (stick), 1
  bool tied = false;   // with other contacts at the same time
  int derivative = 0;  // of the force that decided: 0 its value, 1 its first derivative, ...
};

struct Run {
  State end;
  Table table;  // t, positions, velocities, for each contact force, slip and mode (ContactMode), energies
  EnergyBalance energy;
  double path_length = 0;                 // of the first two coordinates, or of the only one [m]
  double stick_time = 0;                  // with every contact sticking [s]
  std::optional<double> stop_time;        // when the sticking that lasts to the end began [s]
  std::vector<double> cycle_dissipation;  // in each whole cycle from the start [J]                  [Q04 Sect. 3.1.2]
  std::vector<FrictionEvent> events;      // of piecewise linear systems; the first 100000
  RunReport report;
};

// t, coordinates, velocities, per contact normal_force, friction_1, friction_2, slip_1, slip_2, mode; energies.
std::vector<std::string> run_columns(const System& system);
// A row of these columns; forces are the contacts' impulses over dt.
std::vector<double> run_row(const State& state, const std::vector<ContactStep>& contacts, double dt,
                            const EnergyBalance& energy);

// What all integrators look at before a run. Throw InvalidInput, naming the setting:
// where the rows, one every `row_step`, would have more than 1e8 numbers;
void require_room(const RunOptions& options, double row_step, std::size_t columns);
// where a fixed step sees less than two moments of the drives' shortest period (less than ten: a warning), or the run has
// more than 1e9 of them.
void require_resolved_drives(const System& system, const RunOptions& options, std::optional<double> step,
                             RunReport& report);
// Warns where the system's own springs have fewer than ten steps per period. Systems along one line, which know a step
// that suits them, those that find their contacts and those of more than 60 degrees of freedom are left alone.
void warn_of_own_frequency(const System& system, const State& start, double step, RunReport& report);

// On the way. Adds the row, if all of its numbers are finite, and there is room for more; else false, with the reason in
// the report.
bool add_row(std::span<const double> numbers, Run& run);
// Whether to say that solutions were not counted: where others were, so that `ambiguous` is not all of them.
bool counted_in_part(const RunReport& report);
// Of checked options: the cycle, else the system's period [s]; 0: none. Throws InvalidInput where the run has more than
// 1e10 periods.
double cycle_of(const System& system, const RunOptions& options);
// At the end: energy_error, and its warning.
void judge_energy(Run& run);

}  // namespace slipset
