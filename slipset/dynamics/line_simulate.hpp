// Whole runs of line systems with regularised friction: fixed steps (RK4, Moreau) and SUNDIALS.
//                                                                     docs/theory/regularized.md
// Options, result and report are named as in dynamics/simulate.hpp. The exact reference is
// dynamics/piecewise_linear.hpp.
#pragma once

#include "slipset/dynamics/line_rate.hpp"
#include "slipset/dynamics/simulate.hpp"

namespace slipset {

enum class LineMethod {  // as in OdeMethod, and one more
  rk4,    // classical Runge-Kutta of order 4, fixed step                                          [Q04 Sect. 3]
  bdf,    // CVODE, implicit, for stiff ramps
  adams,  // CVODE, not stiff
  erk,    // ARKODE, explicit Runge-Kutta of order 4 with error control
  dirk,   // ARKODE, diagonally implicit Runge-Kutta of order 4 with error control
  moreau  // set-valued Coulomb friction by Moreau's midpoint rule; the regularisation is not used
};
constexpr std::array<std::string_view, 6> kLineMethodNames = {"rk4", "bdf", "adams", "erk", "dirk", "moreau"};
static_assert(std::equal(kOdeMethodNames.begin(), kOdeMethodNames.end(), kLineMethodNames.begin()));

struct LineOptions {
  LineMethod method = LineMethod::rk4;
  double step = 1e-2;                 // Δt of rk4 and moreau; the others: time between rows [s]
  double duration = 1;                // [s]
  int every = 1;                      // steps between rows
  double relative_tolerance = 1e-8;   // of the adaptive methods
  double absolute_tolerance = 1e-10;  // of the adaptive methods [m, m/s, J]
  double cycle = 0;                   // period of which the dissipation is told [s]; 0: that of the system's forcing
  LineRateOptions rate;
  // Called after every row with the time done and the time to do [s]; false ends the run.
  std::function<bool(double, double)> progress;
};

// What the event-driven integrator met.
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

struct LineReport {
  std::string integrator;                                     // as in kLineMethodNames, or "event-driven"
  std::string law;                                            // as in kRegularizationNames, or "coulomb"
  double epsilon = std::numeric_limits<double>::quiet_NaN();  // [m/s]; NaN for laws without
  LineOptions options;
  long steps = 0;
  long evaluations = 0;           // of the right-hand side
  long error_test_failures = 0;   // adaptive: steps tried again
  long nonlinear_iterations = 0;  // implicit methods
  long not_converged = 0;         // evaluations or steps whose coupled friction forces did not settle
  double seconds = 0;             // of computing
  bool finished = false;          // the whole duration was reached, or the caller ended the run
  // Event-driven only: counts of the events, of those at the same time as another (ties), of contacts at their limit
  // whose first derivative did not decide (degenerate), and the deepest derivative that did.
  long events = 0, ties = 0, degenerate = 0;
  int deepest_derivative = 0;
  std::vector<std::string> warnings;
  std::string why;  // the run ended
};

struct LineSimulation {
  State end;
  Trajectory trajectory;  // t, coordinates, velocities, for each contact friction_1, slip_1, mode; energies
  EnergyBalance energy;
  std::vector<double> cycle_dissipation;  // by friction, in each whole cycle from the start [J]     [Q04 Sect. 3.1.2]
  double stick_time = 0;                  // with every contact sticking (slip within the band) [s]
  std::optional<double> stop_time;        // when the sticking that lasts to the end began [s]
  std::vector<FrictionEvent> events;      // event-driven only; the first 100000
  LineReport report;
};

// Steps for which RK4 is stable: of the motion without friction, 2√2/rate, and of the ramp, 2.785/decay rate. The first
// is sure only for systems without damping.                                                           (R.7)
struct StepLimits {
  double elastic = std::numeric_limits<double>::infinity();
  double ramp = std::numeric_limits<double>::infinity();
};
StepLimits rk4_step_limits(const LineSystem& system, const RegularizedCoulomb& law);

// The step next to `step` of which a whole number makes a period: T/round(T/step). Dissipation per cycle is then read
// at the ends of steps; else the step with the cycle's end in it is done once more, in part.
double step_in_period(double period, double step);

// Throws InvalidInput for options out of range and a start of the wrong size. A step above its limit is a warning in
// the report, a motion that leaves the range of numbers or a solver that gives up ends the run with report.finished
// false.
LineSimulation simulate(const LineSystem& system, const RegularizedCoulomb& law, const State& start,
                        const LineOptions& options);

// Helpers shared with the exact solver.
std::vector<std::string> trajectory_columns(const LineSystem& system);
void check_start(const LineSystem& system, const State& start);

}  // namespace slipset
