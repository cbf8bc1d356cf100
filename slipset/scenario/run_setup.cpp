#include "slipset/scenario/run_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/integrator.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/planar_kind.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/stability/linearize.hpp"
#include "slipset/systems/axial_system.hpp"

namespace slipset {
namespace {

// As the command stability finds it, where the system itself does not know: with viscous friction the bodies rest
// elsewhere.
VectorX steady_position(const BuiltSystem& built, const std::optional<LuGre>& lugre, const TomlTable& t) {
  if (built.equilibrium && (!lugre || lugre->sigma2 == 0)) return *built.equilibrium;
  LinearizeOptions options;
  options.lugre = lugre;
  options.guess = built.equilibrium ? *built.equilibrium : built.start.q;
  options.with_terms = false;
  return t.located("position", [&] {
    const LinearSliding sliding = linearize_sliding(*built.system, options);
    if (!sliding.report.converged) throw InvalidInput("steady sliding: " + sliding.report.why);
    return sliding.position;
  });
}

// The start; returns the bristles' deflections there, where the law has them.
std::vector<Vec2> read_initial(const TomlTable& root, const SystemKind& kind, const BuiltSystem& built,
                               const std::optional<LuGre>& lugre, State& start) {
  std::vector<Vec2> deflections;
  if (!root.has("initial")) return deflections;
  const TomlTable t = root.table("initial").described_by(initial_keys());
  bool steady = false;
  if (t.is_text("position")) {
    constexpr std::array<std::string_view, 1> words = {"equilibrium"};
    t.choice("position", words);
    if (!built.equilibrium && !kind.steady_sliding)
      t.fail("position", "this system has no equilibrium of steady sliding; give the position as numbers");
    start.q = steady_position(built, lugre, t);
    steady = true;
  } else if (t.has("position")) {
    start.q = t.vector("position", start.q.size());
  }
  if (t.has("bristles")) {
    constexpr std::array<std::string_view, 2> words = {"steady", "unloaded"};
    if (!lugre) t.fail("bristles", "only [law] lugre has bristles");
    steady = t.choice("bristles", words) == "steady";
  }
  State place = start;  // without the perturbation
  if (t.has("velocity")) place.u = t.vector("velocity", start.u.size());
  if (lugre && steady) deflections = steady_deflections(*built.system, *lugre, place);
  if (t.has("perturbation")) start.q += t.vector("perturbation", start.q.size());
  start.u = place.u;
  if (!start.q.allFinite()) t.fail("perturbation", "the position with it is out of the range of numbers");
  return deflections;
}

// What an ordinary integrator asks of the contacts, and of the rest of [law].
void check_ordinary(const LawTable& table, const TomlTable& law, const System& system) {
  std::vector<std::string_view> others;  // that take it, with contacts that open
  for (const std::string_view name : table.integrators)
    if (!find_entry(integrators(), name)->ordinary) others.push_back(name);
  const std::string remedy = others.empty()
                                 ? fmt::format("remove {} and choose {}", table.name, set_valued_integrators())
                                 : fmt::format("choose {}", fmt::join(others, " or "));
  for (const SystemContact& contact : system.contacts())
    if (contact.unilateral)
      law.fail(table.name,
               fmt::format("contact \"{}\" can open, so that its normal force is not known beforehand; {}, or give "
                           "the contact a normal_force",
                           contact.name, remedy));
  if (!table.with_stribeck && law.has("stribeck"))
    law.fail("stribeck",
             fmt::format("the rate form of [law] {} has no rate dependence; remove it, or {}", table.name, remedy));
}

}  // namespace

std::span<const Key> initial_keys() {
  static const std::vector<Key> keys = {
      {"position", "", kOptional,
       "one number per coordinate, or equilibrium (of steady sliding); default: that of the system kind"},
      {"perturbation", "", kOptional, "added to the position; zero"},
      {"velocity", "", kOptional, "one number per coordinate; zero"},
      {"bristles", "", kOptional,
       "of [law] lugre: unloaded, or steady (default at the equilibrium), deflected as in steady sliding"}};
  return keys;
}

RunSetup read_run(const TomlTable& root, const TomlTable& over) {
  const auto from = [&](std::string_view name) -> const TomlTable& { return over.has(name) ? over : root; };
  const SystemKind& kind = system_kind_of(from("system"));
  const TomlTable system = from("system").table("system");
  RunSetup scenario;
  scenario.title = title_of(root);

  SmoothFriction friction;
  std::optional<LuGre> lugre;
  IntegratorRules rules;
  if (from("law").has("law")) {
    rules.law = from("law").table("law");
    rules.law_table = one_law_table(*rules.law);
  }
  BuiltSystem built;
  if (kind.build_axial) {
    if (rules.law) friction.form = read_line_law(*rules.law);
    built.system = std::make_unique<AxialSystem>(read_axial_system(system));
    built.start = {0, VectorX::Zero(built.system->dofs()), VectorX::Zero(built.system->dofs())};
  } else {
    const LawSetup law = read_law(from("law"));
    friction.form = law.form;
    lugre = law.lugre();
    built = read_system(system, law.law);
  }
  scenario.start = built.start;
  if (kind.prescribed && from("initial").has("initial"))
    from("initial").fail("initial", fmt::format("{} has a prescribed motion; remove [initial]", kind.name));
  friction.states = read_initial(from("initial"), kind, built, lugre, scenario.start);
  scenario.system = std::move(built.system);

  rules.kinds = names_of(integrators());
  rules.otherwise = rules.law_table    ? rules.law_table->integrators.front()
                    : kind.build_axial ? std::string_view("event-driven")
                                       : std::string_view("moreau");
  rules.period = scenario.system->period();
  rules.along_line = kind.build_axial != nullptr;
  rules.contacts_open = std::any_of(scenario.system->contacts().begin(), scenario.system->contacts().end(),
                                    [](const SystemContact& c) { return c.unilateral; });
  if (const auto* regularized = std::get_if<RegularizedCoulomb>(&friction.form)) rules.regularize = *regularized;
  const IntegratorChoice choice = read_integrator(from("integrator"), rules);
  if (choice.kind->ordinary && !kind.build_axial) check_ordinary(*rules.law_table, *rules.law, *scenario.system);
  if (const auto* axial = dynamic_cast<const AxialSystem*>(scenario.system.get());
      axial && axial->has_static_limits() && !choice.kind->static_limits)
    system.fail("static_limit", "only kind = \"event-driven\" supports a static limit");

  OutputChoice output = read_output(from("output"), {"csv", "hdf5"}, {"path", "force", "time"});
  if (kind.build_axial)
    require_no_figure("path", from("output"), "a system along one line has no path; remove \"path\"", output);
  else if (scenario.system->dofs() < 2)
    require_no_figure("path", from("output"),
                      "a system of one degree of freedom has no path in the plane; remove \"path\"", output);
  friction.balance = choice.balance;
  scenario.integrator = choice.integrator(friction);
  scenario.settings = choice.table;
  scenario.options = choice.options;
  scenario.options.every = output.every;
  scenario.formats = std::move(output.formats);
  scenario.figures = std::move(output.figures);
  return scenario;
}

AnyRun read_any_run_of_system(const Scenario& scenario) {
  RunSetup run = read_run(scenario.root(), scenario.root());
  if (scenario.root().has("sweep"))
    run.warnings.push_back("[sweep] is for the commands stability and cycle; this run has the values of the file");
  return {std::move(run)};
}

SystemKind planar_kind(Entry entry, BuiltSystem (*build)(const TomlTable&, const FrictionLaw&)) {
  SystemKind kind{std::move(entry)};
  kind.build = build;
  kind.read_run = read_any_run_of_system;
  kind.tables = {"title", "law", "system", "initial", "integrator", "output", "stability"};
  return kind;
}

SystemKind belt_kind(Entry entry, BuiltSystem (*build)(const TomlTable&, const FrictionLaw&)) {
  SystemKind kind = planar_kind(std::move(entry), build);
  kind.steady_sliding = true;
  kind.tables.push_back("sweep");
  return kind;
}

}  // namespace slipset
