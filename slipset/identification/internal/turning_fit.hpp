// Where a slip phase begins and ends: extremes of a spring's force from the samples about them.
//   The largest of noisy samples is too high, and without noise too low by what happens between two samples. In a slip
//   phase the force is a part of a cosine, which joins a line, the stick phase, with its slope (τ from the joint):
//     y = a + bτ before,  a + b sin(ωτ)/ω - c(1 - cos ωτ)/ω² after;  largest a - c/ω² + √((c/ω²)² + (b/ω)²)  (I.27)
//   At a trough the same with time and force reversed.
#pragma once

#include <optional>
#include <span>

namespace slipset::internal {

struct TurningSamples {
  std::span<const double> time, force;
  std::span<const double> smooth;  // the force without spikes
  double spike;                    // samples further than this from `smooth` do not count
};
struct TurningFit {
  double value, time;
};
// About sample `at`. `frequency`: ω [rad/s]; `line`: how long the stick phase is a line [s]; `step` between samples [s].
// Empty where there are too few samples in a quarter of a period.
std::optional<TurningFit> fit_turning(const TurningSamples& samples, std::size_t at, bool peak, double frequency,
                                      double line, double step);

}  // namespace slipset::internal
