#include "slipset/scenario/mechanism_systems.hpp"

#include "slipset/core/angle.hpp"
#include "slipset/models/follower_pendulum.hpp"
#include "slipset/models/frictional_impact_oscillator.hpp"
#include "slipset/models/mass_on_elastic_belt.hpp"
#include "slipset/stability/linearize.hpp"

namespace slipset {

BuiltSystem build_mass_on_elastic_belt(const TomlTable& t, const FrictionLaw& law) {
  MassOnElasticBeltParameters p;
  if (t.has("mass")) p.mass = t.positive("mass");
  if (t.has("belt_mass")) p.belt_mass = t.positive("belt_mass");
  p.k1 = t.number_or("k1", p.k1);
  p.k2 = t.number_or("k2", p.k2);
  p.k = t.number_or("k", p.k);
  if (t.has("k3")) p.k3 = t.positive("k3");
  p.c1 = t.number_or("c1", 0);
  p.c2 = t.number_or("c2", 0);
  p.c3 = t.number_or("c3", 0);
  if (t.has("normal_load")) p.normal_load = t.positive("normal_load");
  p.belt_speed = t.number("belt_speed");
  auto system = std::make_unique<MassOnElasticBelt>(std::make_shared<PlanarContactLaw>(law), p);
  const auto equilibrium = system->equilibrium();
  return {std::move(system), {0, VectorX::Zero(3), VectorX::Zero(3)}, equilibrium};
}

BuiltSystem build_frictional_impact_oscillator(const TomlTable& t, const FrictionLaw& law) {
  FrictionalImpactOscillatorParameters p;
  if (t.has("upper_mass")) p.upper_mass = t.positive("upper_mass");
  if (t.has("tip_mass")) p.tip_mass = t.positive("tip_mass");
  if (t.has("length")) p.length = t.positive("length");
  if (t.has("angle")) p.angle = radians(t.number("angle"));
  p.k = t.number_or("k", p.k);
  p.k_angle = t.number_or("k_angle", p.k_angle);
  p.c = t.number_or("c", p.c);
  p.c_angle = t.number_or("c_angle", p.c_angle);
  p.load = t.number_or("load", p.load);
  p.belt_speed = t.number("belt_speed");
  p.restitution = t.number_or("restitution", 0);
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
  if (t.has("joint_mass")) p.joint_mass = t.positive("joint_mass");
  if (t.has("tip_mass")) p.tip_mass = t.positive("tip_mass");
  if (t.has("length1")) p.length1 = t.positive("length1");
  if (t.has("length2")) p.length2 = t.positive("length2");
  if (t.has("k1")) p.k1 = t.positive("k1");
  if (t.has("k2")) p.k2 = t.positive("k2");
  p.c1 = t.number_or("c1", 0);
  p.c2 = t.number_or("c2", 0);
  p.normal_force = t.positive("normal_force");
  p.belt_speed = t.number("belt_speed");
  return {std::make_unique<FollowerPendulum>(std::make_shared<PlanarContactLaw>(law), p),
          {0, VectorX::Zero(2), VectorX::Zero(2)},
          p.belt_speed != 0 ? std::optional<VectorX>(VectorX::Zero(2)) : std::nullopt};
}

}  // namespace slipset
