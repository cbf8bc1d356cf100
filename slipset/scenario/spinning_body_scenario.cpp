#include "slipset/scenario/spinning_body_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/scenario/shapes.hpp"
#include "slipset/scenario/systems.hpp"

namespace slipset {
namespace {

constexpr std::string_view kKind = "spinning-body";
constexpr double kLargest = 100;  // of patches and torques per unit force, in radii of the body
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
  constexpr std::array<std::string_view, 2> keys = {"radius", "pressure"};
  patch.allow_only(keys);
  if (law.has("drilling")) law.fail("drilling", "follows from the patch; take one of them");
  if (law.has("coupling")) law.fail("coupling", "the patch is the coupling; take one of them");
  if (!sliding || !sliding->as<Disk>())
    law.fail(sliding ? "reservoir" : "patch",
             "a patch needs a reservoir with the same friction in every direction, as in { shape = \"disk\", radius = "
             "0.3 }");
  const std::string name = patch.has("pressure") ? patch.choice("pressure", kPatchPressureNames) : "uniform";
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

SpinningBody read_body(const TomlTable& t, const RollingLaw& law) {
  constexpr std::array<std::string_view, 7> keys = {"kind",    "shape", "mass",        "radius",
                                                    "gravity", "slope", "normal_force"};
  constexpr std::array<std::string_view, 2> shapes = {"disk", "sphere"};
  t.allow_only(keys);
  SpinningBodyParameters p;
  p.shape = t.choice("shape", shapes) == "disk" ? BodyShape::disk : BodyShape::sphere;
  p.mass = t.positive("mass");
  p.radius = t.positive("radius");
  if (t.has("gravity")) p.gravity = t.positive("gravity");
  p.slope = radians(t.number_or("slope", 0));
  if (t.has("normal_force")) p.normal_force = t.positive("normal_force");
  // Patches and torques far beyond the body leave nothing of its sliding in double precision.
  const Eigen::Index torques = law.size() - law.drilling_place();
  if (torques > 0)
    if (const double largest = law.coordinates().bottomRows(torques).cwiseAbs().maxCoeff();
        largest > kLargest * p.radius)
      t.fail("radius", fmt::format("a torque of {:.3g} m per unit normal force, from the law's patch, drilling or "
                                   "rolling, is out of range for it; expected {:g} radii at most",
                                   largest, kLargest));
  return t.located("", [&] { return SpinningBody(law, p); });
}

SimulationOptions read_steps(const TomlTable& root) {
  const TomlTable t = root.table("integrator", "a table [integrator] with step and duration");
  constexpr std::array<std::string_view, 4> keys = {"kind", "step", "duration", "until"};
  constexpr std::array<std::string_view, 1> kinds = {"moreau"}, ends = {"stick"};
  t.allow_only(keys);
  if (t.has("kind")) t.choice("kind", kinds);
  SimulationOptions options;
  options.step = t.positive("step");
  options.until_stick = t.has("until") && t.choice("until", ends) == "stick";
  options.duration = options.until_stick && !t.has("duration") ? 1e8 * options.step : t.positive("duration");
  if (options.duration / options.step > 1e9)
    t.fail("duration", "more than 1e9 steps; choose a longer step or a shorter duration");
  return options;
}

}  // namespace

bool has_rolling_keys(const TomlTable& law) {
  return std::any_of(kRollingKeys.begin(), kRollingKeys.end(), [&](std::string_view name) { return law.has(name); });
}

RollingLaw read_rolling_law(const TomlTable& law) {
  constexpr std::array<std::string_view, 6> keys = {"reservoir", "drilling", "rolling",
                                                    "patch",     "coupling", "direction"};
  constexpr std::array<std::string_view, 5> planar = {"reservoir_at", "stribeck", "lugre", "elastic", "regularize"};
  constexpr std::array<std::string_view, 2> couplings = {"product", "ellipsoid"};
  for (const std::string_view name : planar)
    if (law.has(name)) law.fail(name, "laws with drilling or rolling have none; take it out, or those");
  law.allow_only(keys);
  if (law.has("direction") && !(law.is_text("direction") && law.text("direction") == "associated"))
    law.fail("direction",
             "laws with drilling or rolling are associated, D is the reservoir itself; leave the direction set out, or "
             "take drilling and rolling out");
  std::optional<PlanarSet> sliding;
  if (law.has("reservoir")) sliding = convex_shape(law, "reservoir", kSlidingExample);
  const std::optional<PlanarSet> rolling = read_rolling(law);
  return law.located("", [&] {
    if (law.has("patch")) return read_patch(law, sliding, rolling);
    if (law.has("coupling") && law.choice("coupling", couplings) == "ellipsoid")
      return read_ellipsoid(law, sliding, rolling);
    return RollingLaw::product(sliding, read_drilling(law), rolling);
  });
}

bool is_spinning_body(const TomlTable& system) {
  return system.has("kind") && system.is_text("kind") && system.text("kind") == kKind;
}

bool is_spinning_body(const std::filesystem::path& path) {
  const TomlFile file(path);
  return file.root().has("system") && is_spinning_body(file.root().table("system"));
}

SpinningBodyScenario read_spinning_body(const std::filesystem::path& path) {
  const TomlFile file(path);
  const TomlTable root = file.root();
  constexpr std::array<std::string_view, 6> tables = {"title", "law", "system", "initial", "integrator", "output"};
  root.allow_only(tables);
  const RollingLaw law = read_rolling_law(root.table("law", "a table [law] with reservoir, drilling or rolling"));
  SpinningBodyScenario scenario{root.has("title") ? root.text("title") : path.stem().string(),
                                read_body(root.table("system"), law),
                                {},
                                read_steps(root),
                                {}};
  scenario.start = scenario.body.start();
  if (root.has("initial")) {
    const TomlTable t = root.table("initial");
    constexpr std::array<std::string_view, 2> keys = {"position", "velocity"};
    t.allow_only(keys);
    if (t.has("position")) scenario.start.q = read_vector(t, "position", scenario.body.dofs());
    if (t.has("velocity")) scenario.start.u = read_vector(t, "velocity", scenario.body.dofs());
  }
  const bool drills = law.has_sliding() && law.has_drilling();
  scenario.figures =
      drills ? std::vector<std::string>{"path", "force", "time"} : std::vector<std::string>{"path", "time"};
  if (root.has("output")) {
    const TomlTable t = root.table("output");
    constexpr std::array<std::string_view, 3> keys = {"every", "formats", "figures"},
                                              figures = {"path", "force", "time"};
    constexpr std::array<std::string_view, 1> formats = {"csv"};
    t.allow_only(keys);
    if (t.has("every")) scenario.options.every = t.whole("every", 1, 1000000000);
    if (t.has("formats")) t.choices("formats", formats);
    if (t.has("figures")) scenario.figures = t.choices("figures", figures);
    if (!drills && std::count(scenario.figures.begin(), scenario.figures.end(), "force"))
      t.fail("figures", "\"force\" shows the drilling torque over the friction force; this law has not both");
  }
  return scenario;
}

}  // namespace slipset
