// What `run` does with a file, and how it is run: a system through time, or a slow motion without time. The two are
// told apart here and in report/any_run_report.cpp, nowhere else.
#pragma once

#include <functional>
#include <variant>

#include "slipset/scenario/checkpointed_run.hpp"
#include "slipset/scenario/pulled_block_run.hpp"

namespace slipset {

struct AnyRun {
  std::variant<RunSetup, PulledBlockSetup> scenario;
};

// [system] of the file says which; all of its tables are read. Throws InvalidInput with file, line, column, key and
// remedy.
AnyRun read_any_run(const Scenario& scenario);

struct RunControl {
  int threads = 0;                                        // 0: all cores
  std::function<void(double done, double all)> progress;  // simulated seconds, or increments; all = 0: not known
  std::function<bool()> stop;                             // asked now and then; true ends the run
  // Checkpoints, where the run has them: from which it continues, and where they go (null: nowhere).
  std::optional<Checkpoint> from;
  CheckpointStore* checkpoints = nullptr;
  double checkpoint_seconds = 5;
  std::function<void(const std::string&)> trouble;  // called once if checkpoints cannot be written; the run continues
  // Where contact problems go that are saved step by step, of rigid bodies.
  std::function<void(const ContactProblem&, long step)> save_problem;
};

struct AnyOutcome {
  std::variant<Run, InterfacePath> run;
  std::optional<std::size_t> saved_problems{};  // by the caller, step by step
};

struct StoppedRun {
  std::optional<double> t;  // reached [s]; not of slow motions
  bool saved = false;       // there is a checkpoint to resume from
};

// Whether runs of this kind write checkpoints.
bool has_checkpoints(const AnyRun& run);
// Why the contact problems of this run cannot be saved step by step; "" if they can.
std::string why_no_problems(const AnyRun& run);

// StoppedRun where `stop` ended it before there was a result.
std::variant<AnyOutcome, StoppedRun> simulate(AnyRun& run, const RunControl& control);
// It came to its end, every step converged, and the energies add up.
bool succeeded(const AnyOutcome& outcome);
// `stop` ended it; the result is what there was.
bool was_stopped(const AnyOutcome& outcome);

}  // namespace slipset
