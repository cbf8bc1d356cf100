// A block on rough ground pulled through a spring at constant speed: the stick-slip experiment.
//   m ẍ + c(ẋ - V) + k(x - Vt) = f,   |f| ≤ static limit at rest, f = -L sgn ẋ in slip                (R.8)
// With equal limits it comes to steady sliding; with a larger static limit L_s and no damper it sticks and slips:
//   slip time  (2π - 2 arctan a)/ω,  stick time  2(L_s - L)/(kV),   a = ω(L_s - L)/(kV),  ω² = k/m       (R.9)
#pragma once

#include "slipset/systems/axial_system.hpp"

namespace slipset {

struct SpringSliderParameters {
  double mass = 1;            // [kg]
  double stiffness = 1;       // [N/m]
  double damping = 0;         // beside the spring [N s/m]
  double friction_limit = 1;  // in slip [N]
  double static_limit = 0;    // at rest [N]; 0: the same
  double speed = 0.1;         // V [m/s]
};

AxialSystem spring_slider(const SpringSliderParameters& parameters);

// The period of (R.9). Throws InvalidInput unless there is no damper and the static limit is above the other.
struct StickSlipPeriod {
  double stick, slip;  // [s]
};
StickSlipPeriod stick_slip_period(const SpringSliderParameters& parameters);

}  // namespace slipset
