#include "slipset/scenario/run_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "slipset/scenario/law_scenario.hpp"
#include "slipset/scenario/ode_keys.hpp"
#include "slipset/scenario/systems.hpp"
#include "slipset/stability/linearize.hpp"

namespace slipset {
namespace {

// With viscous friction the bodies rest elsewhere.
VectorX steady_position(const BuiltSystem& built, const std::optional<LuGre>& lugre, const TomlTable& t) {
  if (!lugre || lugre->sigma2 == 0) return *built.equilibrium;
  LinearizeOptions options;
  options.lugre = lugre;
  options.guess = built.equilibrium;
  options.with_terms = false;
  return t.located("position", [&] {
    const LinearSliding sliding = linearize_sliding(*built.system, options);
    if (!sliding.report.converged) throw InvalidInput("steady sliding: " + sliding.report.why);
    return sliding.position;
  });
}

void read_initial(const TomlTable& root, const BuiltSystem& built, RunScenario& scenario) {
  if (!root.has("initial")) return;
  State& start = scenario.start;
  const TomlTable t = root.table("initial");
  constexpr std::array<std::string_view, 4> keys = {"position", "velocity", "perturbation", "bristles"};
  t.allow_only(keys);
  bool steady = false;
  if (t.has("position") && t.is_text("position")) {
    constexpr std::array<std::string_view, 1> words = {"equilibrium"};
    t.choice("position", words);
    if (!built.equilibrium)
      t.fail("position", "this system has no equilibrium of steady sliding; give the position as numbers");
    start.q = steady_position(built, scenario.lugre, t);
    steady = true;
  } else if (t.has("position")) {
    start.q = read_vector(t, "position", start.q.size());
  }
  if (t.has("bristles")) {
    constexpr std::array<std::string_view, 2> words = {"steady", "unloaded"};
    if (!scenario.lugre) t.fail("bristles", "only [law] lugre has bristles");
    steady = t.choice("bristles", words) == "steady";
  }
  State place = start;  // without the perturbation
  if (t.has("velocity")) place.u = read_vector(t, "velocity", start.u.size());
  if (scenario.lugre && steady) scenario.ode.states = steady_deflections(*built.system, *scenario.lugre, place);
  if (t.has("perturbation")) start.q += read_vector(t, "perturbation", start.q.size());
  start.u = place.u;
}

void require_closed(const MechanicalSystem& system, const TomlTable& law, std::string_view key,
                    std::string_view remedy) {
  for (const SystemContact& contact : system.contacts())
    if (contact.unilateral)
      law.fail(key,
               fmt::format("contact \"{}\" can open, so that its normal force is not known beforehand; {}, or give "
                           "the contact a normal_force",
                           contact.name, remedy));
}

void read_integrator(const TomlTable& root, const std::optional<TomlTable>& law, bool elastic, RunScenario& scenario) {
  const TomlTable t = root.table("integrator", "a table [integrator] with step and duration");
  constexpr std::array<std::string_view, 9> keys = {"kind",      "step",      "duration",  "until",    kOdeKeys[0],
                                                    kOdeKeys[1], kOdeKeys[2], kOdeKeys[3], kOdeKeys[4]};
  constexpr std::array<std::string_view, 4> kinds = {"moreau", "event-driven", "rk4", "adaptive"};
  constexpr std::array<std::string_view, 1> ends = {"stick"};
  t.allow_only(keys);
  const std::string kind = t.has("kind")         ? t.choice("kind", kinds)
                           : scenario.regularize ? "rk4"
                           : scenario.lugre      ? "adaptive"
                                                 : "moreau";
  const bool ordinary = kind == "rk4" || kind == "adaptive";
  const OdeKeys ode = read_ode_keys(t, kind, scenario.regularize, law, scenario.lugre || elastic);
  if (kind == "event-driven") scenario.integrator = IntegratorKind::event_driven;
  if (scenario.lugre && !ordinary)
    law->fail("lugre", fmt::format("{} has no bristles; take kind = \"adaptive\" or \"rk4\", or take lugre out to run "
                                   "the set-valued law",
                                   kind));
  if (ordinary) {
    scenario.integrator = IntegratorKind::ode;
    if (t.has("until"))
      t.fail("until", scenario.regularize
                          ? "a regularised law comes to rest only in the limit; give the duration, or take moreau or "
                            "event-driven without regularize"
                          : "rk4 and adaptive run for a duration; give it");
    scenario.ode.method = ode.method;
    scenario.ode.relative_tolerance = ode.relative_tolerance.value_or(scenario.ode.relative_tolerance);
    scenario.ode.absolute_tolerance = ode.absolute_tolerance.value_or(scenario.ode.absolute_tolerance);
    scenario.ode.rate.balance = ode.balance;
    scenario.ode.rate.freeze_band = ode.freeze_band;
    if (scenario.regularize)
      require_closed(*scenario.system, *law, "regularize", "take regularize out and moreau or event-driven");
    else
      require_closed(*scenario.system, *law, scenario.lugre ? "lugre" : "elastic",
                     scenario.lugre ? "take lugre out and moreau or event-driven" : "take moreau");
    if (elastic && law->has("stribeck"))
      law->fail("stribeck", "the rate form of an elastic interface has no rate dependence; take it out, or moreau");
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
  for (const std::string_view name : {"laws", "body", "pile", "stack", "pair"})
    if (file.root().has(name)) file.root().fail(name, "only [system] kind = \"rigid-bodies\" has this; leave it out");
  return read_run(file.root(), file.root());
}

RunScenario read_run(const TomlTable& root, const TomlTable& over) {
  const auto from = [&](std::string_view name) -> const TomlTable& { return over.has(name) ? over : root; };
  const LawScenario law = read_law(from("law"));
  const TomlTable law_table = from("law").table("law");
  if (law.lugre && law.regularize) law_table.fail("lugre", "does not go with regularize; take one of them");
  if (law.lugre && law.law.elastic())
    law_table.fail("lugre", "does not go with elastic: bristles are an elasticity of their own; take one of them");
  if (law.law.elastic() && law.regularize) law_table.fail("elastic", "does not go with regularize; take one of them");

  const TomlTable table = from("system").table("system", "a table [system] with its kind");
  RunScenario scenario;
  scenario.title = law.title;
  BuiltSystem built = read_system(table, law.law);
  scenario.start = built.start;
  scenario.lugre = law.lugre;
  if (built.takes_initial)
    read_initial(from("initial"), built, scenario);
  else if (from("initial").has("initial"))
    from("initial").fail("initial", fmt::format("{} moves as it is led; leave [initial] out", table.text("kind")));
  scenario.system = std::move(built.system);
  scenario.regularize = law.regularize;
  read_integrator(from("integrator"), law_table, law.law.elastic().has_value(), scenario);
  if (law.law.elastic() && scenario.integrator == IntegratorKind::event_driven)
    law_table.fail("elastic",
                   "the event-driven integrator has rigid contacts; use kind = \"moreau\", \"rk4\" or \"adaptive\"");

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
