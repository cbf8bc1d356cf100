// A mass on a spring on rough ground, forced: m ẍ + c ẋ + k x = f + α sin(ωt + φ).          [Q04 5]
#pragma once

#include "slipset/systems/axial_system.hpp"

namespace slipset {

struct ForcedOscillatorParameters {
  double mass = 1;            // [kg]
  double stiffness = 1;       // [N/m]
  double damping = 0;         // [N s/m]
  double friction_limit = 1;  // μN [N]
  double static_limit = 0;    // at rest [N]; 0: the same
  double amplitude = 0;       // α [N]
  double frequency = 1;       // ω [rad/s]
  double phase = 0;           // φ [rad]
};

AxialSystem forced_oscillator(const ForcedOscillatorParameters& parameters);

}  // namespace slipset
