#include "slipset/scenario/run_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "slipset/scenario/law_scenario.hpp"
#include "slipset/scenario/ode_keys.hpp"
#include "slipset/scenario/systems.hpp"

namespace slipset {
namespace {

void read_initial(const TomlTable& root, const BuiltSystem& built, State& start) {
  if (!root.has("initial")) return;
  const TomlTable t = root.table("initial");
  constexpr std::array<std::string_view, 3> keys = {"position", "velocity", "perturbation"};
  t.allow_only(keys);
  if (t.has("position") && t.is_text("position")) {
    constexpr std::array<std::string_view, 1> words = {"equilibrium"};
    t.choice("position", words);
    if (!built.equilibrium)
      t.fail("position", "this system has no equilibrium of steady sliding; give the position as numbers");
    start.q = *built.equilibrium;
  } else if (t.has("position")) {
    start.q = read_vector(t, "position", start.q.size());
  }
  if (t.has("perturbation")) start.q += read_vector(t, "perturbation", start.q.size());
  if (t.has("velocity")) start.u = read_vector(t, "velocity", start.u.size());
}

void read_integrator(const TomlTable& root, const std::optional<TomlTable>& law, RunScenario& scenario) {
  const TomlTable t = root.table("integrator", "a table [integrator] with step and duration");
  constexpr std::array<std::string_view, 9> keys = {"kind",      "step",      "duration",  "until",    kOdeKeys[0],
                                                    kOdeKeys[1], kOdeKeys[2], kOdeKeys[3], kOdeKeys[4]};
  constexpr std::array<std::string_view, 4> kinds = {"moreau", "event-driven", "rk4", "adaptive"};
  constexpr std::array<std::string_view, 1> ends = {"stick"};
  t.allow_only(keys);
  const std::string kind = t.has("kind") ? t.choice("kind", kinds) : scenario.regularize ? "rk4" : "moreau";
  const OdeKeys ode = read_ode_keys(t, kind, scenario.regularize, law);
  if (kind == "event-driven") scenario.integrator = IntegratorKind::event_driven;
  if (scenario.regularize) {
    scenario.integrator = IntegratorKind::ode;
    if (t.has("until"))
      t.fail("until",
             "a regularised law comes to rest only in the limit; give the duration, or take moreau or "
             "event-driven without regularize");
    scenario.ode.method = ode.method;
    scenario.ode.relative_tolerance = ode.relative_tolerance.value_or(scenario.ode.relative_tolerance);
    scenario.ode.absolute_tolerance = ode.absolute_tolerance.value_or(scenario.ode.absolute_tolerance);
    scenario.ode.rate.balance = ode.balance;
    scenario.ode.rate.freeze_band = ode.freeze_band;
    for (const SystemContact& contact : scenario.system->contacts())
      if (contact.unilateral)
        law->fail("regularize",
                  fmt::format("contact \"{}\" can open, so that its normal force is not known beforehand; take "
                              "regularize out and moreau or event-driven, or give the contact a normal_force",
                              contact.name));
  }
  SimulationOptions& options = scenario.options;
  options.step = t.positive("step");
  options.until_stick = t.has("until") && t.choice("until", ends) == "stick";
  options.duration = options.until_stick && !t.has("duration") ? 1e8 * options.step : t.positive("duration");
  if (options.duration / options.step > 1e9)
    t.fail("duration", "more than 1e9 steps; choose a longer step or a shorter duration");
}

}  // namespace

RunScenario read_run_scenario(const std::filesystem::path& path) {
  read_law_scenario(path);  // refuses unknown tables
  const TomlFile file(path);
  return read_run(file.root(), file.root());
}

RunScenario read_run(const TomlTable& root, const TomlTable& over) {
  const auto from = [&](std::string_view name) -> const TomlTable& { return over.has(name) ? over : root; };
  const LawScenario law = read_law(from("law"));
  const TomlTable law_table = from("law").table("law");
  for (const std::string& name : law.set_aside)
    if (name == "lugre") law_table.fail(name, "not yet part of a run; take it out to run the set-valued law");

  const TomlTable table = from("system").table("system", "a table [system] with its kind");
  RunScenario scenario;
  scenario.title = law.title;
  BuiltSystem built = read_system(table, law.law);
  scenario.start = built.start;
  if (built.takes_initial)
    read_initial(from("initial"), built, scenario.start);
  else if (from("initial").has("initial"))
    from("initial").fail("initial", fmt::format("{} moves as it is led; leave [initial] out", table.text("kind")));
  scenario.system = std::move(built.system);
  scenario.regularize = law.regularize;
  read_integrator(from("integrator"), law_table, scenario);
  if (law.law.elastic() && scenario.integrator == IntegratorKind::event_driven)
    law_table.fail("elastic", "the event-driven integrator has rigid contacts; use kind = \"moreau\"");
  if (law.law.elastic() && law.regularize) law_table.fail("elastic", "does not go with regularize; take one of them");

  scenario.formats = {"csv"};
  const bool planar = scenario.system->dofs() >= 2;
  scenario.figures =
      planar ? std::vector<std::string>{"path", "force", "time"} : std::vector<std::string>{"force", "time"};
  if (from("output").has("output")) {
    const TomlTable t = from("output").table("output");
    constexpr std::array<std::string_view, 3> output_keys = {"every", "formats", "figures"};
    constexpr std::array<std::string_view, 3> figures = {"path", "force", "time"};
    constexpr std::array<std::string_view, 2> formats = {"csv", "hdf5"};
    t.allow_only(output_keys);
    if (t.has("every")) {
      const double every = t.positive("every");
      if (every != std::floor(every) || every > 1e9)
        t.fail("every", fmt::format("found {}; expected a whole number of steps", every));
      scenario.options.every = static_cast<int>(every);
    }
    if (t.has("formats")) scenario.formats = t.choices("formats", formats);
    if (t.has("figures")) scenario.figures = t.choices("figures", figures);
    if (!planar && std::count(scenario.figures.begin(), scenario.figures.end(), "path"))
      t.fail("figures", "a system of one degree of freedom has no path in the plane; leave \"path\" out");
  }
  return scenario;
}

}  // namespace slipset
