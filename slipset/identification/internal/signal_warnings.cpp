#include "slipset/identification/internal/signal_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"

namespace slipset::internal {

void warn_of_size(FoldedSignals& s) {
  constexpr double kMost = 10;
  double size = 0;
  for (const FoldedBin& b : s.bins) size += std::hypot(b.tangential, b.radial) / static_cast<double>(s.bins.size());
  if (size <= kMost) return;
  s.warnings.push_back(
      {fmt::format("the friction force is {:.4g} times the normal force: no dry surface has that. Check the units and "
                   "columns of both forces, and whether commas in the numbers are decimal commas or thousands",
                   size),
       "units", true});
}

void warn_of_normal_force(FoldedSignals& s, const NormalForce& force) {
  if (force.low == 0) return;
  s.warnings.push_back({fmt::format(
      "the normal force is zero or below 5 % of its mean in {} of {} samples, the first in row {}: was the "
      "pin off the disk there? If so, cut the record",
      force.low, s.samples, force.first)});
}

// The zero-phase filter leaves |H|² of a harmonic (I.1). An ellipse has the second and a little of the fourth.
void warn_of_lowpass(FoldedSignals& s, const SignalOptions& o) {
  if (o.lowpass == 0) return;
  const auto left = [&](int harmonic) {
    return 1 / (1 + std::pow(std::tan(kPi * harmonic / s.samples_each) / std::tan(kPi * o.lowpass / s.samples_each),
                             2 * o.order));
  };
  if (left(4) >= 0.99) return;
  s.warnings.push_back(
      {fmt::format(
           "the low-pass at {:g} cycles per revolution leaves {:.3g} % of the second and {:.3g} % of the fourth "
           "harmonic of a revolution: these are the directions of the surface, and what is left is too round. "
           "Set the cutoff to 20 or more, or use no filter: the fit averages",
           o.lowpass, 100 * left(2), 100 * left(4)),
       "", left(2) < 0.9});
}

void warn_of_directions(FoldedSignals& s) {
  const Directions& d = s.directions;
  if (d.reversals == 0) return;
  s.warnings.push_back(
      {fmt::format("the disk turns in both directions ({} reversals): {} samples near them were left out, and what the "
                   "two directions "
                   "differ by was taken off as zero offsets, {:.3g} N tangential and {:.3g} N radial",
                   d.reversals, d.left_out, d.offset_tangential, d.offset_radial)});
}

void warn_of_sense(FoldedSignals& s, const SignalOptions& options) {
  constexpr const char* causes =
      "either the radial axis points to the right of the slip (use the negative of its column), or the angle counts "
      "the "
      "other way (sense -1). The two laws are mirror images of each other; only the set-up tells which is right";
  if (s.sense_correlation < -0.5)
    s.warnings.push_back({fmt::format("the radial force has the opposite sign of what maximum dissipation would give "
                                      "(correlation {:.3g}): {}",
                                      s.sense_correlation, causes),
                          "radial sign"});
  if (options.sense == 0 && s.sense < 0)
    s.warnings.push_back(
        {fmt::format("sense -1 was chosen because the radial force has the opposite sign of what maximum "
                     "dissipation would give: {}",
                     causes),
         "radial sign"});
}

void warn_of_drift(FoldedSignals& s, const SignalOptions& options) {
  if (options.detrend && options.zero_at != ZeroAt::unknown) return;
  const double mean = s.mean_normal_force;
  double friction = 0;
  for (const FoldedBin& b : s.bins) friction += b.tangential * mean / static_cast<double>(s.bins.size());
  // A drift counts where it exceeds a part of the force, and ten standard deviations of its own.
  const double part = options.detrend ? 2e-3 : 2e-2;
  const double sigma = std::sqrt(12 / static_cast<double>(std::max<std::size_t>(1, s.samples))) * mean;
  const auto counts = [&](double drift, double force, double noise) {
    return std::abs(drift) > std::max(part * force, 10 * noise * sigma);
  };
  if (!counts(s.drift_tangential, friction, s.noise_tangential) && !counts(s.drift_radial, friction, s.noise_radial))
    return;
  const std::string drift =
      fmt::format("{:.3g} N in the tangential and {:.3g} N in the radial force", s.drift_tangential, s.drift_radial);
  if (options.detrend)
    s.warnings.push_back(
        {fmt::format(
             "a drift of {} was removed about the middle of the record: if the zero was right at its start or "
             "end, the forces are off by half of that, which the intervals do not include; say when it was right",
             drift),
         "zero"});
  else
    s.warnings.push_back(
        {fmt::format("the forces drift, by {} from the first to the last sample: wear, temperature, or the zero of the "
                     "amplifier; if it is the zero, remove the drift",
                     drift),
         "drift"});
}

}  // namespace slipset::internal
