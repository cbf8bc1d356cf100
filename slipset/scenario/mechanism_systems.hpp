// [system] tables of the models of friction-induced instability (Walker & Leine 2019, Fig. 13b-d).   docs/scenarios.md
#pragma once

#include "slipset/scenario/systems.hpp"

namespace slipset {

BuiltSystem build_mass_on_elastic_belt(const TomlTable& table, const FrictionLaw& law);
BuiltSystem build_frictional_impact_oscillator(const TomlTable& table, const FrictionLaw& law);
BuiltSystem build_follower_pendulum(const TomlTable& table, const FrictionLaw& law);

}  // namespace slipset
