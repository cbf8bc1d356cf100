#include "slipset/scenario/bodies_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "slipset/bodies/piles.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/scenario/law_scenario.hpp"
#include "slipset/scenario/spinning_body_scenario.hpp"

namespace slipset {
namespace {

constexpr std::string_view kKind = "rigid-bodies";
constexpr std::size_t kMostBodies = 1000000;
// Lengths, speeds and masses outside these are mistakes, and squares of them leave the range of numbers.
constexpr double kSmall = 1e-9, kLarge = 1e9;
constexpr double kLargestTorque = 100;  // per unit normal force, over the largest body

double moderate(const TomlTable& t, std::string_view name) {
  const double value = t.positive(name);
  if (value < kSmall || value > kLarge)
    t.fail(name, fmt::format("{:g} is out of range; expected {:g} to {:g}", value, kSmall, kLarge));
  return value;
}

Vec3 triple(const TomlTable& t, std::string_view name) {
  const std::vector<double> values = t.list(name);
  if (values.size() != 3) t.fail(name, fmt::format("found {} numbers; expected three", values.size()));
  for (const double value : values)
    if (std::abs(value) > kLarge)
      t.fail(name, fmt::format("{:g} is out of range; expected {:g} at most", value, kLarge));
  return {values[0], values[1], values[2]};
}
Vec3 triple_or(const TomlTable& t, std::string_view name, const Vec3& otherwise) {
  return t.has(name) ? triple(t, name) : otherwise;
}
Vec3 unit_triple(const TomlTable& t, std::string_view name) {
  const Vec3 v = triple(t, name);
  if (!(v.norm() > 1e-100)) t.fail(name, "found a direction of length zero");
  return v.normalized();
}

class Reader {
 public:
  explicit Reader(const TomlTable& root) : root_(root) {}

  BodiesScenario read() {
    constexpr std::array<std::string_view, 10> keys = {"title", "law",   "laws", "system",     "body",
                                                       "pile",  "stack", "pair", "integrator", "output"};
    root_.allow_only(keys);
    scenario_.title = root_.has("title") ? root_.text("title") : std::filesystem::path(root_.file()).stem().string();
    read_laws();
    read_system();
    for (const char* name : {"body", "pile", "stack"})
      if (root_.has(name))
        for (const TomlTable& t : root_.tables(name)) {
          if (name[0] == 'b')
            t.located("", [&] { read_body(t); });
          else if (name[0] == 'p')
            t.located("", [&] { read_pile(t); });
          else
            t.located("", [&] { read_stack(t); });
        }
    if (scenario_.world.free_bodies() == 0)
      root_.fail("no body that is free to move; give a [[body]], a [[pile]] or a [[stack]]");
    check_rolling();
    read_pairs();
    read_rest();
    require_apart();
    return std::move(scenario_);
  }

 private:
  void add_law(const TomlTable& t, const std::string& name) {
    if (has_rolling_keys(t)) {
      rolling_.emplace_back(t, read_rolling_law(t));
      laws_[name] = scenario_.world.add_law(rolling_.back().second);
      return;
    }
    const LawScenario law = read_law_table(t, name);
    for (const std::string& table : law.set_aside)
      t.fail(table, "rigid bodies have rigid contacts and the set-valued law; take this out");
    laws_[name] = scenario_.world.add_law(law.law);
  }

  // Torques far beyond the bodies leave nothing of their sliding in double precision.
  void check_rolling() const {
    if (rolling_.empty()) return;
    double largest_body = 0;
    for (const RigidBody& body : scenario_.world.bodies)
      if (!body.prescribed) largest_body = std::max(largest_body, body.shape.reach());
    for (const auto& [t, law] : rolling_) {
      const Eigen::Index torques = law.size() - law.drilling_place();
      if (torques == 0) continue;
      const double largest = law.coordinates().bottomRows(torques).cwiseAbs().maxCoeff();
      if (largest > kLargestTorque * largest_body)
        t.fail(
            fmt::format("a torque of {:.3g} m per unit normal force is out of range for bodies of {:.3g} m; expected "
                        "{:g} times as much at most",
                        largest, largest_body, kLargestTorque));
    }
  }

  void read_laws() {
    if (root_.has("law")) add_law(root_.table("law"), "law");
    if (!root_.has("laws")) return;
    const TomlTable laws = root_.table("laws", "tables [laws.NAME]");
    for (const std::string& name : laws.names()) {
      if (name == "law" || name == "none")
        laws.fail(name, "the names law (that of [law]) and none (no friction) are taken; choose another");
      add_law(laws.table(name, "a law, as in [laws.NAME] reservoir = { ... }"), name);
    }
  }

  // The law that a key names; left out: [law], if there is one.
  int law_of(const TomlTable& t, std::string_view key) const {
    if (!t.has(key)) return laws_.contains("law") ? laws_.at("law") : -1;
    std::vector<std::string_view> names = {"none"};
    for (const auto& [name, index] : laws_) names.push_back(name);
    const std::string name = t.choice(key, names);
    return name == "none" ? -1 : laws_.at(name);
  }

  void read_system() {
    const TomlTable t = root_.table("system");
    constexpr std::array<std::string_view, 4> keys = {"kind", "gravity", "tolerance", "margin"};
    t.allow_only(keys);
    if (t.has("gravity"))
      scenario_.world.gravity = t.is_number("gravity") ? Vec3(0, 0, -t.number("gravity")) : triple(t, "gravity");
    BodyStepOptions& with = scenario_.options.with;
    if (t.has("tolerance")) with.contact.tolerance = t.positive("tolerance");
    if (t.has("margin")) with.margin = t.positive("margin");
  }

  static Vec3 sides(const TomlTable& t) {
    const Vec3 size = triple(t, "size");
    if (size.minCoeff() > 0 && size.minCoeff() < kSmall)
      t.fail("size", fmt::format("{:g} is out of range; expected {:g} at least", size.minCoeff(), kSmall));
    return size;
  }

  void name_body(const TomlTable& t, RigidBody& body) {
    if (body.name.empty()) t.fail("name", "is empty; leave it out or give one");
    if (body.name.find_first_of(",\"\n") != std::string::npos)
      t.fail("name", "commas, quotes and line ends would break the table of the run; choose another name");
    if (!names_.insert(body.name).second)
      t.fail("name", fmt::format("another body is \"{}\", too; give each its own name", body.name));
  }

  void read_body(const TomlTable& t) {
    constexpr std::array<std::string_view, 18> keys = {
        "name",   "shape",    "radius", "size",   "mass", "density", "fixed",    "position", "orientation",
        "normal", "velocity", "spin",   "motion", "law",  "axis",    "priority", "count",    "spacing"};
    constexpr std::array<std::string_view, 3> shapes = {"sphere", "box", "plane"};
    t.allow_only(keys);
    const std::string kind = t.choice("shape", shapes);
    const auto only_for = [&](std::string_view key, bool allowed, std::string_view who) {
      if (t.has(key) && !allowed) t.fail(key, fmt::format("is for {}; leave it out", who));
    };
    only_for("radius", kind == "sphere", "a sphere");
    only_for("size", kind == "box", "a box");
    only_for("normal", kind == "plane", "a plane");
    const SolidShape shape = kind == "sphere" ? sphere_shape(moderate(t, "radius"))
                             : kind == "box"  ? t.located("size", [&] { return box_shape(sides(t)); })
                                              : plane_shape();
    const bool fixed = kind == "plane" || t.has("motion") || flag(t, "fixed");
    if (t.has("fixed") && !flag(t, "fixed") && fixed) t.fail("fixed", "a plane, or a body with a motion, is not free");
    only_for("mass", !fixed, "bodies that are free");
    only_for("density", !fixed, "bodies that are free");
    only_for("velocity", !fixed, "bodies that are free; give motion = { velocity = [...] }");
    only_for("spin", !fixed, "bodies that are free; give motion = { spin = [...] }");
    if (t.has("mass") && t.has("density")) t.fail("density", "give the mass or the density, not both");
    const std::string name =
        t.has("name") ? t.text("name") : fmt::format("{}{}", kind, scenario_.world.bodies.size() + 1);
    const double mass = fixed           ? 0
                        : t.has("mass") ? moderate(t, "mass")
                                        : shape.volume() * (t.has("density") ? moderate(t, "density") : 1000);
    RigidBody body = fixed ? fixed_body(name, shape) : free_body(name, shape, mass);
    if (t.has("motion")) read_motion(t.table("motion"), body.motion);
    read_surface(t, body.surface);
    BodyState state;
    state.position = triple_or(t, "position", Vec3::Zero());
    if (t.has("normal")) {
      if (t.has("orientation")) t.fail("normal", "give the normal or the orientation, not both");
      state.orientation = rotation_between(Vec3::UnitZ(), unit_triple(t, "normal"));
    }
    if (t.has("orientation")) state.orientation = read_orientation(t.table("orientation"));
    state.velocity = triple_or(t, "velocity", Vec3::Zero());
    state.spin = state.orientation.conjugate() * triple_or(t, "spin", Vec3::Zero());
    // A row of the same body: `count`, `spacing` apart.
    const int count = t.has("count") ? t.whole("count", 1, 100000) : 1;
    const Vec3 spacing = count > 1 ? triple(t, "spacing") : Vec3(Vec3::Zero());
    for (int k = 0; k < count; ++k) {
      RigidBody one = body;
      if (count > 1) one.name = fmt::format("{}{}{}", name, t.has("name") ? "" : ".", k + 1);
      name_body(t, one);
      BodyState place = state;
      place.position += k * spacing;
      scenario_.world.add(std::move(one), place);
    }
    require_moderate_number(t);
  }

  // Small overlap is taken out in the first step; what is deeper than half of the smallest body is a mistake.
  void require_apart() const {
    const BodyWorld& world = scenario_.world;
    std::vector<BodyContact> contacts;
    ContactFinder().find(world, scenario_.options.step, margin_of(world, scenario_.options.with.margin), contacts);
    for (const BodyContact& c : contacts)
      if (-c.gap > smallest_size(world))
        root_.fail(
            fmt::format("\"{}\" and \"{}\" overlap by {:.3g} m at the start; place them apart (a plane, also each "
                        "wall of a pile, has no end: nothing may be behind it)",
                        world.bodies[c.surface].name, world.bodies[c.other].name, -c.gap));
  }

  void require_moderate_number(const TomlTable& t) const {
    if (scenario_.world.bodies.size() > kMostBodies) t.fail(fmt::format("more than {} bodies", kMostBodies));
  }

  static bool flag(const TomlTable& t, std::string_view name) { return t.has(name) && t.truth(name); }

  static Quaternion read_orientation(const TomlTable& t) {
    constexpr std::array<std::string_view, 2> keys = {"axis", "angle"};
    t.allow_only(keys);
    return Quaternion(Eigen::AngleAxisd(radians(t.number("angle")), unit_triple(t, "axis")));
  }

  static void read_motion(const TomlTable& t, PrescribedMotion& motion) {
    constexpr std::array<std::string_view, 5> keys = {"amplitude", "frequency", "phase", "velocity", "spin"};
    t.allow_only(keys);
    motion.amplitude = triple_or(t, "amplitude", Vec3::Zero());
    if (t.has("amplitude") || t.has("frequency")) motion.frequency = t.positive("frequency");
    motion.phase = radians(t.number_or("phase", 0));
    motion.velocity = triple_or(t, "velocity", Vec3::Zero());
    motion.spin = triple_or(t, "spin", Vec3::Zero());
  }

  void read_surface(const TomlTable& t, BodySurface& surface) const {
    surface.law = law_of(t, "law");
    surface.priority = t.number_or("priority", 0);
    if (!t.has("axis")) return;
    surface.axis = unit_triple(t, "axis");
    // At a right angle to it, next to y, or to x where the axis is y.
    const Vec3 next = std::abs(surface.axis.y()) < 0.9 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX());
    surface.second_axis = (next - next.dot(surface.axis) * surface.axis).normalized();
  }

  // Bodies that a generator adds, named "PREFIX..." from the table's `name`.
  void rename_from(const TomlTable& t, std::size_t first) {
    const std::string prefix = t.has("name") ? t.text("name") + "." : "";
    for (std::size_t b = first; b < scenario_.world.bodies.size(); ++b) {
      scenario_.world.bodies[b].name = prefix + scenario_.world.bodies[b].name;
      if (prefix.empty() && names_.contains(scenario_.world.bodies[b].name))
        t.fail(
            fmt::format("brings a body \"{}\", and there is one of that name; give this table a name, as in name = "
                        "\"p\"",
                        scenario_.world.bodies[b].name));
      name_body(t, scenario_.world.bodies[b]);
    }
    require_moderate_number(t);
  }

  void read_pile(const TomlTable& t) {
    constexpr std::array<std::string_view, 10> keys = {"name",  "spheres", "radius", "spread", "density",
                                                       "width", "centre",  "seed",   "law",    "wall_law"};
    t.allow_only(keys);
    SpherePileOptions options;
    const int spheres = t.whole("spheres", 1, 1000000);
    if (t.has("radius")) options.radius = moderate(t, "radius");
    options.spread = t.number_or("spread", options.spread);
    if (t.has("density")) options.density = moderate(t, "density");
    if (t.has("width")) options.width = moderate(t, "width");
    options.centre = triple_or(t, "centre", Vec3::Zero());
    options.law = law_of(t, "law");
    options.wall_law = t.has("wall_law") ? law_of(t, "wall_law") : options.law;
    const std::size_t first = scenario_.world.bodies.size();
    add_sphere_pile(scenario_.world, static_cast<std::size_t>(spheres),
                    static_cast<std::uint64_t>(t.has("seed") ? t.whole("seed", 0, 2000000000) : 1), options);
    rename_from(t, first);
  }

  void read_stack(const TomlTable& t) {
    constexpr std::array<std::string_view, 6> keys = {"name", "boxes", "size", "density", "base", "law"};
    t.allow_only(keys);
    const std::size_t first = scenario_.world.bodies.size();
    add_stack(scenario_.world, static_cast<std::size_t>(t.whole("boxes", 1, 10000)), sides(t),
              t.has("density") ? moderate(t, "density") : 1000, law_of(t, "law"), triple_or(t, "base", Vec3::Zero()));
    rename_from(t, first);
  }

  void read_pairs() {
    if (!root_.has("pair")) return;
    for (const TomlTable& t : root_.tables("pair")) {
      constexpr std::array<std::string_view, 3> keys = {"first", "second", "law"};
      t.allow_only(keys);
      for (const std::string_view key : keys)
        if (!t.has(key)) t.fail(key, "missing; a pair has first and second, the laws of two surfaces, and law");
      scenario_.world.pairs.push_back({law_of(t, "first"), law_of(t, "second"), law_of(t, "law")});
    }
  }

  void read_rest() {
    const TomlTable t = root_.table("integrator", "a table [integrator] with step and duration");
    constexpr std::array<std::string_view, 3> keys = {"kind", "step", "duration"};
    constexpr std::array<std::string_view, 1> kinds = {"moreau"};
    t.allow_only(keys);
    if (t.has("kind")) t.choice("kind", kinds);
    BodyRunOptions& options = scenario_.options;
    options.step = t.positive("step");
    options.duration = t.positive("duration");
    if (options.duration / options.step > 1e9)
      t.fail("duration", "more than 1e9 steps; choose a longer step or a shorter duration");
    scenario_.figures = {"path", "snapshots", "time"};
    if (!root_.has("output")) return;
    const TomlTable output = root_.table("output");
    constexpr std::array<std::string_view, 2> output_keys = {"every", "figures"};
    constexpr std::array<std::string_view, 3> figures = {"path", "snapshots", "time"};
    output.allow_only(output_keys);
    if (output.has("every")) options.every = output.whole("every", 1, 1000000000);
    if (output.has("figures")) scenario_.figures = output.choices("figures", figures);
  }

  const TomlTable& root_;
  BodiesScenario scenario_;
  std::map<std::string, int> laws_;
  std::vector<std::pair<TomlTable, RollingLaw>> rolling_;
  std::set<std::string> names_;
};

}  // namespace

bool is_bodies_scenario(const std::filesystem::path& path) {
  const TomlFile file(path);
  return file.root().has("system") && is_bodies_scenario(file.root().table("system"));
}

bool is_bodies_scenario(const TomlTable& system) {
  return system.has("kind") && system.is_text("kind") && system.text("kind") == kKind;
}

BodiesScenario read_bodies_scenario(const std::filesystem::path& path) {
  const TomlFile file(path);
  const TomlTable root = file.root();
  return Reader(root).read();
}

}  // namespace slipset
