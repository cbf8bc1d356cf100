#include "slipset/scenario/rolling_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/shapes.hpp"

namespace slipset {
namespace {

constexpr std::string_view kSlidingExample = "a shape, as in { shape = \"disk\", radius = 0.3 }";
constexpr std::string_view kRollingExample = "a number [m] or a shape, as in { shape = \"disk\", radius = 0.001 }";
constexpr std::string_view kPatchExample = "a table, as in { radius = 0.05, pressure = \"uniform\" }";

PlanarSet convex_shape(const TomlTable& law, std::string_view name, std::string_view example) {
  const PlanarSet set = read_shape(law.table(name, example));
  if (!set.is_convex())
    law.fail(name, fmt::format("this {} is not convex; laws with drilling or rolling need convex sets", set.name()));
  return set;
}

std::optional<PlanarSet> read_rolling(const TomlTable& law) {
  if (!law.has("rolling")) return std::nullopt;
  if (law.is_number("rolling")) return Disk(law.positive("rolling"));
  return convex_shape(law, "rolling", kRollingExample);
}

// Semi-axes and angle of a disk or an ellipse.
std::pair<Vec2, double> axes_of(const TomlTable& law, std::string_view name, const PlanarSet& set) {
  if (const auto* ellipse = set.as<Ellipse>()) return {ellipse->semi_axes(), ellipse->angle()};
  if (set.as<Disk>()) return {Vec2::Constant(set.radius(0)), 0};
  law.fail(name, fmt::format("coupling = \"ellipsoid\" needs a disk or an ellipse, and this is a {}", set.name()));
}

RollingLaw read_ellipsoid(const TomlTable& law, const std::optional<PlanarSet>& sliding,
                          const std::optional<PlanarSet>& rolling) {
  RollingLaw::EllipsoidAxes axes;
  if (sliding) std::tie(axes.sliding.emplace(), axes.sliding_angle) = axes_of(law, "reservoir", *sliding);
  if (law.has("drilling")) axes.drilling = law.positive("drilling");
  if (rolling) std::tie(axes.rolling.emplace(), axes.rolling_angle) = axes_of(law, "rolling", *rolling);
  return RollingLaw::ellipsoid(axes);
}

RollingLaw read_patch(const TomlTable& law, const std::optional<PlanarSet>& sliding,
                      const std::optional<PlanarSet>& rolling) {
  const TomlTable patch = law.table("patch", kPatchExample);
  if (law.has("drilling")) law.fail("drilling", "follows from the patch and cannot be combined with it; remove one");
  if (law.has("coupling")) law.fail("coupling", "the patch is the coupling and cannot be combined with it; remove one");
  if (!sliding || !sliding->as<Disk>())
    law.fail(sliding ? "reservoir" : "patch",
             "a patch needs a reservoir with the same friction in every direction, as in { shape = \"disk\", radius = "
             "0.3 }");
  const std::string name = patch.choice("pressure", kPatchPressureNames);
  const auto pressure = static_cast<PatchPressure>(
      std::find(kPatchPressureNames.begin(), kPatchPressureNames.end(), name) - kPatchPressureNames.begin());
  return RollingLaw::contensou(sliding->radius(0), patch.positive("radius"), pressure, rolling);
}

std::optional<Interval> read_drilling(const TomlTable& law) {
  if (!law.has("drilling")) return std::nullopt;
  if (law.is_number("drilling")) return Interval(law.positive("drilling"));
  const Vec2 both = law.positive_pair("drilling");
  return Interval(both.x(), both.y());
}

}  // namespace

std::span<const Key> rolling_law_keys() {
  static const std::vector<Key> keys = {
      {"reservoir", "", kOptional, "a convex shape: sliding friction; none without it"},
      {"drilling", "m", kOptional, "torque about the normal per unit normal force, a number or [backward, forward]"},
      {"rolling", "m", kOptional, "torque about the tangents per unit normal force, a number or a shape"},
      {"patch.radius", "m", kRequired, "of a circular patch that slides and drills, instead of drilling and coupling"},
      {"patch.pressure", "", "uniform", "uniform, hertz or ring; needs a disk as reservoir"},
      {"coupling", "", "product", "product (independent parts) or ellipsoid"},
      {"direction", "", "associated", "such laws are always associated"}};
  return keys;
}

bool has_rolling_keys(const TomlTable& law) {
  return std::any_of(kRollingKeys.begin(), kRollingKeys.end(), [&](std::string_view name) { return law.has(name); });
}

RollingLaw read_rolling_law(const TomlTable& table) {
  constexpr std::array<std::string_view, 2> couplings = {"product", "ellipsoid"};
  const std::vector<std::string_view> own = names_in(rolling_law_keys());
  for (const std::string_view name : names_in(law_keys()))
    if (table.has(name) && std::find(own.begin(), own.end(), name) == own.end())
      table.fail(name, "not supported with drilling or rolling; remove one");
  const TomlTable law = table.described_by(rolling_law_keys());
  if (law.has("direction") && !(law.is_text("direction") && law.text("direction") == "associated"))
    law.fail("direction",
             "laws with drilling or rolling are associated, D is the reservoir itself; remove the direction set, or "
             "drilling and rolling");
  std::optional<PlanarSet> sliding;
  if (law.has("reservoir")) sliding = convex_shape(law, "reservoir", kSlidingExample);
  const std::optional<PlanarSet> rolling = read_rolling(law);
  return law.located("", [&] {
    if (law.has("patch")) return read_patch(law, sliding, rolling);
    if (law.choice("coupling", couplings) == "ellipsoid") return read_ellipsoid(law, sliding, rolling);
    return RollingLaw::product(sliding, read_drilling(law), rolling);
  });
}

}  // namespace slipset
