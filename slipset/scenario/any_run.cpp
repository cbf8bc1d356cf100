#include "slipset/scenario/any_run.hpp"

#include <fmt/format.h>

#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/systems/bodies/body_step.hpp"

namespace slipset {
namespace {

using Result = std::variant<AnyOutcome, StoppedRun>;

// What a run says of its step or duration, with the place of that key.
template <class Function>
CheckpointedRun located(const RunSetup& s, const Function& run) {
  try {
    return run();
  } catch (const InvalidInput& error) {
    const std::string& key = error.setting();
    if (s.settings && (key == "step" || key == "duration"))
      s.settings->fail(s.settings->has(key) ? key : "step", error.what());
    throw;
  }
}

Result run(RunSetup& s, const RunControl& control) {
  s.options.progress = [&](double done, double all) {
    if (control.progress) control.progress(done, s.options.until_stick ? 0 : all);
    return true;
  };
  if (auto* const moreau = std::get_if<Moreau>(&s.integrator)) moreau->contact.threads = control.threads;
  if (control.save_problem)
    s.options.after_step = [&](const MoreauStepper& stepper, long step) {
      const BodyStep& bodies = body_step_of(stepper.form());
      if (!bodies.found().empty()) control.save_problem(standing_alone(stepper.problem(), bodies.world()), step);
    };
  CheckpointOptions options;
  options.seconds = control.checkpoint_seconds;
  options.stop = control.stop;
  options.trouble = control.trouble;
  const auto start = [&] { return run_with_checkpoints(s, control.from, control.checkpoints, options); };
  CheckpointedRun done = located(s, start);
  if (!done.simulation) return StoppedRun{done.t, done.saved};
  std::vector<std::string>& warnings = done.simulation->report.warnings;
  warnings.insert(warnings.begin(), s.warnings.begin(), s.warnings.end());
  return AnyOutcome{std::move(*done.simulation)};
}

Result run(PulledBlockSetup& s, const RunControl& control) {
  s.options.progress = [&](double done, double all) {
    if (control.progress) control.progress(done, all);
    return !control.stop || !control.stop();
  };
  InterfacePath path = run_pulled_block(s);
  if (path.stopped) return StoppedRun{};
  return AnyOutcome{std::move(path)};
}

}  // namespace

AnyRun read_any_run(const Scenario& scenario) {
  const SystemKind& kind = system_kind_of(scenario.root());
  if (!kind.read_run)
    scenario.root().table("system").fail(
        "kind",
        fmt::format("\"{}\" is known near its steady sliding only and has no run; use slipset stability", kind.name));
  require_tables_of(kind, scenario.root());
  return kind.read_run(scenario);
}

bool has_checkpoints(const AnyRun& run) {
  const auto* const timed = std::get_if<RunSetup>(&run.scenario);
  return timed && std::holds_alternative<Moreau>(timed->integrator);
}

std::string why_no_problems(const AnyRun& run) {
  const auto* const timed = std::get_if<RunSetup>(&run.scenario);
  const auto* const world = timed ? dynamic_cast<const BodyWorld*>(timed->system.get()) : nullptr;
  if (!world) return "only [system] kind = \"rigid-bodies\" has contact problems to save";
  if (world->has_rolling_laws()) return "the files hold planar laws; remove drilling and rolling from the scenario";
  if (!world->joints.empty()) return "the files hold contacts, no joints; remove [[joint]] from the scenario";
  return "";
}

Result simulate(AnyRun& any, const RunControl& control) {
  return std::visit([&](auto& scenario) { return run(scenario, control); }, any.scenario);
}

bool was_stopped(const AnyOutcome& outcome) {
  const auto* const run = std::get_if<Run>(&outcome.run);
  return run && run->report.status == RunStatus::stopped;
}

bool succeeded(const AnyOutcome& outcome) {
  if (const auto* const pulled = std::get_if<InterfacePath>(&outcome.run)) return pulled->not_found == 0;
  const RunReport& report = std::get<Run>(outcome.run).report;
  return report.finished() && report.trusted();
}

}  // namespace slipset
