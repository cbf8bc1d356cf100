// A slider pulled through a spring: static and kinetic coefficients from the record of the spring's force.
//                                                                       docs/theory/identification.md
//   y = k(Vt - x)/W, W the weight
//   stick: ẏ = kV/W;  slip: ÿ = -ω²(y - μ_k), ω² = k/m, from y = μ_s and back to ẏ = kV/W
//   the extremes are μ_k ± A, A² = (μ_s - μ_k)² + (V√(km)/W)²                                                (I.12)
// So a peak and the trough after it, by local fits (I.27), give μ_k (their middle) and μ_s; ẏ never exceeds kV/W as long
// as the slider does not move backwards, which is a check of stiffness, speed and weight that needs no friction law.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slipset {

struct StickSlipRecord {
  std::vector<double> time, force;  // [s], spring force over weight
};

struct StickSlipOptions {
  double stiffness = 0;     // k [N/m]
  double speed = 0;         // V [m/s]
  double weight = 0;        // W [N]
  double mass = 0;          // [kg]; 0: W/9.81
  double tolerance = 0.05;  // relative standard uncertainty of kV/W, as stiffness, speed and weight are known
  double prominence = 0;    // smallest rise and fall that count as an event; 0: from the noise and the spread
};

// Mean over the events: its 95 % interval (Student), and the spread of single events.
struct Estimate {
  double value = 0, sigma = 0, low = 0, high = 0;
  double spread = 0;  // standard deviation from event to event
};

struct StickSlipEvent {
  double trough_time, trough, peak_time, peak, next_trough_time, next_trough;
  double slope;       // of the stick phase between trough and peak [1/s]; NaN where it is too short
  double late_slope;  // over the last fifth before the peak's rounding
  double static_friction, kinetic_friction;
};

struct StickSlipResult {
  std::vector<StickSlipEvent> events;
  std::size_t swings = 0;  // of them too small for a stick phase
  double noise = 0;        // of one sample of y, robust
  double prominence = 0;   // as used
  std::size_t samples = 0;
  double duration = 0;        // [s]
  Estimate slope;             // of y in stick [1/s]
  double expected_slope = 0;  // kV/W
  bool slope_agrees = false;  // within two standard deviations of both together
  Estimate static_friction, kinetic_friction;
  Estimate recurrence;        // time from peak to peak [s]
  Estimate fall_time;         // from peak to trough [s]; π/ω for a rigid law
  double stick_fraction = 0;  // of time, with a slope above three quarters of kV/W
  // The spring-slider model with the mean coefficients.                                                  (R.8, R.9)
  std::optional<double> model_period, model_slip_time, model_fall_time;
  std::vector<double> model_time, model_force;  // simulated by events, from the first trough on
  double creep_ratio = 0;                       // late slope over the slope in stick: 1 for a rigid law
  Estimate creep_speed;                         // V(1 - ratio): how fast the slider moves before it slips [m/s]
  std::vector<std::string> notes;               // what the rigid law cannot explain, and other warnings
};

// `time` [s] increasing, `force` spring force over weight. Throws InvalidInput, with what to do.
StickSlipResult identify_stick_slip(std::span<const double> time, std::span<const double> force,
                                    const StickSlipOptions& options);

// Mean with its interval. Throws InvalidInput for less than two values.
Estimate estimate_of(std::span<const double> values);

}  // namespace slipset
