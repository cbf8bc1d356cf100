// Limit cycles followed in a parameter, with what happens to them on the way.           docs/theory/stability.md
// A cycle is the fixed point of the belt's return map where there is one (belt_cycle.hpp), else of the event-driven
// flow (shooting.hpp); the curve of cycles is followed by (B.10). Events and their test functions:
//   fold: dp/ds = 0;  period doubling: Π(μ_i + 1) = 0;  torus: a pair with |μ| = 1;
//   stick vanishes: p, smooth in the stick time τ, taken at τ = 0 from cycles with ever shorter stick        (B.11)
#pragma once

#include <functional>

#include "slipset/stability/cycle.hpp"

namespace slipset {

using SystemAtParameter = std::function<std::shared_ptr<const System>(double)>;

enum class CycleEvent { stick_vanishes, fold, period_doubling, torus };
const char* name_of(CycleEvent event);

struct BranchPoint {
  double parameter;
  Cycle cycle;  // without rows
};
struct BranchEvent {
  CycleEvent kind;
  double parameter;
  Cycle cycle;  // there, or the last one computed before it
};

struct CycleBranch {
  std::vector<BranchPoint> points;  // in order along the curve
  std::vector<BranchEvent> events;  // in the same order
  std::string first_end, last_end;  // why it ends there
  bool sticks() const { return !points.empty() && points.front().cycle.stick_time > 0; }
};

struct BranchOptions {
  double from = 0, to = 1;            // of the parameter
  double step = 0.02;                 // longest, of the range and of the cycle's size
  int max_points = 400;               // each way
  std::function<bool(int)> progress;  // points so far; false: end here
  std::function<bool()> go_on;        // asked now and then within a point; false: end here
};

// From a cycle at `parameter`, both ways, as far as it goes.
CycleBranch continue_cycle(const SystemAtParameter& system_at, double parameter, const Cycle& cycle,
                           const BranchOptions& options);

}  // namespace slipset
