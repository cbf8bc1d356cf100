#include "slipset/scenario/systems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "slipset/io/matrix_market.hpp"
#include "slipset/models/ball_on_plane.hpp"
#include "slipset/models/block_on_belt.hpp"
#include "slipset/models/box_on_plane.hpp"
#include "slipset/models/disk_on_pads.hpp"
#include "slipset/models/linear_system.hpp"
#include "slipset/models/mass_on_belt.hpp"
#include "slipset/models/mode_coupling.hpp"
#include "slipset/models/prescribed_circle.hpp"
#include "slipset/models/sliding_body.hpp"
#include "slipset/models/snake_robot.hpp"
#include "slipset/scenario/line_systems.hpp"
#include "slipset/scenario/mechanism_systems.hpp"
#include "slipset/scenario/system_builders.hpp"

namespace slipset {
namespace {

// A number times the identity, two numbers on the diagonal, or two rows.
Mat2 read_matrix(const TomlTable& t, std::string_view name, double otherwise) {
  if (!t.has(name)) return otherwise * Mat2::Identity();
  if (t.is_number(name)) return t.number(name) * Mat2::Identity();
  if (!t.is_list_of_lists(name)) return t.pair(name).asDiagonal();
  const std::vector<Vec2> rows = t.points(name);
  if (rows.size() != 2) t.fail(name, fmt::format("found {} rows; expected two", rows.size()));
  Mat2 m;
  m.row(0) = rows[0];
  m.row(1) = rows[1];
  return m;
}

BuiltSystem build_sliding_body(const TomlTable& t, const FrictionLaw& law) {
  const double mass = t.positive("mass");
  if (t.has("normal_force") && t.has("gravity")) t.fail("gravity", "give either gravity or normal_force, not both");
  const double force =
      t.has("normal_force") ? t.positive("normal_force") : mass * (t.has("gravity") ? t.positive("gravity") : 9.81);
  return {std::make_unique<SlidingBody>(law, mass, force), {0, VectorX::Zero(2), VectorX::Zero(2)}, std::nullopt};
}

BuiltSystem build_mass_on_belt(const TomlTable& t, const FrictionLaw& law) {
  MassOnBeltParameters p;
  p.mass = t.positive("mass");
  p.stiffness = read_matrix(t, "stiffness", 0);
  p.damping = read_matrix(t, "damping", 0);
  p.normal_force = t.positive("normal_force");
  const TomlTable belt = t.table("belt", "a table, as in { speed = 1.0, angle = 50 }");
  constexpr std::array<std::string_view, 2> keys = {"speed", "angle"};
  belt.allow_only(keys);
  p.belt_velocity = belt.number("speed") * unit_at_degrees(belt.number_or("angle", 0));
  auto system = std::make_unique<MassOnBelt>(law, p);
  std::optional<VectorX> equilibrium;
  if (const auto q = system->equilibrium()) equilibrium = *q;
  return {std::move(system), {0, VectorX::Zero(2), VectorX::Zero(2)}, equilibrium};
}

BuiltSystem build_block_on_belt(const TomlTable& t, const FrictionLaw& law) {
  BlockOnBeltParameters p;
  p.mass = t.positive("mass");
  p.stiffness = t.number("stiffness");
  p.damping = t.number_or("damping", 0);
  p.normal_force = t.positive("normal_force");
  p.belt_speed = t.number("belt_speed");
  auto system = std::make_unique<BlockOnBelt>(std::make_shared<PlanarContactLaw>(law), p);
  const auto equilibrium = system->equilibrium();
  return {std::move(system), {0, VectorX::Zero(1), VectorX::Zero(1)}, equilibrium};
}

BuiltSystem build_mode_coupling(const TomlTable& t, const FrictionLaw& law) {
  ModeCouplingParameters p;
  p.mass = t.positive("mass");
  p.k1 = t.number("k1");
  p.k2 = t.positive("k2");
  p.k = t.number("k");
  p.c1 = t.number_or("c1", 0);
  p.c2 = t.number_or("c2", 0);
  p.normal_load = t.positive("normal_load");
  p.belt_speed = t.number("belt_speed");
  auto system = std::make_unique<ModeCoupling>(std::make_shared<PlanarContactLaw>(law), p);
  const auto equilibrium = system->equilibrium();
  return {std::move(system), {0, VectorX::Zero(2), VectorX::Zero(2)}, equilibrium};
}

BuiltSystem build_prescribed_circle(const TomlTable& t, const FrictionLaw& law) {
  auto system = std::make_unique<PrescribedCircle>(law, t.positive("radius"), t.number("angular_velocity"),
                                                   t.positive("normal_force"));
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

BuiltSystem build_disk_on_pads(const TomlTable& t, const FrictionLaw& law) {
  DiskOnPadsParameters p;
  if (t.has("mass")) p.mass = t.positive("mass");
  if (t.has("radius")) p.radius = t.positive("radius");
  if (t.has("pad_radius")) p.pad_radius = t.positive("pad_radius");
  if (t.has("gravity")) p.gravity = t.positive("gravity");
  if (t.has("pads")) p.pads = t.whole("pads", 1, 1000);
  return {std::make_unique<DiskOnPads>(law, p), {0, VectorX::Zero(3), VectorX::Zero(3)}, std::nullopt};
}

BuiltSystem build_ball_on_plane(const TomlTable& t, const FrictionLaw& law) {
  BallOnPlaneParameters p;
  p.mass = t.positive("mass");
  p.radius = t.positive("radius");
  if (t.has("gravity")) p.gravity = t.positive("gravity");
  p.restitution = t.number_or("restitution", 0);
  auto system = std::make_unique<BallOnPlane>(law, p);
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

BuiltSystem build_box_on_plane(const TomlTable& t, const FrictionLaw& law) {
  BoxOnPlaneParameters p;
  p.mass = t.positive("mass");
  p.length = t.positive("length");
  p.height = t.positive("height");
  if (t.has("gravity")) p.gravity = t.positive("gravity");
  p.restitution = t.number_or("restitution", 0);
  if (t.has("push")) {
    const TomlTable push = t.table("push", "a table, as in { force = 5, height = 0.1 }");
    constexpr std::array<std::string_view, 2> keys = {"force", "height"};
    push.allow_only(keys);
    p.push = push.number("force");
    p.push_height = push.number("height");
  }
  auto system = std::make_unique<BoxOnPlane>(law, p);
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

BuiltSystem build_snake_robot(const TomlTable& t, const FrictionLaw& law) {
  SnakeRobotParameters p;
  p.links = t.whole("links", 2, 1000);
  p.length = t.positive("length");
  p.mass = t.positive("mass");
  if (t.has("gravity")) p.gravity = t.positive("gravity");
  const TomlTable wave = t.table("wave", "a table, as in { amplitude = 30, frequency = 0.5, phase = 40 }");
  constexpr std::array<std::string_view, 4> keys = {"amplitude", "frequency", "phase", "steering"};
  wave.allow_only(keys);
  p.amplitude = radians(wave.number("amplitude"));
  p.frequency = wave.positive("frequency");
  p.phase = radians(wave.number("phase"));
  p.steering = radians(wave.number_or("steering", 0));
  auto system = std::make_unique<SnakeRobot>(law, p);
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

// Rows, or the name of a Matrix Market file.
MatrixX read_any_matrix(const TomlTable& t, std::string_view name, Eigen::Index size) {
  if (!t.has(name)) return MatrixX::Zero(size, size);
  if (t.is_text(name)) return t.located(name, [&] { return read_matrix_market(t.path(name)); });
  const auto rows = t.rows(name);
  MatrixX m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

BuiltSystem build_linear(const TomlTable& t, const FrictionLaw& law) {
  if (!t.has("M"))
    t.fail("M", "missing; give the rows of the mass matrix, as in [[1, 0], [0, 1]], or a Matrix Market file");
  const MatrixX mass = read_any_matrix(t, "M", 0);
  const Eigen::Index n = mass.rows();
  std::vector<LinearContact> contacts;
  for (const TomlTable& c : t.tables("contacts")) {
    constexpr std::array<std::string_view, 6> keys = {"normal",           "normal_force", "tangents",
                                                      "surface_velocity", "gap",          "restitution"};
    c.allow_only(keys);
    LinearContact contact{law, Eigen::MatrixX2d::Zero(n, 2), Vec2(0, 0), 0, {}, 0, 0};
    const auto tangents = c.rows("tangents");
    if (tangents.size() != 2 || static_cast<Eigen::Index>(tangents[0].size()) != n)
      c.fail("tangents", fmt::format("found {} rows of {}; expected two directions of {} numbers each", tangents.size(),
                                     tangents[0].size(), n));
    for (Eigen::Index k = 0; k < 2; ++k)
      contact.tangents.col(k) = Eigen::Map<const VectorX>(tangents[static_cast<std::size_t>(k)].data(), n);
    if (c.has("surface_velocity")) contact.surface_velocity = c.pair("surface_velocity");
    if (c.has("normal") == c.has("normal_force"))
      c.fail("give either normal (a contact that opens and closes) or normal_force (always closed)");
    if (c.has("normal")) contact.normal = read_vector(c, "normal", n);
    if (c.has("normal_force")) contact.normal_force = c.positive("normal_force");
    contact.gap = c.number_or("gap", 0);
    contact.restitution = c.number_or("restitution", 0);
    contacts.push_back(std::move(contact));
  }
  if (contacts.empty()) t.fail("contacts", "found none; give at least one contact");
  const VectorX force = t.has("force") ? read_vector(t, "force", n) : VectorX(VectorX::Zero(n));
  return {std::make_unique<LinearSystem>(mass, read_any_matrix(t, "D", n), read_any_matrix(t, "K", n), force,
                                         std::move(contacts)),
          {0, VectorX::Zero(n), VectorX::Zero(n)},
          std::nullopt};
}

struct Builder {
  SystemKind kind;
  BuiltSystem (*build)(const TomlTable&, const FrictionLaw&);
  bool takes_initial;
};

const std::vector<Builder>& builders() {
  static const std::vector<Builder> all = {
      {{"sliding-body", {"mass", "gravity", "normal_force"}, "a body that slides freely on a plane"},
       build_sliding_body,
       true},
      {{"mass-on-belt", {"mass", "stiffness", "damping", "normal_force", "belt"}, "a mass on springs on a moving belt"},
       build_mass_on_belt,
       true},
      {{"block-on-belt",
        {"mass", "stiffness", "damping", "normal_force", "belt_speed"},
        "a block on a spring on a moving belt, in one direction (Hoffmann 2007, Fig. 1)"},
       build_block_on_belt,
       true},
      {{"mode-coupling",
        {"mass", "k1", "k2", "k", "c1", "c2", "normal_load", "belt_speed"},
        "a mass that an inclined spring couples to the contact's spring k2 (Hoffmann 2007, Fig. 4)"},
       build_mode_coupling,
       true},
      {{"mass-on-elastic-belt",
        {"mass", "belt_mass", "k1", "k2", "k", "k3", "c1", "c2", "c3", "normal_load", "belt_speed"},
        "mode coupling with three degrees of freedom: the belt yields, too (Walker & Leine 2019, Fig. 13b)"},
       build_mass_on_elastic_belt,
       true},
      {{"frictional-impact-oscillator",
        {"upper_mass", "tip_mass", "length", "angle", "k", "k_angle", "c", "c_angle", "load", "belt_speed",
         "restitution"},
        "a rod that leans on a belt: sprag-slip, Painleve's paradox (Walker & Leine 2019, Fig. 13c)"},
       build_frictional_impact_oscillator,
       true},
      {{"follower-pendulum",
        {"joint_mass", "tip_mass", "length1", "length2", "k1", "k2", "c1", "c2", "normal_force", "belt_speed"},
        "a double pendulum with a wheel on a belt: friction along its last rod (Walker & Leine 2019, Fig. 13d)"},
       build_follower_pendulum,
       true},
      {{"prescribed-circle",
        {"radius", "angular_velocity", "normal_force"},
        "a body led along a circle: the force that it feels"},
       build_prescribed_circle,
       false},
      {{"disk-on-pads",
        {"mass", "radius", "pad_radius", "pads", "gravity"},
        "a rigid disk on pads, position and yaw; by default the PVC disk of Walker & Leine 2019"},
       build_disk_on_pads,
       true},
      {{"ball-on-plane",
        {"mass", "radius", "gravity", "restitution"},
        "a homogeneous ball that bounces, slides and comes to roll"},
       build_ball_on_plane,
       true},
      {{"box-on-plane",
        {"mass", "length", "height", "gravity", "restitution", "push"},
        "a box that bounces, slides, tips over and stops; push = { force, height }"},
       build_box_on_plane,
       true},
      {{"snake-robot",
        {"links", "length", "mass", "gravity", "wave"},
        "links that follow a wave = { amplitude, frequency, phase, steering }; the law's first axis is along each "
        "link"},
       build_snake_robot,
       true},
      {{"linear",
        {"M", "D", "K", "force", "contacts"},
        "any M, D, K, as rows or Matrix Market files; contacts = [{ normal or normal_force, tangents, "
        "surface_velocity, gap, restitution }]"},
       build_linear,
       true}};
  return all;
}

}  // namespace

std::span<const SystemKind> system_kinds() {
  static const std::vector<SystemKind> kinds = kinds_of(builders());
  return kinds;
}

BuiltSystem read_system(const TomlTable& table, const FrictionLaw& law) {
  const Builder& builder = chosen_builder(builders(), table, line_system_kinds());
  BuiltSystem built = table.located("", [&] { return builder.build(table, law); });
  built.takes_initial = builder.takes_initial;
  return built;
}

VectorX read_vector(const TomlTable& t, std::string_view name, Eigen::Index size) {
  const std::vector<double> values = t.list(name);
  if (static_cast<Eigen::Index>(values.size()) != size)
    t.fail(name, fmt::format("found {} numbers; expected {}, one a degree of freedom", values.size(), size));
  return Eigen::Map<const VectorX>(values.data(), size);
}

}  // namespace slipset
