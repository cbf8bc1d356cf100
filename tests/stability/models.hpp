// Systems of the literature that several tests look at.
#pragma once

#include "slipset/laws/classical.hpp"
#include "slipset/stability/scan.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"

namespace slipset::test {

inline std::shared_ptr<const PlanarContactLaw> shared(const FrictionLaw& law) {
  return std::make_shared<PlanarContactLaw>(law);
}

// A friction coefficient of `high` at rest and `low` at high speed.
inline FrictionLaw falling(double high, double low, double velocity) {
  return isotropic(low).with_stribeck({high / low, velocity});
}

// Walker & Leine 2019, Figs. 16 and 17.
inline MassOnBelt belt(double degrees, double speed = 1) {
  MassOnBeltParameters p;
  p.belt_velocity = speed * unit_at_degrees(degrees);
  return {FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), p};
}

// Hoffmann 2007, Fig. 3.
inline LinearSliding single_mode(double omega, double speed, std::optional<double> sigma0) {
  BlockOnBeltParameters p;
  p.stiffness = omega * omega;
  p.belt_speed = speed;
  LinearizeOptions options;
  if (sigma0) options.lugre = LuGre{*sigma0, 0, 0};
  return linearize_sliding(BlockOnBelt(shared(falling(6, 4, 5)), p), options);
}

// Hoffmann 2007, Figs. 5 to 8.
inline LinearSliding coupled(const FrictionLaw& law, double speed, double c1, double c2,
                             std::optional<double> sigma0 = std::nullopt) {
  ModeCouplingParameters p;
  p.belt_speed = speed;
  p.c1 = c1;
  p.c2 = c2;
  LinearizeOptions options;
  if (sigma0) options.lugre = LuGre{*sigma0, 0, 0};
  return linearize_sliding(ModeCoupling(shared(law), p), options);
}

inline double growth(const LinearSliding& sliding) { return modes_of(sliding).front().growth_rate(); }

}  // namespace slipset::test
