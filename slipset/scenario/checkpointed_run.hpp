// A run that can be killed at any moment and resumed, with the bits of an unbroken run.         docs/output.md
#pragma once

#include <functional>
#include <optional>

#include "slipset/io/checkpoint.hpp"
#include "slipset/scenario/run_scenario.hpp"

namespace slipset {

// Changes with the text of a scenario file, and with the content of any file that it names.
std::string scenario_fingerprint(const std::filesystem::path& path);

struct CheckpointOptions {
  double seconds = 5;                               // of computing between checkpoints; 0: after every row
  std::function<bool()> stop;                       // asked every few steps; true ends the run with a checkpoint
  std::function<void(const std::string&)> trouble;  // told once why checkpoints cannot be written; the run goes on
};

struct CheckpointedRun {
  std::optional<Simulation> simulation;  // empty if it was stopped
  double t = 0;                          // reached [s]
  bool saved = false;                    // the last checkpoint is of that moment
};

// By the scenario's integrator; event-driven, rk4 and adaptive runs have no checkpoints. Goes on from `from` if there
// is one. `store` may be null: then there are no checkpoints. Does not remove them.
CheckpointedRun run_with_checkpoints(const RunScenario& scenario, const std::optional<Checkpoint>& from,
                                     CheckpointStore* store, const CheckpointOptions& options);

}  // namespace slipset
