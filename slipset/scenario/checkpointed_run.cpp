#include "slipset/scenario/checkpointed_run.hpp"

#include <fmt/format.h>

#include <chrono>

#include "slipset/dynamics/event_driven.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

using Clock = std::chrono::steady_clock;

void add(CheckSum& sum, const std::string& text) {
  const std::string length = fmt::format("{}:", text.size());  // so that no two lists of texts look alike
  sum.process_bytes(length.data(), length.size());
  sum.process_bytes(text.data(), text.size());
}

// Any string of the file may name one; those that do are looked for beside the scenario.
void add_named_files(CheckSum& sum, const toml::node& node, const std::filesystem::path& folder) {
  if (const toml::table* table = node.as_table())
    for (const auto& [key, child] : *table) add_named_files(sum, child, folder);
  if (const toml::array* array = node.as_array())
    for (const toml::node& child : *array) add_named_files(sum, child, folder);
  if (!node.is_string()) return;
  std::error_code none;
  const std::filesystem::path path = folder / node.as_string()->get();
  if (std::filesystem::is_regular_file(path, none)) add(sum, read_file(path));
}

// CVODE's state cannot be kept: no checkpoints.
CheckpointedRun run_events(const RunScenario& scenario, const std::optional<Checkpoint>& from,
                           const CheckpointOptions& options) {
  if (from) throw InvalidInput("event-driven runs have no checkpoints; take --resume away to start from the beginning");
  EventOptions events;
  events.row_step = scenario.options.step * scenario.options.every;
  events.duration = scenario.options.duration;
  events.until_stick = scenario.options.until_stick;
  events.keep_what_is_done = true;
  CheckpointedRun out;
  bool stopped = false;
  events.progress = [&](double done, double all) {
    out.t = scenario.start.t + done;
    stopped = options.stop && options.stop();
    return !stopped && (!scenario.options.progress || scenario.options.progress(done, all));
  };
  Simulation run = simulate_events(*scenario.system, scenario.start, events);
  run.report.options = scenario.options;
  if (!stopped) out.simulation = std::move(run);
  return out;
}

CheckpointedRun run_ode(const RunScenario& scenario, const std::optional<Checkpoint>& from,
                        const CheckpointOptions& options) {
  if (from)
    throw InvalidInput("runs with rk4 or adaptive have no checkpoints; take --resume away to start from the beginning");
  OdeOptions ode = scenario.ode;
  ode.step = scenario.options.step;
  ode.duration = scenario.options.duration;
  ode.every = scenario.options.every;
  CheckpointedRun out;
  bool stopped = false;
  ode.progress = [&](double done, double all) {
    out.t = scenario.start.t + done;
    stopped = options.stop && options.stop();
    return !stopped && (!scenario.options.progress || scenario.options.progress(done, all));
  };
  Simulation run = scenario.regularize ? simulate_ode(*scenario.system, *scenario.regularize, scenario.start, ode)
                   : scenario.lugre    ? simulate_ode(*scenario.system, *scenario.lugre, scenario.start, ode)
                                       : simulate_ode(*scenario.system, scenario.start, ode);
  if (!stopped) out.simulation = std::move(run);
  return out;
}

}  // namespace

std::string scenario_fingerprint(const std::filesystem::path& path) {
  CheckSum sum;
  const std::string text = read_file(path);
  add(sum, text);
  add_named_files(sum, toml::parse(text, path.string()), path.parent_path());
  return fmt::format("{:016x}", sum.checksum());
}

CheckpointedRun run_with_checkpoints(const RunScenario& scenario, const std::optional<Checkpoint>& from,
                                     CheckpointStore* store, const CheckpointOptions& options) {
  if (scenario.integrator == IntegratorKind::event_driven) return run_events(scenario, from, options);
  if (scenario.integrator == IntegratorKind::ode) return run_ode(scenario, from, options);
  SimulationRun run(*scenario.system, scenario.start, scenario.options);
  if (from) run.restore(from->memory, from->rows);
  bool told = false;
  const auto save = [&] {
    try {
      store->save(run.state().t, run.memory(), run.trajectory().rows);
      return true;
    } catch (const InvalidInput& error) {
      if (options.trouble && !told) options.trouble(error.what());
      told = true;
      return false;
    }
  };
  CheckpointedRun out;
  Clock::time_point last = Clock::now();
  while (run.advance()) {
    const bool stop = options.stop && options.stop();
    const bool due = std::chrono::duration<double>(Clock::now() - last).count() >= options.seconds;
    out.saved = store && (stop || due) && save();
    if (due) last = Clock::now();
    if (stop) {
      out.t = run.state().t;
      return out;
    }
    const auto& progress = scenario.options.progress;
    if (progress && !progress(run.state().t - scenario.start.t, scenario.options.duration))
      run.end("ended by the caller");
  }
  out.t = run.state().t;
  out.simulation = std::move(run).result();
  return out;
}

}  // namespace slipset
