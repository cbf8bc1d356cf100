#include "slipset/scenario/run_scenario.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/scenario/law_scenario.hpp"
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

SimulationOptions read_integrator(const TomlTable& root, IntegratorKind& kind) {
  const TomlTable t = root.table("integrator", "a table [integrator] with step and duration");
  constexpr std::array<std::string_view, 4> keys = {"kind", "step", "duration", "until"};
  constexpr std::array<std::string_view, 2> kinds = {"moreau", "event-driven"};
  constexpr std::array<std::string_view, 1> ends = {"stick"};
  t.allow_only(keys);
  if (t.has("kind") && t.choice("kind", kinds) == "event-driven") kind = IntegratorKind::event_driven;
  SimulationOptions options;
  options.step = t.positive("step");
  options.until_stick = t.has("until") && t.choice("until", ends) == "stick";
  options.duration = options.until_stick && !t.has("duration") ? 1e8 * options.step : t.positive("duration");
  if (options.duration / options.step > 1e9)
    t.fail("duration", "more than 1e9 steps; choose a longer step or a shorter duration");
  return options;
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
  for (const std::string& table : law.set_aside)
    if (table != "elastic")
      from("law").table("law").fail(table, "not yet part of a run; take it out to run the set-valued law");

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
  scenario.options = read_integrator(from("integrator"), scenario.integrator);
  if (law.law.elastic() && scenario.integrator == IntegratorKind::event_driven)
    from("law").table("law").fail("elastic", "the event-driven integrator has rigid contacts; use kind = \"moreau\"");

  scenario.formats = {"csv"};
  scenario.figures = {"path", "force", "time"};
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
  }
  return scenario;
}

}  // namespace slipset
