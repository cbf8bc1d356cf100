// Integrators as values, and a run by any of them.                    docs/theory/dynamics.md
//   simulate(system, start, EventDriven{}, {.duration = 5})
// Moreau (motion/moreau.hpp) takes every system and law. EventDriven is the reference for set-valued laws: rigid
// contacts, or piecewise linear systems. RungeKutta4 and Adaptive need friction that is a function of the state.
#pragma once

#include <variant>

#include "slipset/laws/lugre.hpp"
#include "slipset/laws/regularized.hpp"
#include "slipset/motion/integrators/balance.hpp"
#include "slipset/motion/time_stepping.hpp"

namespace slipset {

// Phases by CVODE (BDF), or by Taylor series where the system is piecewise linear (AxialSystem); ends of phases by root
// finding.
struct EventDriven {
  double row_step =
      0;  // time between rows, `every` = 1 [s]; 0: a thousandth of the duration. CVODE: two more at events
  double relative_tolerance = 1e-12;  // of CVODE
  double absolute_tolerance = 1e-14;  // of CVODE, over the scales of the motion [-]
  double slip_threshold = 1e-9;       // |γ_T| at which slip is extrapolated to zero, over the speed scale [-]
  // Scales of the motion by CVODE; 0: from the system and its state (1/ω of the fastest vibration, damper or forcing;
  // the largest speed of slip and of surfaces so far).
  double time_scale = 0;   // [s]
  double speed_scale = 0;  // [m/s]
  double tie = 1e-12;   // piecewise linear: forces, speeds and times this near, relative to their terms, are the same
  long max_events = 0;  // 0: 100 000; piecewise linear: 10 000 000
  bool throws = true;   // CannotGoOn where it cannot go on; false: the run ends there, with that status in the report
};

// Thrown by event-driven runs where CVODE cannot go on and where no acceleration satisfies the laws (Painlevé), with
// the time.
class CannotGoOn : public InvalidInput {
 public:
  CannotGoOn(RunStatus why, const std::string& what) : InvalidInput(what), status(why) {}
  RunStatus status;
};

// Friction as a function of the state and its rates.
struct SmoothFriction {
  SmoothFriction() = default;
  SmoothFriction(const RegularizedCoulomb& regularized, const BalanceOptions& with = {})
      : form(regularized), balance(with) {}
  SmoothFriction(const LuGre& lugre, std::vector<Vec2> deflections = {})
      : form(lugre), states(std::move(deflections)) {}

  // None: the elasticity of the contacts' own laws, which every one of them then has. A new alternative needs its rate in
  // RateMaker (ordinary_run.cpp), which does not compile without.
  using Form = std::variant<std::monostate, RegularizedCoulomb, LuGre>;
  Form form;
  BalanceOptions balance;    // of regularised laws
  std::vector<Vec2> states;  // at the start, one per contact: LuGre z [m], elastic T [N]; empty: zeros
};

// Classical Runge-Kutta of order 4, fixed step.                                                    [Q04 Sect. 3]
struct RungeKutta4 {
  double step = 1e-3;  // Δt [s]
  SmoothFriction friction = {};
};

enum class AdaptiveMethod {
  bdf,    // CVODE, implicit, for stiff ramps
  adams,  // CVODE, not stiff
  erk,    // ARKODE, explicit Runge-Kutta of order 4
  dirk    // ARKODE, diagonally implicit Runge-Kutta of order 4
};
constexpr std::array<std::string_view, 4> kAdaptiveMethodNames = {"bdf", "adams", "erk", "dirk"};

// SUNDIALS, with error control.
struct Adaptive {
  AdaptiveMethod method = AdaptiveMethod::bdf;
  double row_step = 1e-3;  // time between rows, `every` = 1 [s]
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;  // [m, m/s, J; LuGre: σ0 z [-]; elastic: T [N]]
  SmoothFriction friction = {};
};

using Integrator = std::variant<Moreau, EventDriven, RungeKutta4, Adaptive>;

// Throws InvalidInput for options out of range and for systems and laws that the integrator is not for, with a remedy.
// RunOptions::after_step is for Moreau; others refuse it.
// A step above a limit of stability is a warning in the report; a motion that leaves the range of numbers or a solver
// that gives up ends the run with that status. A contact counts as sticking: regularised within the band |γ| ≤ ε; with
// LuGre while the bristles take up more than half of the motion; on an elastic interface while it is elastic, and its
// `slip` is γ_sl. LuGre has two more columns per contact, its deflection (B.1). On elastic interfaces ends of modes are
// located as events, also by RungeKutta4, whose order is then 4.                                          (E.1, E.10)
Run simulate(const System& system, const State& start, const Integrator& integrator, const RunOptions& options);
Run simulate(const System& system, const State& start, const EventDriven& integrator, const RunOptions& options);
Run simulate(const System& system, const State& start, const RungeKutta4& integrator, const RunOptions& options);
Run simulate(const System& system, const State& start, const Adaptive& integrator, const RunOptions& options);
// From the system's own start, by any of them.
Run simulate(const System& system, const Integrator& integrator, const RunOptions& options);

// The step up to which RK4 is stable on the ramp, 2.785 over the bound of its decay rate at the start; infinite for
// laws without a ramp.                                                                                   (R.7, R.14)
double rk4_ramp_limit(const System& system, const RegularizedCoulomb& form, const State& start);

// The deflections of steady sliding with the slip velocities at `state`; zero where a contact does not slip.
std::vector<Vec2> steady_deflections(const System& system, const LuGre& lugre, const State& state);

// The step next to `step` of which a whole number makes a period: T/round(T/step). Dissipation per cycle is then read
// at the ends of steps; else the step with the cycle's end in it is done once more, in part.
double step_in_period(double period, double step);

}  // namespace slipset
