// Signals of a pin-on-disk tribometer, folded by slip angle.           docs/theory/identification.md
//   measured: angle of the disk, forces along the slip λ_t, to the left of it λ_r, normal λ_N
//   in the surface's frame the slip points along φ = sense·angle + offset, the resistance is R(φ)(λ_t, λ_r)/λ_N
//                                                                                              [WL19 119, 120]
// Each bin of φ holds Σλ_t/Σλ_N and Σλ_r/Σλ_N over all revolutions: the ratio of sums has no bias from a normal force
// that varies, and hardly one from its noise (a mean of ratios has: σ²/λ_N²).                               (I.2)
#pragma once

#include <vector>

#include "slipset/identification/advice.hpp"
#include "slipset/identification/butterworth.hpp"
#include "slipset/identification/directions.hpp"
#include "slipset/identification/pin_record.hpp"

namespace slipset {

struct SignalOptions {
  double lowpass = 0;                // cutoff of the zero-phase filter [cycles per revolution]; 0: none
  int order = 4;                     // of the filter in one direction
  bool detrend = false;              // take lines off the two friction forces and the normal force
  ZeroAt zero_at = ZeroAt::unknown;  // with detrend: when the amplifier's zero was right
  int sense = 1;                     // φ = sense·angle: 1 or -1; 0: estimated
  double offset = 0;                 // of the angle [rad]
  double misalignment = 0;           // the sensor is turned by so much against the disk's tangent [rad]
  double outliers = 6;               // rejected beyond so many robust standard deviations; 0: none
  int bins = 0;                      // of a turn; 0: as many as samples per revolution, 180 to 7200
};

// Means over all revolutions in one bin.
struct FoldedBin {
  double slip_angle;          // φ, mean [rad], in [0, 2π)
  double tangential, radial;  // along the slip and to the left of it, per unit normal force
  double count;               // samples
};

struct FoldedSignals {
  std::vector<FoldedBin> bins;  // by angle; empty bins are left out
  double revolutions = 0;
  std::size_t samples = 0, rejected = 0;
  double samples_each = 0;            // per revolution
  std::vector<FilterSection> filter;  // that the signals went through, forward and backward; empty: none
  double mean_normal_force = 0;
  double normal_variation = 0;   // standard deviation of λ_N over its mean
  int sense = 1;                 // as used
  bool reversed = false;         // the pin slides against the tangential axis: both forces were turned by 180°
  double sense_correlation = 0;  // of λ_r/λ_t with d ln λ_t/dφ: 1 for the associated law, -1 suggests sense = -1
  Directions directions;         // of rotation, joined
  double drift_tangential = 0, drift_radial = 0, drift_normal = 0;  // first to last sample [N]
  double noise_tangential = 0, noise_radial = 0;  // of one sample, per unit normal force: within bins, robust
  double autocorrelation = 0;                     // of that noise from one sample to the next, lag 1
  // Blocks of whole revolutions, for covariances that hold for noise of any colour: in each bin the sum over the
  // block's samples of (λ - λ_N·mean of the bin) over the mean normal force.
  struct Block {
    std::vector<double> tangential, radial;  // one number per bin
    double samples = 0;
  };
  std::vector<Block> blocks;
  std::vector<Advice> warnings;
};

// Uses up the record: filters and turns its columns in place. Throws InvalidInput, with what to do: not monotone, less
// than one revolution, normal force zero or negative, forces that do not oppose the slip.
FoldedSignals fold(PinRecord& record, const SignalOptions& options = {});

// The same signals with the slip angle shifted by so much, and with the forces turned by so much [rad].
void shift_angle(FoldedSignals& signals, double by);
void turn_forces(FoldedSignals& signals, double by);

}  // namespace slipset
