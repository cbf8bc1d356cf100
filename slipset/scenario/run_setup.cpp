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

// The start; returns the bristles' deflections there, where the law has them.
std::vector<Vec2> read_initial(const TomlTable& root, const BuiltSystem& built, const std::optional<LuGre>& lugre,
                               State& start) {
  std::vector<Vec2> deflections;
  if (!root.has("initial")) return deflections;
  const TomlTable t = root.table("initial").described_by(initial_keys());
  bool steady = false;
  if (t.is_text("position")) {
    constexpr std::array<std::string_view, 1> words = {"equilibrium"};
    t.choice("position", words);
    if (!built.equilibrium)
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
  return deflections;
}

void require_closed(const System& system, const TomlTable& law, std::string_view key, std::string_view remedy) {
  for (const SystemContact& contact : system.contacts())
    if (contact.unilateral)
      law.fail(key,
               fmt::format("contact \"{}\" can open, so that its normal force is not known beforehand; {}, or give "
                           "the contact a normal_force",
                           contact.name, remedy));
}

// Tables of [law] that do not fit together.
void check_law(const LawSetup& law, const TomlTable& table) {
  const auto refuse = [&](std::string_view one, std::string_view other, bool both) {
    if (both) table.fail(one, fmt::format("cannot be combined with {}; remove one", other));
  };
  refuse("lugre", "regularize", law.lugre && law.regularize);
  refuse("lugre", "elastic (LuGre bristles are already elastic)", law.lugre && law.law.elastic());
  refuse("elastic", "regularize", law.law.elastic() && law.regularize);
}

// What the law's tables ask of the integrator, and of the contacts.
void check_integrator(const IntegratorChoice& choice, const LawSetup& law, const TomlTable& table,
                      const System& system) {
  const bool elastic = law.law.elastic().has_value();
  if (law.lugre && !choice.is_ordinary())
    table.fail("lugre", fmt::format("{} has no bristles; choose kind = \"adaptive\" or \"rk4\", or remove lugre to run "
                                    "the set-valued law",
                                    choice.kind));
  if (elastic && choice.kind == "event-driven")
    table.fail("elastic",
               "the event-driven integrator has rigid contacts; use kind = \"moreau\", \"rk4\" or \"adaptive\"");
  if (!choice.is_ordinary()) return;
  if (law.regularize)
    require_closed(system, table, "regularize", "remove regularize and choose moreau or event-driven");
  else
    require_closed(system, table, law.lugre ? "lugre" : "elastic",
                   law.lugre ? "remove lugre and choose moreau or event-driven" : "choose moreau");
  if (elastic && table.has("stribeck"))
    table.fail("stribeck", "the rate form of an elastic interface has no rate dependence; remove it, or choose moreau");
}

// [law] of a system along one line.
std::optional<RegularizedCoulomb> read_axial_law(const TomlTable& root) {
  if (!root.has("law")) return std::nullopt;
  const TomlTable law = root.table("law");
  for (const std::string_view set : {"reservoir", "direction", "reservoir_at", "stribeck", "lugre", "elastic"})
    if (law.has(set))
      law.fail(set, "this system has its friction limit in [system], along one line; [law] may hold regularize only");
  const TomlTable described = law.described_by(law_keys());
  if (!law.has("regularize")) return std::nullopt;
  return read_regularize(described);
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

  std::optional<LawSetup> law;
  std::optional<RegularizedCoulomb> regularize;
  BuiltSystem built;
  if (kind.build_axial) {
    regularize = read_axial_law(from("law"));
    built.system = std::make_unique<AxialSystem>(read_axial_system(system));
    built.start = {0, VectorX::Zero(built.system->dofs()), VectorX::Zero(built.system->dofs())};
  } else {
    law = read_law(from("law"));
    check_law(*law, from("law").table("law"));
    regularize = law->regularize;
    built = read_system(system, law->law);
  }
  const std::optional<LuGre> lugre = law ? law->lugre : std::nullopt;
  scenario.start = built.start;
  if (kind.prescribed && from("initial").has("initial"))
    from("initial").fail("initial", fmt::format("{} has a prescribed motion; remove [initial]", kind.name));
  const std::vector<Vec2> deflections = read_initial(from("initial"), built, lugre, scenario.start);
  scenario.system = std::move(built.system);

  IntegratorRules rules{names_of(integrators()),
                        regularize         ? "rk4"
                        : lugre            ? "adaptive"
                        : kind.build_axial ? "event-driven"
                                           : "moreau",
                        {"moreau", "event-driven"},
                        scenario.system->period(),
                        regularize,
                        law && (lugre || law->law.elastic()),
                        {}};
  if (from("law").has("law")) rules.law = from("law").table("law");
  const IntegratorChoice choice = read_integrator(from("integrator"), rules);
  if (law) check_integrator(choice, *law, *rules.law, *scenario.system);
  if (const auto* axial = dynamic_cast<const AxialSystem*>(scenario.system.get());
      axial && axial->has_static_limits() && choice.kind != "event-driven")
    system.fail("static_limit", "only kind = \"event-driven\" supports a static limit");

  OutputChoice output = read_output(from("output"), {"csv", "hdf5"}, {"path", "force", "time"});
  if (kind.build_axial)
    require_no_figure("path", from("output"), "a system along one line has no path; remove \"path\"", output);
  else if (scenario.system->dofs() < 2)
    require_no_figure("path", from("output"),
                      "a system of one degree of freedom has no path in the plane; remove \"path\"", output);
  const SmoothFriction friction = regularize ? SmoothFriction(*regularize, choice.balance)
                                  : lugre    ? SmoothFriction(*lugre, deflections)
                                             : SmoothFriction();
  scenario.integrator = choice.integrator(friction, output.every);
  scenario.options = choice.options;
  scenario.options.every = output.every;
  scenario.formats = std::move(output.formats);
  scenario.figures = std::move(output.figures);
  return scenario;
}

AnyRun read_any_run_of_system(const Scenario& scenario) { return {read_run(scenario.root(), scenario.root())}; }

SystemKind planar_kind(Entry entry, BuiltSystem (*build)(const TomlTable&, const FrictionLaw&)) {
  SystemKind kind{std::move(entry)};
  kind.build = build;
  kind.read_run = read_any_run_of_system;
  kind.tables = {"title", "law", "system", "initial", "integrator", "output", "sweep", "stability"};
  return kind;
}

SystemKind belt_kind(Entry entry, BuiltSystem (*build)(const TomlTable&, const FrictionLaw&)) {
  SystemKind kind = planar_kind(std::move(entry), build);
  kind.steady_sliding = true;
  return kind;
}

}  // namespace slipset
