#include "slipset/scenario/law_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "slipset/scenario/rolling_law.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/shapes.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset {
namespace {

constexpr std::string_view kShapeExample = "a shape, as in { shape = \"ellipse\", semi_axes = [0.6, 0.3] }";

PlanarSet read_reservoir(const TomlTable& law) {
  const PlanarSet set = read_shape(law.table("reservoir", kShapeExample));
  if (!law.has("reservoir_at")) return set;
  return law.located("reservoir_at", [&] {
    PlanarSet scaled = set.scaled(1 / law.positive("reservoir_at"));
    require_moderate(scaled, "the reservoir over reservoir_at");
    return scaled;
  });
}

PlanarSet read_direction(const TomlTable& law, const PlanarSet& reservoir) {
  if (law.has("direction") && !law.is_text("direction"))
    return read_direction_shape(law.table("direction", kShapeExample));
  constexpr std::array<std::string_view, 2> words = {"associated", "collinear"};
  if (law.has("direction") && law.choice("direction", words) == "collinear") return Disk(1);
  if (reservoir.is_convex()) return reservoir;
  const std::string remedy = reservoir.as<Wedge>() ? "give the same wedge as direction, which means its ellipse"
                                                   : "give a convex direction set, or direction = \"collinear\"";
  law.fail(law.has("direction") ? "direction" : "reservoir",
           fmt::format("an associated law needs a convex reservoir, and this {} is not convex; {}", reservoir.name(),
                       remedy));
}

std::optional<Stribeck> read_stribeck(const TomlTable& law) {
  if (!law.has("stribeck")) return std::nullopt;
  const TomlTable t = law.table("stribeck");
  if (t.has("viscous") && law.has("lugre"))
    t.fail("viscous", "cannot be combined with lugre, which has its own viscous friction; use lugre.sigma2");
  return Stribeck{t.positive("static"), t.positive("velocity"), t.not_negative("viscous")};
}

LuGre read_lugre(const TomlTable& law) {
  const TomlTable t = law.table("lugre");
  return {t.positive("sigma0"), t.not_negative("sigma1"), t.not_negative("sigma2")};
}

Adhesion read_adhesion(const TomlTable& law) {
  const TomlTable t = law.table("elastic");
  const Vec2 stiffness = t.positive_pair("stiffness");
  return {stiffness.x(), stiffness.y(), radians(t.number("angle"))};
}

// Which keys of laws with drilling and rolling there are; refused where a system would not heed them.
std::vector<std::string> rolling_keys_of(const TomlTable& root, const TomlTable& law) {
  std::vector<std::string> found;
  const SystemKind* const kind = root.has("system") ? find_system_kind(root.table("system")) : nullptr;
  for (const std::string_view name : kRollingKeys) {
    if (!law.has(name)) continue;
    if (root.has("system") && !(kind && kind->rolling_laws))
      law.fail(name, fmt::format("only these systems have drilling and rolling friction: {}",
                                 fmt::join(kinds_with(&SystemKind::rolling_laws), ", ")));
    found.emplace_back(name);
  }
  return found;
}

template <std::size_t N>
std::size_t place_of(const std::array<std::string_view, N>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

RegularizedCoulomb read_regularize(const TomlTable& law) {
  const TomlTable t = law.table("regularize", "a table, as in { kind = \"quinn\", epsilon = 0.02 }");
  const auto kind = static_cast<Regularization>(place_of(kRegularizationNames, t.choice("kind", kRegularizationNames)));
  if (kind == Regularization::sign)
    for (const std::string_view name : {"epsilon", "width"})
      if (t.has(name)) t.fail(name, "the law sign has no ramp; remove it");
  const double epsilon = kind == Regularization::sign ? 1 : t.positive("epsilon");
  return {kind, epsilon, static_cast<RampWidth>(place_of(kRampWidthNames, t.choice("width", kRampWidthNames)))};
}

}  // namespace

std::span<const Key> law_keys() {
  static const std::vector<Key> keys = {
      {"reservoir", "", kRequired, "a shape: friction coefficients, or newtons with reservoir_at"},
      {"direction", "", "associated",
       "a convex shape of any scale; collinear (a disk); or associated: the reservoir, which must then be convex"},
      {"reservoir_at", "N", kOptional, "normal force at which the reservoir was measured; its radii are divided by it"},
      {"stribeck.static", "", kRequired, "factor on the reservoir at rest: 1 + (static - 1) exp(-(speed/velocity)²)"},
      {"stribeck.velocity", "m/s", kRequired, "how fast the factor falls to 1"},
      {"stribeck.viscous", "s/m", 0.0, "adds viscous·speed to the factor: viscous friction over that of the reservoir"},
      {"lugre.sigma0", "1/m", kRequired, "stiffness of the bristles per unit normal force"},
      {"lugre.sigma1", "s/m", 0.0, "their damping"},
      {"lugre.sigma2", "s/m", 0.0, "viscous friction"},
      {"elastic.stiffness", "N/m", kRequired, "[k1, k2]: the contact deforms before it slips"},
      {"elastic.angle", "degrees", 0.0, "of the first axis of the stiffness"},
      {"regularize.kind", "", kRequired,
       "quinn, martins-oden, karnopp, arctan or sign: a smooth law, for rk4, adaptive"},
      {"regularize.epsilon", "m/s", kOptional, "width of the ramp, above 0; sign has none"},
      {"regularize.width", "", "full", "full (Eq. 4 of Quinn 2004) or half"}};
  return keys;
}

std::span<const LawTable> law_tables() {
  static const std::vector<LawTable> all = {
      {.name = "lugre",
       .integrators = {"adaptive", "rk4"},
       .others = "has no bristles",
       .in_steady_sliding = true,
       .form = [](const TomlTable& law) -> SmoothFriction::Form { return read_lugre(law); }},
      {.name = "elastic",
       .integrators = {"moreau", "rk4", "adaptive"},
       .others = "has rigid contacts",
       .with_stribeck = false,
       .with = [](const FrictionLaw& sets, const TomlTable& law) { return sets.with_elastic(read_adhesion(law)); }},
      {.name = "regularize",
       .integrators = {"rk4", "adaptive"},
       .others = "solves Coulomb's law as it is",
       .along_line = true,
       .form = [](const TomlTable& law) -> SmoothFriction::Form { return read_regularize(law); }}};
  return all;
}

const LawTable* one_law_table(const TomlTable& law) {
  const LawTable* found = nullptr;
  for (const LawTable& table : law_tables()) {
    if (!law.has(table.name)) continue;
    if (found) law.fail(found->name, fmt::format("cannot be combined with {}; remove one", table.name));
    found = &table;
  }
  return found;
}

std::optional<LuGre> LawSetup::lugre() const {
  const auto* found = std::get_if<LuGre>(&form);
  return found ? std::optional(*found) : std::nullopt;
}

std::optional<RegularizedCoulomb> LawSetup::regularize() const {
  const auto* found = std::get_if<RegularizedCoulomb>(&form);
  return found ? std::optional(*found) : std::nullopt;
}

SmoothFriction::Form read_line_law(const TomlTable& table) {
  const TomlTable law = table.described_by(law_keys());
  SmoothFriction::Form form;
  for (const std::string& name : law.names()) {
    const LawTable* const known = find_entry(law_tables(), name);
    if (!known || !known->along_line)
      law.fail(name, "this system has its friction limit in [system], along one line; [law] may hold regularize only");
    form = known->form(law);
  }
  return form;
}

namespace {

// The law's two sets and what stands beside them; `rolling`: its keys that are not planar.
LawSetup planar_law(const TomlTable& law, const std::string& title, std::vector<std::string> rolling) {
  const PlanarSet reservoir = read_reservoir(law);
  law.located("reservoir", [&] { require_moderate(reservoir, "reservoir"); });
  const PlanarSet direction = read_direction(law, reservoir);
  law.located("direction", [&] { require_moderate(direction, "direction set"); });
  LawSetup scenario{title,
                    law.located("", [&] { return FrictionLaw(reservoir, direction, read_stribeck(law)); }),
                    std::move(rolling),
                    {}};
  for (const LawTable& table : law_tables()) {
    if (!law.has(table.name)) continue;
    if (table.form) scenario.form = table.form(law);
    if (table.with) scenario.law = table.with(scenario.law, law);
    scenario.set_aside.emplace_back(table.name);
  }
  return scenario;
}

}  // namespace

LawSetup read_law(const TomlTable& root) {
  const TomlTable law = root.table("law", "a table [law] with the reservoir");
  std::vector<std::string> rolling = rolling_keys_of(root, law);
  if (!rolling.empty()) {
    read_rolling_law(law);  // checks all of its keys
    return planar_law(law, title_of(root), std::move(rolling));
  }
  const TomlTable described = law.described_by(law_keys());
  if (!law.has("reservoir") && root.has("system"))
    if (const SystemKind* kind = find_system_kind(root.table("system")); kind && kind->build_axial)
      law.fail("reservoir", fmt::format("missing; {} has its friction limit in [system], along one line, and no planar "
                                        "law",
                                        kind->name));
  return planar_law(described, title_of(root), {});
}

LawSetup read_law_table(const TomlTable& law, const std::string& title) {
  return planar_law(law.described_by(law_keys()), title, {});
}

std::vector<std::pair<std::string, TomlTable>> law_tables_by_name(const TomlTable& root) {
  std::vector<std::pair<std::string, TomlTable>> all;
  if (root.has("law")) all.emplace_back("law", root.table("law"));
  if (!root.has("laws")) return all;
  const TomlTable laws = root.table("laws", "tables [laws.NAME]");
  for (const std::string& name : laws.names()) {
    if (name == "law" || name == "none")
      laws.fail(name, "the names law (that of [law]) and none (no friction) are reserved; choose another");
    all.emplace_back(name, laws.table(name, "a law, as in [laws.NAME] reservoir = { ... }"));
  }
  return all;
}

void require_steady_tables(const LawSetup& law, const TomlTable& table) {
  for (const std::string& name : law.set_aside)
    if (const LawTable* known = find_entry(law_tables(), name); !known || !known->in_steady_sliding)
      table.fail(name, "is not part of steady sliding; remove it, the law in steady sliding is the same");
}

}  // namespace slipset
