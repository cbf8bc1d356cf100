// Bodies on a belt: surfaces that move, steady sliding, stability.
#include <fmt/format.h>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/planar_kind.hpp"
#include "slipset/stability/linearize.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/follower_pendulum.hpp"
#include "slipset/systems/frictional_impact_oscillator.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/mass_on_elastic_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"

namespace slipset {
namespace {

// A number times the identity, two numbers on the diagonal, or two rows.
Mat2 read_matrix(const TomlTable& t, std::string_view name) {
  if (!t.has(name) || t.is_number(name)) return t.number(name) * Mat2::Identity();
  if (!t.is_list_of_lists(name)) return t.pair(name).asDiagonal();
  const std::vector<Vec2> rows = t.points(name);
  if (rows.size() != 2) t.fail(name, fmt::format("found {} rows; expected two", rows.size()));
  Mat2 m;
  m.row(0) = rows[0];
  m.row(1) = rows[1];
  return m;
}

BuiltSystem build_mass_on_belt(const TomlTable& t, const FrictionLaw& law) {
  MassOnBeltParameters p;
  p.mass = t.positive("mass");
  p.stiffness = read_matrix(t, "stiffness");
  p.damping = read_matrix(t, "damping");
  p.normal_force = t.positive("normal_force");
  const TomlTable belt = t.table("belt", "a table, as in { speed = 1.0, angle = 50 }");
  p.belt_velocity = belt.number("speed") * unit_at_degrees(belt.number("angle"));
  auto system = std::make_unique<MassOnBelt>(law, p);
  std::optional<VectorX> equilibrium;
  if (const auto q = system->equilibrium()) equilibrium = *q;
  return {std::move(system), {0, VectorX::Zero(2), VectorX::Zero(2)}, equilibrium};
}

BuiltSystem build_block_on_belt(const TomlTable& t, const FrictionLaw& law) {
  BlockOnBeltParameters p;
  p.mass = t.positive("mass");
  p.stiffness = t.number("stiffness");
  p.damping = t.number("damping");
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
  p.c1 = t.number("c1");
  p.c2 = t.number("c2");
  p.normal_load = t.positive("normal_load");
  p.belt_speed = t.number("belt_speed");
  auto system = std::make_unique<ModeCoupling>(std::make_shared<PlanarContactLaw>(law), p);
  const auto equilibrium = system->equilibrium();
  return {std::move(system), {0, VectorX::Zero(2), VectorX::Zero(2)}, equilibrium};
}

BuiltSystem build_mass_on_elastic_belt(const TomlTable& t, const FrictionLaw& law) {
  MassOnElasticBeltParameters p;
  p.mass = t.positive("mass");
  p.belt_mass = t.positive("belt_mass");
  p.k1 = t.number("k1");
  p.k2 = t.number("k2");
  p.k = t.number("k");
  p.k3 = t.positive("k3");
  p.c1 = t.number("c1");
  p.c2 = t.number("c2");
  p.c3 = t.number("c3");
  p.normal_load = t.positive("normal_load");
  p.belt_speed = t.number("belt_speed");
  auto system = std::make_unique<MassOnElasticBelt>(std::make_shared<PlanarContactLaw>(law), p);
  const auto equilibrium = system->equilibrium();
  return {std::move(system), {0, VectorX::Zero(3), VectorX::Zero(3)}, equilibrium};
}

BuiltSystem build_frictional_impact_oscillator(const TomlTable& t, const FrictionLaw& law) {
  FrictionalImpactOscillatorParameters p;
  p.upper_mass = t.positive("upper_mass");
  p.tip_mass = t.positive("tip_mass");
  p.length = t.positive("length");
  p.angle = radians(t.number("angle"));
  p.k = t.number("k");
  p.k_angle = t.number("k_angle");
  p.c = t.number("c");
  p.c_angle = t.number("c_angle");
  p.load = t.number("load");
  p.belt_speed = t.number("belt_speed");
  p.restitution = t.number("restitution");
  auto system = std::make_unique<FrictionalImpactOscillator>(std::make_shared<PlanarContactLaw>(law), p);
  const State start = system->start();
  std::optional<VectorX> equilibrium;
  if (p.belt_speed != 0) try {
      LinearizeOptions options;
      options.guess = start.q;
      const LinearSliding steady = linearize_sliding(*system, options);
      if (steady.report.converged) equilibrium = steady.position;
    } catch (const InvalidInput&) {  // it opens, or Painlevé's paradox: there is none to give
    }
  return {std::move(system), start, equilibrium};
}

BuiltSystem build_follower_pendulum(const TomlTable& t, const FrictionLaw& law) {
  FollowerPendulumParameters p;
  p.joint_mass = t.positive("joint_mass");
  p.tip_mass = t.positive("tip_mass");
  p.length1 = t.positive("length1");
  p.length2 = t.positive("length2");
  p.k1 = t.positive("k1");
  p.k2 = t.positive("k2");
  p.c1 = t.number("c1");
  p.c2 = t.number("c2");
  p.normal_force = t.positive("normal_force");
  p.belt_speed = t.number("belt_speed");
  return {std::make_unique<FollowerPendulum>(std::make_shared<PlanarContactLaw>(law), p),
          {0, VectorX::Zero(2), VectorX::Zero(2)},
          p.belt_speed != 0 ? std::optional<VectorX>(VectorX::Zero(2)) : std::nullopt};
}

}  // namespace

std::vector<SystemKind> belt_systems() {
  const MassOnElasticBeltParameters kElastic;
  const FrictionalImpactOscillatorParameters kRod;
  const FollowerPendulumParameters kPendulum;
  return {
      belt_kind({"mass-on-belt",
                 "a mass on springs on a moving belt",
                 {{"mass", "kg", kRequired, "of the body"},
                  {"stiffness", "N/m", 0.0, "a number, [kx, ky], or two rows"},
                  {"damping", "N s/m", 0.0, "the same"},
                  {"normal_force", "N", kRequired, "of the contact"},
                  {"belt.speed", "m/s", kRequired, "of the belt"},
                  {"belt.angle", "degrees", 0.0, "of its direction"}}},
                build_mass_on_belt),
      belt_kind({"block-on-belt",
                 "a block on a spring on a moving belt, along the first axis of [law] (Hoffmann 2007, Fig. 1)",
                 {{"mass", "kg", kRequired, "of the body"},
                  {"stiffness", "N/m", kRequired, "of the spring"},
                  {"damping", "N s/m", 0.0, "beside it"},
                  {"normal_force", "N", kRequired, "of the contact"},
                  {"belt_speed", "m/s", kRequired, "of the belt, along x"}}},
                build_block_on_belt),
      belt_kind({"mode-coupling",
                 "a mass that an inclined spring couples to the contact's spring k2 (Hoffmann 2007, Fig. 4)",
                 {{"mass", "kg", kRequired, "of the body"},
                  {"k1", "N/m", kRequired, "along the belt"},
                  {"k2", "N/m", kRequired, "of the contact: the normal force is -k2 x2"},
                  {"k", "N/m", kRequired, "at 45 degrees"},
                  {"c1", "N s/m", 0.0, "beside k1"},
                  {"c2", "N s/m", 0.0, "beside k2"},
                  {"normal_load", "N", kRequired, "on the mass"},
                  {"belt_speed", "m/s", kRequired, "of the belt, along x"}}},
                build_mode_coupling),
      belt_kind({"mass-on-elastic-belt",
                 "mode coupling with three degrees of freedom: the belt yields, too (Walker & Leine 2019, Fig. 13b)",
                 {{"mass", "kg", kElastic.mass, "of the mass"},
                  {"belt_mass", "kg", kElastic.belt_mass, "of the belt that moves"},
                  {"k1", "N/m", kElastic.k1, "along the belt"},
                  {"k2", "N/m", kElastic.k2, "across it"},
                  {"k", "N/m", kElastic.k, "at 45 degrees"},
                  {"k3", "N/m", kElastic.k3, "under the belt"},
                  {"c1", "N s/m", 0.0, "beside k1"},
                  {"c2", "N s/m", 0.0, "beside k2"},
                  {"c3", "N s/m", 0.0, "beside k3"},
                  {"normal_load", "N", kElastic.normal_load, "on the mass"},
                  {"belt_speed", "m/s", kRequired, "of the belt, along x"}}},
                build_mass_on_elastic_belt),
      belt_kind({"frictional-impact-oscillator",
                 "a rod that leans on a belt: sprag-slip, Painleve's paradox (Walker & Leine 2019, Fig. 13c)",
                 {{"upper_mass", "kg", kRod.upper_mass, "at the upper end"},
                  {"tip_mass", "kg", kRod.tip_mass, "at the tip"},
                  {"length", "m", kRod.length, "of the rod"},
                  {"angle", "degrees", -30.0, "of the rod without forces"},
                  {"k", "N/m", kRod.k, "of the upper end"},
                  {"k_angle", "N m/rad", kRod.k_angle, "of the rod's angle"},
                  {"c", "N s/m", kRod.c, "beside k"},
                  {"c_angle", "N m s/rad", kRod.c_angle, "beside k_angle"},
                  {"load", "N", kRod.load, "downwards on the upper end"},
                  {"belt_speed", "m/s", kRequired, "of the belt, along x"},
                  {"restitution", "", 0.0, "of impacts, 0 to 1"}}},
                build_frictional_impact_oscillator),
      belt_kind(
          {"follower-pendulum",
           "a double pendulum with a wheel on a belt: friction along its last rod (Walker & Leine 2019, Fig. 13d)",
           {{"joint_mass", "kg", kPendulum.joint_mass, "between the rods"},
            {"tip_mass", "kg", kPendulum.tip_mass, "at the wheel"},
            {"length1", "m", kPendulum.length1, "of the first rod"},
            {"length2", "m", kPendulum.length2, "of the second"},
            {"k1", "N m/rad", kPendulum.k1, "of the first joint"},
            {"k2", "N m/rad", kPendulum.k2, "of the second"},
            {"c1", "N m s/rad", 0.0, "beside k1"},
            {"c2", "N m s/rad", 0.0, "beside k2"},
            {"normal_force", "N", kRequired, "of the wheel"},
            {"belt_speed", "m/s", kRequired, "of the belt, along x"}}},
          build_follower_pendulum)};
}

}  // namespace slipset
