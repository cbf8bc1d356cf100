#include "slipset/scenario/law_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "slipset/scenario/bodies_scenario.hpp"
#include "slipset/scenario/line_systems.hpp"
#include "slipset/scenario/shapes.hpp"
#include "slipset/scenario/spinning_body_scenario.hpp"

namespace slipset {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 13> kFileKeys = {"title",  "law",   "system",    "initial", "integrator",
                                                        "output", "sweep", "stability", "laws",    "body",
                                                        "pile",   "stack", "pair"};
constexpr std::array<std::string_view, 7> kLawKeys = {"reservoir", "direction", "reservoir_at", "stribeck",
                                                      "lugre",     "elastic",   "regularize"};

constexpr std::string_view kShapeExample = "a shape, as in { shape = \"ellipse\", semi_axes = [0.6, 0.3] }";

PlanarSet read_reservoir(const TomlTable& law) {
  const PlanarSet set = read_shape(law.table("reservoir", kShapeExample));
  return law.has("reservoir_at") ? set.scaled(1 / law.positive("reservoir_at")) : set;
}

PlanarSet read_direction(const TomlTable& law, const PlanarSet& reservoir) {
  if (law.has("direction") && !law.is_text("direction"))
    return read_direction_shape(law.table("direction", kShapeExample));
  constexpr std::array<std::string_view, 2> words = {"associated", "collinear"};
  if (law.has("direction") && law.choice("direction", words) == "collinear") return Disk(1);
  if (reservoir.is_convex()) return reservoir;
  const std::string remedy = reservoir.as<Wedge>() ? "give the same wedge as direction: its ellipse is meant"
                                                   : "give a convex direction set, or direction = \"collinear\"";
  law.fail(law.has("direction") ? "direction" : "reservoir",
           fmt::format("an associated law needs a convex reservoir, and this {} is not convex; {}", reservoir.name(),
                       remedy));
}

std::optional<Stribeck> read_stribeck(const TomlTable& law) {
  if (!law.has("stribeck")) return std::nullopt;
  const TomlTable table = law.table("stribeck");
  constexpr std::array<std::string_view, 2> keys = {"static", "velocity"};
  table.allow_only(keys);
  return Stribeck{table.positive("static"), table.positive("velocity")};
}

double not_negative(const TomlTable& table, std::string_view name) {
  const double value = table.number(name);
  if (value < 0) table.fail(name, fmt::format("found {}; expected a number that is not negative", value));
  return value;
}

LuGre read_lugre(const TomlTable& table) {
  constexpr std::array<std::string_view, 3> keys = {"sigma0", "sigma1", "sigma2"};
  table.allow_only(keys);
  const auto zero_or = [&](std::string_view name) { return table.has(name) ? not_negative(table, name) : 0.0; };
  return {table.positive("sigma0"), zero_or("sigma1"), zero_or("sigma2")};
}

void check_lugre(const TomlTable& table) { read_lugre(table); }

void check_elastic(const TomlTable& table) {
  constexpr std::array<std::string_view, 2> keys = {"stiffness", "angle"};
  table.allow_only(keys);
  table.positive_pair("stiffness");
  table.number_or("angle", 0);
}

Adhesion read_adhesion(const TomlTable& table) {
  const Vec2 stiffness = table.positive_pair("stiffness");
  return {stiffness.x(), stiffness.y(), radians(table.number_or("angle", 0))};
}

// Which keys of laws with drilling and rolling there are; refused where a system would not heed them.
std::vector<std::string> spinning_keys(const TomlTable& root, const TomlTable& law) {
  std::vector<std::string> found;
  for (const std::string_view name : kRollingKeys) {
    if (!law.has(name)) continue;
    if (root.has("system") && !is_spinning_body(root.table("system")) && !is_bodies_scenario(root.table("system")))
      law.fail(name, "only [system] kind = \"spinning-body\" and \"rigid-bodies\" have drilling and rolling friction");
    found.emplace_back(name);
  }
  return found;
}

template <std::size_t N>
std::size_t place_of(const std::array<std::string_view, N>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

RegularizedCoulomb read_regularize(const TomlTable& law) {
  const TomlTable t = law.table("regularize", "a table, as in { kind = \"quinn\", epsilon = 0.02 }");
  constexpr std::array<std::string_view, 3> keys = {"kind", "epsilon", "width"};
  t.allow_only(keys);
  const auto kind = static_cast<Regularization>(place_of(kRegularizationNames, t.choice("kind", kRegularizationNames)));
  const double epsilon = kind != Regularization::sign || t.has("epsilon") ? t.positive("epsilon") : 1;
  const auto width = t.has("width")
                         ? static_cast<RampWidth>(place_of(kRampWidthNames, t.choice("width", kRampWidthNames)))
                         : RampWidth::full;
  return {kind, epsilon, width};
}

namespace {

// The law's two sets and what stands beside them; `spinning`: its keys that are not planar.
LawScenario planar_law(const TomlTable& law, const std::string& title, std::vector<std::string> spinning) {
  const PlanarSet reservoir = read_reservoir(law);
  law.located("reservoir", [&] { require_moderate(reservoir, "reservoir"); });
  const PlanarSet direction = read_direction(law, reservoir);
  law.located("direction", [&] { require_moderate(direction, "direction set"); });
  LawScenario scenario{title, FrictionLaw(reservoir, direction, read_stribeck(law)), std::move(spinning), {}, {}};
  if (law.has("lugre")) scenario.lugre = read_lugre(law.table("lugre"));

  const auto set_aside = [&](std::string_view name, void (*check)(const TomlTable&)) {
    if (!law.has(name)) return;
    check(law.table(name));
    scenario.set_aside.emplace_back(name);
  };
  set_aside("lugre", check_lugre);
  set_aside("elastic", check_elastic);
  if (law.has("elastic")) scenario.law = scenario.law.with_elastic(read_adhesion(law.table("elastic")));
  if (law.has("regularize")) {
    scenario.regularize = read_regularize(law);
    scenario.set_aside.emplace_back("regularize");
  }
  return scenario;
}

}  // namespace

LawScenario read_law_scenario(const std::filesystem::path& path) {
  const TomlFile file(path);
  file.root().allow_only(kFileKeys);
  return read_law(file.root());
}

LawScenario read_law(const TomlTable& root) {
  const TomlTable law = root.table("law", "a table [law] with the reservoir");
  const std::vector<std::string> spinning = spinning_keys(root, law);
  if (spinning.empty())
    law.allow_only(kLawKeys);
  else
    read_rolling_law(law);  // checks all of its keys
  if (!law.has("reservoir") && root.has("system") && is_line_system(root.table("system")))
    law.fail("reservoir", "missing; this command is for planar laws, not for systems along one line: use slipset run");
  return planar_law(law, root.has("title") ? root.text("title") : std::filesystem::path(root.file()).stem().string(),
                    spinning);
}

LawScenario read_law_table(const TomlTable& law, const std::string& title) {
  law.allow_only(kLawKeys);
  return planar_law(law, title, {});
}

}  // namespace slipset
