// A run that can be killed at any moment and resumed, with the bits of an unbroken run.         docs/output.md
#pragma once

#include <functional>
#include <optional>

#include "slipset/io/checkpoint.hpp"
#include "slipset/scenario/run_setup.hpp"

namespace slipset {

struct CheckpointOptions {
  double seconds = 5;                               // of computing between checkpoints; 0: after every row
  std::function<bool()> stop;                       // asked every few steps; true ends the run with a checkpoint
  std::function<void(const std::string&)> trouble;  // called once if checkpoints cannot be written; the run continues
};

struct CheckpointedRun {
  std::optional<Run> simulation;  // empty if it was stopped and can be resumed
  double t = 0;                   // reached [s]
  bool saved = false;             // there is a checkpoint to resume from, of that moment or before
};

// By the scenario's integrator; event-driven, rk4 and adaptive runs have no checkpoints. Continues from `from` if there
// is one. `store` may be null: then there are no checkpoints. Does not remove them.
CheckpointedRun run_with_checkpoints(const RunSetup& scenario, const std::optional<Checkpoint>& from,
                                     CheckpointStore* store, const CheckpointOptions& options);

}  // namespace slipset
