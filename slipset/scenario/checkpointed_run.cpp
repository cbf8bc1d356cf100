#include "slipset/scenario/checkpointed_run.hpp"

#include <fmt/format.h>

#include <chrono>

#include "slipset/motion/integrators/integrator.hpp"

namespace slipset {
namespace {

using Clock = std::chrono::steady_clock;

// Runs whose solvers keep a state of their own (CVODE, ARKODE) have no checkpoints: what they have when they are stopped
// is their result.
CheckpointedRun run_without_checkpoints(const RunSetup& scenario, const std::optional<Checkpoint>& from,
                                        const CheckpointOptions& options) {
  if (from)
    throw InvalidInput(
        "only runs with the moreau integrator have checkpoints; start from the beginning, without resuming");
  CheckpointedRun out;
  RunOptions with = scenario.options;
  with.progress = [&](double done, double all) {
    out.t = scenario.start.t + done;
    const bool stopped = options.stop && options.stop();
    return !stopped && (!scenario.options.progress || scenario.options.progress(done, all));
  };
  out.simulation = simulate(*scenario.system, scenario.start, scenario.integrator, with);
  return out;
}

}  // namespace

CheckpointedRun run_with_checkpoints(const RunSetup& scenario, const std::optional<Checkpoint>& from,
                                     CheckpointStore* store, const CheckpointOptions& options) {
  const auto* moreau = std::get_if<Moreau>(&scenario.integrator);
  if (!moreau) return run_without_checkpoints(scenario, from, options);
  TimeSteppingRun run(*scenario.system, scenario.start, *moreau, scenario.options);
  if (from) run.restore(from->memory, from->rows);
  bool troubled = false;
  const auto save = [&] {
    try {
      store->save(run.state().t, run.memory(), run.table());
      return true;
    } catch (const InvalidInput& error) {
      if (options.trouble && !troubled) options.trouble(error.what());
      troubled = true;
      return false;
    }
  };
  CheckpointedRun out;
  out.saved = from.has_value();  // a save that fails leaves the checkpoint before it
  Clock::time_point last = Clock::now();
  while (run.advance()) {
    const bool stop = options.stop && options.stop();
    const bool due = std::chrono::duration<double>(Clock::now() - last).count() >= options.seconds;
    if (store && (stop || due) && save()) out.saved = true;
    if (due) last = Clock::now();
    if (stop) {
      out.t = run.state().t;
      return out;
    }
  }
  out.t = run.state().t;
  out.simulation = std::move(run).result();
  return out;
}

}  // namespace slipset
