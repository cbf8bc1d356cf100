// Periodic motions with stick and slip phases.                        docs/theory/stability.md
// Two ways to the same answer:
//  - a mass on a belt that sticks once per cycle: the return map of one number (belt_cycle.hpp);
//  - any other system: shooting, φ_T(x) = x with (x - x_ref)·f(x_ref) = 0, where φ is the event-driven flow, by
//    Newton's method with differences of φ, which carry the jumps at events (saltation) by themselves.          (B.8)
#pragma once

#include <complex>
#include <functional>

#include "slipset/motion/time_stepping.hpp"

namespace slipset {

struct CycleOptions {
  State start;                                  // of the motion that is to lead to the cycle
  double step = 0.01;                           // of Moreau's scheme for it [s]
  double duration = 400;                        // at most so long [s]
  std::optional<double> closing_distance = {};  // of that scheme, as in Moreau [m]
  double tolerance = 1e-10;  // of the closing of the cycle, over its size; 1e-6 where it gets no better
  int max_iterations = 30;   // of the shooting
  int rows = 2000;           // of the table of one period
  // Called now and then with what is done and of how much (0: not known); false ends it, and no cycle is found.
  std::function<bool(double, double, const char*)> progress = {};
};

enum class CycleStability {
  stable,   // every multiplier is inside the unit circle
  neutral,  // the largest is on it: motions beside the cycle neither come nearer nor leave
  unstable
};
constexpr std::array<std::string_view, 3> kCycleStabilityNames = {"stable", "neutral", "unstable"};

struct Cycle {
  bool found = false;
  std::string why;        // not found, or how it was found; and what the simulation before it had trouble with
  bool dies_out = false;  // not found, because the motion settles on steady sliding
  double period = std::numeric_limits<double>::quiet_NaN();
  double stick_time = std::numeric_limits<double>::quiet_NaN();
  // Of the return map: without the one along the motion, and without those that are zero because stick forgets.
  std::vector<std::complex<double>> multipliers;
  double multiplier_error = 0;                                // that is to be expected of them
  std::string note;                                           // on the multipliers, where none are left
  VectorX smallest, largest;                                  // of the coordinates over the cycle
  State at;                                                   // a state on it
  double closing = std::numeric_limits<double>::quiet_NaN();  // |φ_T(x) - x| over the size of the cycle
  Table rows;                                                 // one period

  double stick_fraction() const { return stick_time / period; }
  CycleStability stability() const;  // of a cycle that was found
  bool is_stable() const { return found && stability() == CycleStability::stable; }
};

// Throws InvalidInput for a wrong option and where the event-driven integrator cannot go on.
Cycle find_cycle(const System& system, const CycleOptions& options);

}  // namespace slipset
