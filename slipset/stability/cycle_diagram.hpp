// The bifurcation diagram of limit cycles: branches by continuation, and simulation from many starts as a check.
// The two lead each other on: where a simulation settles on a motion that no branch explains, a branch is begun.
//                                                                              docs/theory/stability.md
#pragma once

#include "slipset/stability/cycle_branch.hpp"

namespace slipset {

struct DiagramOptions {
  double from = 0, to = 1;
  int count = 21;      // values of the parameter that are simulated at
  int starts = 6;      // of the simulations at each: the given one, and random ones (fixed seed)
  int threads = 0;     // 0: all cores. The results are the same bits for any number
  double step = 0.05;  // longest along a branch, as in BranchOptions
  int max_branches = 8;
  // Called now and then with what is done and of how much; false ends it.
  std::function<bool(double, double, const char*)> progress;
  // Asked often, by several threads; false ends it, with what there is.
  std::function<bool()> go_on;
};

// What one simulation settled on.
struct SettledMotion {
  double parameter = std::numeric_limits<double>::quiet_NaN();
  int start = 0;               // its number
  std::vector<double> maxima;  // of the first coordinate, different ones, smallest first; empty: no oscillation
  bool sticks = false;
  bool fades = false;      // the last quarter of the motion is smaller than the one before
  bool explained = false;  // by a branch
  State end;
};

struct CycleDiagram {
  std::vector<CycleBranch> branches;
  std::vector<SettledMotion> motions;
  int without_answer = 0;  // simulations that could not be made
  std::string why;         // the first of them
  bool ended_early = false;
};

// How to look for a cycle at a value of the parameter: start, step and duration.
using CycleOptionsAt = std::function<CycleOptions(double)>;

// Throws InvalidInput for wrong options. A value of the parameter without an answer is left out
// and counted.
CycleDiagram cycle_diagram(const SystemAtParameter& system_at, const CycleOptionsAt& options_at,
                           const DiagramOptions& options);

}  // namespace slipset
