#include "slipset/scenario/bodies_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/integrator.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/rolling_law.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/systems/bodies/body_problem.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset {
namespace {

constexpr std::size_t kMostBodies = 1000000;
// Lengths, speeds and masses outside these are mistakes, and squares of them leave the range of numbers.
constexpr double kSmall = 1e-9, kLarge = 1e9;

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

  RunSetup read() {
    read_laws();
    read_system();
    for_each("body", &Reader::read_body);
    for_each("pile", &Reader::read_pile);
    for_each("stack", &Reader::read_stack);
    if (world_.free_bodies() == 0)
      root_.fail("no body that is free to move; give a [[body]], a [[pile]] or a [[stack]]");
    check_rolling();
    for_each("pair", &Reader::read_pair);
    for_each("joint", &Reader::read_joint);
    read_steps();
    require_apart();
    RunSetup scenario;
    scenario.title = title_of(root_);
    scenario.start = world_.start();
    scenario.system = std::make_unique<BodyWorld>(std::move(world_));
    scenario.integrator = integrator_;
    scenario.options = options_;
    scenario.settings = settings_;
    scenario.formats = std::move(output_.formats);
    scenario.figures = std::move(output_.figures);
    return scenario;
  }

 private:
  // Every [[name]], with its keys described.
  void for_each(std::string_view name, void (Reader::*read_one)(const TomlTable&)) {
    if (!root_.has(name)) return;
    for (const TomlTable& table : root_.tables(name)) {
      const TomlTable t = table.described_by(find_entry(body_tables(), name)->keys);
      const std::size_t first = world_.bodies.size();
      t.located("", [&] { (this->*read_one)(t); });
      if (world_.bodies.size() > first) places_.emplace_back(world_.bodies.size(), t);
    }
  }

  void add_law(const TomlTable& t, const std::string& name) {
    if (has_rolling_keys(t)) {
      rolling_.emplace_back(t, read_rolling_law(t));
      laws_[name] = world_.add_law(rolling_.back().second);
      return;
    }
    const LawSetup law = read_law_table(t, name);
    for (const std::string& table : law.set_aside)
      t.fail(table, "rigid bodies have rigid contacts and the set-valued law; remove this");
    laws_[name] = world_.add_law(law.law);
  }

  void check_rolling() const {
    const double most = largest_torque(world_);
    for (const auto& [t, law] : rolling_)
      if (law.largest_torque() > most)
        t.fail(
            fmt::format("a torque of {:.3g} m per unit normal force is out of range for these bodies; expected at most "
                        "{:.3g} m, 100 "
                        "times the largest",
                        law.largest_torque(), most));
  }

  void read_laws() {
    for (const auto& [name, table] : law_tables_by_name(root_)) add_law(table, name);
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
    const TomlTable t = root_.table("system").described_by(system_kind_of(root_).keys, "kind");
    world_.gravity =
        !t.has("gravity") || t.is_number("gravity") ? Vec3(0, 0, -t.number("gravity")) : triple(t, "gravity");
    integrator_.contact.tolerance = t.positive("tolerance");
    if (t.has("margin")) world_.margin = t.positive("margin");
  }

  static Vec3 sides(const TomlTable& t) {
    const Vec3 size = triple(t, "size");
    if (size.minCoeff() > 0 && size.minCoeff() < kSmall)
      t.fail("size", fmt::format("{:g} is out of range; expected {:g} at least", size.minCoeff(), kSmall));
    return size;
  }

  void name_body(const TomlTable& t, RigidBody& body) {
    if (body.name.empty()) t.fail("name", "is empty; give one, or remove it");
    if (body.name.find_first_of(",\"\n") != std::string::npos)
      t.fail("name", "commas, quotes and line ends would break the table of the run; choose another name");
    if (!names_.insert(body.name).second)
      t.fail("name", fmt::format("another body has the name \"{}\"; give each its own name", body.name));
  }

  void read_body(const TomlTable& t) {
    const std::string kind = t.choice("shape", kBodyKindNames);
    const auto only_for = [&](std::string_view key, bool allowed, std::string_view who) {
      if (t.has(key) && !allowed) t.fail(key, fmt::format("is for {}; remove it", who));
    };
    only_for("radius", kind == "sphere", "a sphere");
    only_for("size", kind == "box", "a box");
    only_for("normal", kind == "plane", "a plane");
    const SolidShape shape = kind == "sphere" ? sphere_shape(moderate(t, "radius"))
                             : kind == "box"  ? t.located("size", [&] { return box_shape(sides(t)); })
                                              : plane_shape();
    const bool fixed = kind == "plane" || t.has("motion") || t.truth("fixed");
    if (t.has("motion") && t.truth("fixed"))
      t.fail("fixed", "a body with a motion is not fixed; remove fixed, or the motion");
    if (t.has("fixed") && !t.truth("fixed") && fixed) t.fail("fixed", "a plane, or a body with a motion, is not free");
    only_for("mass", !fixed, "bodies that are free");
    only_for("density", !fixed, "bodies that are free");
    only_for("velocity", !fixed, "bodies that are free; give motion = { velocity = [...] }");
    only_for("spin", !fixed, "bodies that are free; give motion = { spin = [...] }");
    only_for("force", !fixed, "bodies that are free");
    only_for("torque", !fixed, "bodies that are free");
    if (t.has("mass") && t.has("density")) t.fail("density", "give the mass or the density, not both");
    const std::string name = t.has("name") ? t.text("name") : fmt::format("{}{}", kind, world_.bodies.size() + 1);
    const double mass = fixed ? 0 : t.has("mass") ? moderate(t, "mass") : shape.volume() * moderate(t, "density");
    RigidBody body = fixed ? fixed_body(name, shape) : free_body(name, shape, mass);
    if (t.has("motion")) read_motion(t.table("motion"), body.motion);
    body.force = triple_or(t, "force", Vec3::Zero());
    body.torque = triple_or(t, "torque", Vec3::Zero());
    read_surface(t, body.surface);
    BodyState state;
    state.position = triple_or(t, "position", Vec3::Zero());
    if (t.has("normal")) {
      if (t.has("orientation")) t.fail("normal", "give the normal or the orientation, not both");
      state.orientation = Quaternion::FromTwoVectors(Vec3::UnitZ(), unit_triple(t, "normal"));
    }
    if (t.has("orientation")) state.orientation = read_orientation(t.table("orientation"));
    state.velocity = triple_or(t, "velocity", Vec3::Zero());
    state.spin = state.orientation.conjugate() * triple_or(t, "spin", Vec3::Zero());
    // A row of the same body: `count`, `spacing` apart.
    const int count = t.whole("count", 1, 100000);
    only_for("spacing", count > 1, "a row of bodies, count = 2 or more");
    const Vec3 spacing = count > 1 ? triple(t, "spacing") : Vec3(Vec3::Zero());
    for (int k = 0; k < count; ++k) {
      RigidBody one = body;
      if (count > 1) one.name = fmt::format("{}{}{}", name, t.has("name") ? "" : ".", k + 1);
      name_body(t, one);
      BodyState place = state;
      place.position += k * spacing;
      world_.add(std::move(one), place);
    }
    require_moderate_number(t);
  }

  void require_apart() const {
    if (const std::optional<Overlap> overlap = overlap_of(world_))
      table_of(std::max(overlap->first, overlap->second))
          .fail(fmt::format(
              "\"{}\" and \"{}\" overlap by {:.3g} m at the start; place them apart (planes, also the walls "
              "of a pile, are infinite: nothing may be behind them)",
              world_.bodies[overlap->first].name, world_.bodies[overlap->second].name, overlap->depth));
  }

  // That a body came from.
  const TomlTable& table_of(std::size_t body) const {
    const auto place = std::upper_bound(places_.begin(), places_.end(), body,
                                        [](std::size_t b, const auto& entry) { return b < entry.first; });
    return place == places_.end() ? root_ : place->second;
  }

  void require_moderate_number(const TomlTable& t) const {
    if (world_.bodies.size() > kMostBodies) t.fail(fmt::format("more than {} bodies", kMostBodies));
  }

  static Quaternion read_orientation(const TomlTable& t) {
    return Quaternion(Eigen::AngleAxisd(radians(t.number("angle")), unit_triple(t, "axis")));
  }

  static void read_motion(const TomlTable& t, PrescribedMotion& motion) {
    for (const std::string_view key : {"frequency", "phase"})
      if (t.has(key) && !t.has("amplitude")) t.fail(key, "is for a vibration; give its amplitude, or remove it");
    motion.amplitude = triple_or(t, "amplitude", Vec3::Zero());
    if (t.has("amplitude")) motion.frequency = t.positive("frequency");
    motion.phase = radians(t.number("phase"));
    motion.velocity = triple_or(t, "velocity", Vec3::Zero());
    motion.spin = triple_or(t, "spin", Vec3::Zero());
  }

  void read_surface(const TomlTable& t, BodySurface& surface) const {
    surface.law = law_of(t, "law");
    surface.priority = t.number("priority");
    surface.restitution = t.number("restitution");
    if (surface.restitution < 0 || surface.restitution > 1)
      t.fail("restitution", fmt::format("found {}; expected 0 (no bounce) to 1 (no loss)", surface.restitution));
    if (!t.has("axis")) return;
    surface.set_axis(unit_triple(t, "axis"));
  }

  // Bodies that a generator adds, named "PREFIX..." from the table's `name`.
  void rename_from(const TomlTable& t, std::size_t first) {
    const std::string prefix = t.has("name") ? t.text("name") + "." : "";
    for (std::size_t b = first; b < world_.bodies.size(); ++b) {
      world_.bodies[b].name = prefix + world_.bodies[b].name;
      if (prefix.empty() && names_.contains(world_.bodies[b].name))
        t.fail(fmt::format(
            "adds a body \"{}\", but another body has this name; give this table a name, as in name = \"p\"",
            world_.bodies[b].name));
      name_body(t, world_.bodies[b]);
    }
    require_moderate_number(t);
  }

  void read_pile(const TomlTable& t) {
    SpherePileOptions options;
    const int spheres = t.whole("spheres", 1, 1000000);
    options.radius = moderate(t, "radius");
    options.spread = t.number("spread");
    options.density = moderate(t, "density");
    if (t.has("width")) options.width = moderate(t, "width");
    options.centre = triple_or(t, "centre", Vec3::Zero());
    options.law = law_of(t, "law");
    options.wall_law = t.has("wall_law") ? law_of(t, "wall_law") : options.law;
    const std::size_t first = world_.bodies.size();
    add_sphere_pile(world_, static_cast<std::size_t>(spheres),
                    static_cast<std::uint64_t>(t.whole("seed", 0, 2000000000)), options);
    rename_from(t, first);
  }

  void read_stack(const TomlTable& t) {
    const std::size_t first = world_.bodies.size();
    add_stack(world_, static_cast<std::size_t>(t.whole("boxes", 1, 10000)), sides(t), moderate(t, "density"),
              law_of(t, "law"), triple_or(t, "base", Vec3::Zero()));
    rename_from(t, first);
  }

  void read_pair(const TomlTable& t) {
    for (const std::string_view key : {"first", "second", "law"})
      if (!t.has(key)) t.fail(key, "missing; a pair has first and second, the laws of two surfaces, and law");
    const LawPair pair{law_of(t, "first"), law_of(t, "second"), law_of(t, "law")};
    for (const LawPair& other : world_.pairs)
      if (std::minmax(pair.first, pair.second) == std::minmax(other.first, other.second))
        t.fail("second", "another [[pair]] is for the same two surfaces, in this order or the other; remove one");
    world_.pairs.push_back(pair);
  }

  void read_joint(const TomlTable& t) {
    const std::string kind = t.choice("kind", kJointKindNames);
    Joint joint;
    joint.kind = static_cast<JointKind>(place_of(kind, kJointKindNames));
    joint.name = t.has("name") ? t.text("name") : fmt::format("{}{}", kind, world_.joints.size() + 1);
    if (!joint_names_.insert(joint.name).second)
      t.fail("name", fmt::format("another joint is \"{}\", too; give each its own name", joint.name));
    if (body_names_.empty())
      for (const RigidBody& body : world_.bodies) body_names_.push_back(body.name);
    const std::vector<std::string> bodies = t.choices("bodies", body_names_);
    if (bodies.size() != 2)
      t.fail("bodies", fmt::format("found {} names; expected two, as in [\"a\", \"b\"]", bodies.size()));
    if (bodies[0] == bodies[1]) t.fail("bodies", "found the same body twice; a joint connects two");
    joint.first = place_of(bodies[0], body_names_);
    joint.second = place_of(bodies[1], body_names_);
    joint.point = triple(t, "point");
    if (joint.kind == JointKind::hinge || joint.kind == JointKind::slider)
      joint.axis = unit_triple(t, "axis");
    else if (t.has("axis"))
      t.fail("axis", "is for a hinge or a slider; remove it");
    t.located("bodies", [&] { world_.add(std::move(joint)); });
  }

  static std::size_t place_of(std::string_view name, std::span<const std::string_view> names) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  void read_steps() {
    const IntegratorChoice choice =
        read_integrator(root_, {.kinds = {"moreau"}, .otherwise = "moreau", .until_stick = false});
    output_ = read_output(root_, {"csv", "hdf5"}, {"path", "snapshots", "time"});
    integrator_.step = choice.step;
    settings_ = choice.table;
    integrator_.closing_distance = choice.closing_distance;
    options_ = choice.options;
    options_.every = output_.every;
  }

  const TomlTable& root_;
  BodyWorld world_;
  Moreau integrator_;
  std::optional<TomlTable> settings_;
  RunOptions options_;
  OutputChoice output_;
  std::map<std::string, int> laws_;
  std::vector<std::pair<TomlTable, RollingLaw>> rolling_;
  std::set<std::string> names_, joint_names_;
  std::vector<std::pair<std::size_t, TomlTable>> places_;  // tables of bodies, each with the number of bodies after it
  std::vector<std::string_view> body_names_;               // of all bodies, for joints
};

AnyRun read_any_bodies_run(const Scenario& scenario) { return {read_bodies_run(scenario.root())}; }

}  // namespace

std::vector<SystemKind> body_systems() {
  const double tolerance = BodyWorld().contact_options().tolerance;
  SystemKind kind{{"rigid-bodies",
                   "spheres, boxes and planes of [[body]], [[pile]] and [[stack]], joints; each surface has its law",
                   {{"gravity", "m/s2", 9.81, "downwards, or three numbers"},
                    {"tolerance", "", tolerance, "of the contact problems"},
                    {"margin", "m", kOptional,
                     "contacts with smaller gaps are considered; a hundredth of the smallest radius or half side"}}}};
  kind.read_run = read_any_bodies_run;
  kind.tables = {"title", "law", "laws", "system", "body", "pile", "stack", "joint", "pair", "integrator", "output"};
  kind.rolling_laws = true;
  return {kind};
}

RunSetup read_bodies_run(const TomlTable& root) { return Reader(root).read(); }

}  // namespace slipset
