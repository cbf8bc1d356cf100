// A pin-on-disk tribometer in the computer: signals of a known law, with the faults of real ones.  docs/identify.md
#pragma once

#include <Eigen/Core>

#include "slipset/identification/signals.hpp"
#include "slipset/laws/friction_law.hpp"

namespace slipset {

struct TribometerOptions {
  double revolutions = 20;
  int samples = 3600;        // a revolution
  double normal_force = 10;  // mean [N]
  double noise = 0.01;  // of every force channel, over the mean tangential force (normal: over the mean normal force)
  double normal_noise = -1;  // of the normal force, over its mean; negative: as `noise`
  double crosstalk = 0;  // off-diagonal terms of the sensor's matrix; channels = (I + crosstalk·ones off the diagonal)λ
  double wobble = 0;     // of the normal force, once per revolution, over its mean; the friction follows
  double quantum = 0;    // step of the converter [N]; 0: none
  double misalignment = 0;  // of the sensor [rad]
  double offset = 0;        // angle of the surface's e1 at angle zero [rad]: φ = angle + offset
  double correlation = 0;   // of the noise from one sample to the next, 0 to below 1 (first-order)
  double outliers = 0;      // part of the samples that are hit by spikes of 20 times the noise
  unsigned seed = 1;
  double speed = 1;  // of the slip [m/s]: what a rate-dependent law is recorded at
};
// Throws InvalidInput for options out of range, and for a law that is elastic before it slips: steady sliding does not
// show that.
PinRecord simulate_tribometer(const FrictionLaw& law, const TribometerOptions& options);
// The two sets at the machine's speed, with the factor of a rate-dependent law in both: what a fit should find.
FrictionLaw law_at_speed(const FrictionLaw& law, double speed);
// The inverse of the crosstalk: the compensation matrix that belongs to it.
Eigen::Matrix3d crosstalk_compensation(double crosstalk);

}  // namespace slipset
