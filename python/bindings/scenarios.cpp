// What the program does with a scenario, from Python: the same functions, the same JSON.
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/arrays.hpp"
#include "python/bindings/handle.hpp"
#include "python/bindings/laws.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/watch.hpp"
#include "slipset/report/any_run_report.hpp"
#include "slipset/report/cycle_report.hpp"
#include "slipset/report/cycle_scan_report.hpp"
#include "slipset/report/law_report.hpp"
#include "slipset/report/sweep_run.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;
using Settings = std::vector<std::string>;

Scenario scenario_of(const std::string& text, const std::string& name, const Settings& settings) {
  return Scenario::from_text(text, name, settings);
}

Answer run(const std::string& text, const std::string& name, const Settings& settings, int threads,
           nb::object progress) {
  struct Kept {
    AnyRun run;
    AnyOutcome outcome;
  };
  const Scenario scenario = scenario_of(text, name, settings);
  Watch watch(std::move(progress));
  return watch.run([&] {
    auto kept = std::make_shared<Kept>(Kept{scenario.located([&] { return read_any_run(scenario); }), {}});
    RunControl control;
    control.threads = threads;
    const char* const unit =
        std::holds_alternative<PulledBlockSetup>(kept->run.scenario) ? "increments" : "simulated seconds";
    control.progress = [&](double done, double all) { watch.show(done, all, unit); };
    control.stop = [&] { return !watch.go_on(); };
    auto ended = scenario.located([&] { return simulate(kept->run, control); });
    if (std::holds_alternative<StoppedRun>(ended)) return Answer::nothing();
    kept->outcome = std::get<AnyOutcome>(std::move(ended));
    Answer answer(run_results(kept->run, kept->outcome, {scenario.title(), "slipset (Python)", scenario.text()}));
    answer.succeeded = succeeded(kept->outcome);
    answer.stopped = was_stopped(kept->outcome);
    if (const Run* const timed = std::get_if<Run>(&kept->outcome.run)) answer.table = &timed->table;
    if (const RunSetup* const setup = std::get_if<RunSetup>(&kept->run.scenario))
      answer.system = std::shared_ptr<const System>(kept, setup->system.get());
    answer.kept = std::move(kept);
    return answer;
  });
}

Answer stability(const std::string& text, const std::string& name, const Settings& settings, int threads,
                 nb::object progress) {
  const Scenario file = scenario_of(text, name, settings);
  if (system_kind_of(file.root()).structure)
    throw InvalidInput("a structure's modes are those of the program slipset; use slipset.stability");
  Watch watch(std::move(progress));
  return watch.run([&] {
    const StabilitySetup setup = file.located([&] { return StabilitySetup(file); });
    const StabilityAnswer answer = file.located([&] { return answer_stability(setup.base()); });
    Swept swept;
    if (setup.sweep())
      swept = file.located([&] {
        return run_sweep(
            *setup.sweep(), threads,
            [&](double done, double all, const char* unit) { return watch.show(done, all, unit); },
            [&](const ScanOptions& options, std::optional<double> second) {
              return scan_stability([&](double value) { return setup.at(value, second); }, options);
            });
      });
    if (swept.ended_early && !swept.has_points()) return Answer::nothing();
    Answer all(stability_results(setup, answer, swept.scan_or_null(), swept.map_or_null()));
    all.succeeded = is_answered(answer, swept) && !swept.ended_early;
    all.stopped = swept.ended_early;
    return all;
  });
}

// Of a system made in Python.
Answer stability_of(const Handle& handle, std::optional<nb::object> guess, std::optional<LuGre> lugre,
                    const std::string& title, nb::object progress) {
  SlidingSetup sliding{title, handle.system, {}};
  sliding.options.guess = guess ? vector(*guess, "q", handle.system->positions()) : handle.system->start().q;
  sliding.options.lugre = lugre;
  Watch watch(std::move(progress));
  return watch.run([&] {
    const StabilitySetup setup(std::move(sliding));
    const StabilityAnswer answer = answer_stability(setup.base());
    if (watch.stopped()) return Answer::nothing();
    Answer all(stability_results(setup, answer, nullptr, nullptr));
    all.succeeded = is_answered(answer, {});
    return all;
  });
}

Answer found_cycle(const CycleSetup& setup, const Watch& watch) {
  const Cycle found = find_cycle(*setup.system, setup.options);
  if (watch.stopped() && !found.found) return Answer::nothing();
  Answer answer(cycle_results(setup, found));
  answer.succeeded = found.found;
  return answer;
}

Answer cycle_of(const Handle& handle, std::optional<nb::object> q, std::optional<nb::object> u,
                std::optional<double> step, std::optional<double> duration, const std::string& title,
                nb::object progress) {
  const bool given = q || u || step || duration;
  if (given && !(step && duration))
    throw InvalidInput("step, duration: a motion from q and u to the cycle needs both; or give none of these");
  CycleSetup setup{title, handle.system, {}};
  if (given) {
    setup.options.start = state_of(*handle.system, q, u, 0);
    setup.options.step = *step;
    setup.options.duration = *duration;
  }
  Watch watch(std::move(progress));
  return watch.run([&] {
    if (!given) {
      SlidingSetup sliding{title, handle.system, {}};
      sliding.options.guess = handle.system->start().q;
      setup = cycle_near(sliding);
    }
    setup.options.progress = [&](double done, double all, const char* what) { return watch.show(done, all, what); };
    return found_cycle(setup, watch);
  });
}

Answer cycle(const std::string& text, const std::string& name, const Settings& settings, int threads,
             nb::object progress) {
  const Scenario file = scenario_of(text, name, settings);
  Watch watch(std::move(progress));
  return watch.run([&] {
    require_tables_of(system_kind_of(file.root()), file.root());
    const auto show = [&](double done, double all, const char* what) { return watch.show(done, all, what); };
    if (file.root().has("sweep")) {
      const CycleScan scan = file.located([&] { return CycleScan(file); });
      const CycleDiagram diagram =
          file.located([&] { return scan.compute(threads, show, [&] { return watch.go_on(); }); });
      if (diagram.ended_early && diagram.branches.empty()) return Answer::nothing();
      Answer answer(cycle_scan_results(scan, diagram));
      answer.succeeded = !diagram.branches.empty() && !diagram.ended_early;
      answer.stopped = diagram.ended_early;
      return answer;
    }
    CycleSetup setup = file.located([&] { return read_cycle(file.root()); });
    setup.options.progress = show;
    return file.located([&] { return found_cycle(setup, watch); });
  });
}

Answer law(const std::string& text, const std::string& name, const Settings& settings, double step) {
  const Scenario file = scenario_of(text, name, settings);
  LawReportOptions options;
  options.step = step;
  return Answer(file.located([&] { return law_results(read_law(file.root()), options); }));
}

}  // namespace

void bind_scenarios(nb::module_& m) {
  bind_answer(m);
  m.def("run", &run, "text"_a, "name"_a, "settings"_a, "threads"_a, "progress"_a.none());
  m.def("stability", &stability, "text"_a, "name"_a, "settings"_a, "threads"_a, "progress"_a.none());
  m.def("cycle", &cycle, "text"_a, "name"_a, "settings"_a, "threads"_a, "progress"_a.none());
  m.def("stability_of", &stability_of, "system"_a, "guess"_a.none(), "lugre"_a.none(), "title"_a, "progress"_a.none());
  m.def("cycle_of", &cycle_of, "system"_a, "q"_a.none(), "u"_a.none(), "step"_a.none(), "duration"_a.none(), "title"_a,
        "progress"_a.none());
  m.def("law_report", &law, "text"_a, "name"_a, "settings"_a, "step"_a);
  m.def(
      "read_law",
      [](const std::string& text, const std::string& name, const Settings& settings) {
        const Scenario file = scenario_of(text, name, settings);
        return Law(file.located([&] { return read_law(file.root()); }).law);
      },
      "text"_a, "name"_a, "settings"_a);
  m.def(
      "is_structure",
      [](const std::string& text, const std::string& name, const Settings& settings) {
        const Scenario file = scenario_of(text, name, settings);
        return file.root().has("system") && system_kind_of(file.root()).structure;
      },
      "text"_a, "name"_a, "settings"_a);
}

}  // namespace slipset::python
