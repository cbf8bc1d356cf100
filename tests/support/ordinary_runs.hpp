// Runs by ordinary integrators, for tests that go through several of them.
#pragma once

#include "slipset/motion/integrators/integrator.hpp"

namespace slipset::test {

struct OrdinaryRun {
  std::optional<AdaptiveMethod> method;  // empty: RK4
  double step = 1e-3;                    // of RK4; else between rows
  double duration = 1;
  int every = 1;
  double relative_tolerance = 1e-8, absolute_tolerance = 1e-10;
  BalanceOptions balance = {};
  std::vector<Vec2> states = {};
};

inline Run simulate_with(const System& system, SmoothFriction friction, const State& start, const OrdinaryRun& by) {
  friction.states = by.states;
  friction.balance = by.balance;
  Integrator integrator = RungeKutta4{.step = by.step, .friction = friction};
  if (by.method)
    integrator = Adaptive{.method = *by.method,
                          .row_step = by.step,
                          .relative_tolerance = by.relative_tolerance,
                          .absolute_tolerance = by.absolute_tolerance,
                          .friction = friction};
  return simulate(system, start, integrator, {.duration = by.duration, .every = by.every});
}
inline Run simulate_regularized(const System& system, const RegularizedCoulomb& form, const State& start,
                                const OrdinaryRun& by) {
  return simulate_with(system, form, start, by);
}
inline Run simulate_lugre(const System& system, const LuGre& lugre, const State& start, const OrdinaryRun& by) {
  return simulate_with(system, lugre, start, by);
}
inline Run simulate_elastic(const System& system, const State& start, const OrdinaryRun& by) {
  return simulate_with(system, {}, start, by);
}

}  // namespace slipset::test
