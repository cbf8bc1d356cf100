#include "slipset/identification/pin_on_disk.hpp"

#include <fmt/format.h>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

// Turns the forces so that D closes; the angle [rad].
double take_misalignment_off(FoldedSignals& signals, const FitOptions& options) {
  FitOptions quick = options;
  quick.bootstrap = 0;
  double sum = 0;
  for (int i = 0; i < 2; ++i) {  // the flow that is taken off changes a little
    const FlowFit fit = fit_flow(signals, make_flow_model({}), quick);
    const double angle = sets_from_data(signals, fit).misalignment;
    turn_forces(signals, -angle);
    sum += angle;
  }
  return sum;
}

std::vector<Advice> warnings_of(const FoldedSignals& signals, const FlowFit& fit, const SetsFromData& sets,
                                const Unseen& unseen) {
  std::vector<Advice> warnings;
  if (!unseen.gaps.empty()) {
    const bool grave = unseen.share > kUnseenShare;
    warnings.push_back(
        {fmt::format(
             "{} (angle of the resistance; {:.0f} % of all directions are not seen): there the direction set is "
             "flat, or the record too coarse, and C has the shape of the chosen model, not of the record. The "
             "values of the reservoir and their intervals hold only if C is of this shape",
             grave ? fmt::format("C is seen only near {}", unseen.seen_text())
                   : fmt::format("C is not seen from {}", unseen.gaps_text()),
             100 * unseen.share),
         "", grave});
  }
  if (!fit.not_identified.empty())
    warnings.push_back({fmt::format("not determined by these data: {}; the law has one of many values that fit as "
                                    "well. Fix the angle of the axes, or choose a simpler shape",
                                    fmt::join(fit.not_identified, ", ")),
                        "axes"});
  // Both variances are estimates: with few revolutions of filtered signals from few independent values.
  const double about = 2 * fit.effective - static_cast<double>(fit.model.size());
  const double within = 2 * fit.effective * std::max(0.1, signals.revolutions - 1);
  if (fit.lack_of_fit > std::max(1.3, 1 + 4 * std::sqrt(2 / std::max(1.0, about) + 2 / within)))
    warnings.push_back(
        {fmt::format("the residual variance is {:.3g} times that of the noise: the surface has structure that this "
                     "shape cannot represent; try a spline as reservoir and a series as direction set",
                     fit.lack_of_fit),
         "shapes"});
  if (!sets.convex)
    warnings.push_back({fmt::format("the resistance turns backwards near slip angle {:.4g} degrees: no convex "
                                    "direction set has this flow; use its convex hull",
                                    degrees(sets.smallest_turn_at)),
                        "hull"});
  if (sets.closure_p_value < 0.01) warnings.push_back({sets.verdict, "misalignment"});
  return warnings;
}

}  // namespace

PinIdentification identify_pin(PinRecord record, const PinOptions& o) {
  SignalOptions signal_options = o.signals;
  if (o.find_offset) signal_options.offset = 0;
  if (o.find_misalignment) signal_options.misalignment = 0;
  ChoiceOptions model = o.model;
  model.fit = o.fit;
  FoldedSignals signals = fold(record, signal_options);
  record = {};
  double offset = signal_options.offset, misalignment = signal_options.misalignment;
  if (o.find_misalignment) misalignment += take_misalignment_off(signals, o.fit);
  ModelChoice choice = choose_model(signals, model);
  if (o.find_offset) {
    for (const FittedParameter& p : choice.fits[choice.best].parameters)
      if (p.name == "reservoir.angle" || p.name == "direction.angle") {
        if (!p.sigma)
          throw InvalidInput("the angle of the axes is not determined by these data: give the offset in degrees");
        shift_angle(signals, -radians(p.value));
        offset -= radians(p.value);
        choice = choose_model(signals, model);
        break;
      }
  }
  FlowFit fit = fit_flow(signals, choice.fits[choice.best].model, o.fit);
  SetsFromData sets = sets_from_data(signals, fit);
  AssociatedTest associated = test_associated(signals);
  std::vector<Advice> warnings = signals.warnings;
  const PlanarSet reservoir = fit.reservoir();
  std::optional<PlanarSet> direction;
  if (!o.hull) {
    try {
      direction = fit.direction();
    } catch (const InvalidInput& error) {
      warnings.push_back({fmt::format("{}: the law uses its smoothed convex hull", error.what())});
    }
  }
  if (!direction) {
    std::vector<Vec2> points;
    for (const DataPoint& p : sets.points) points.push_back(p.direction);
    direction = convex_smoothing(points);
  }
  Unseen unseen = unseen_directions(signals, fit);
  for (Advice& warning : warnings_of(signals, fit, sets, unseen)) warnings.push_back(std::move(warning));
  return {std::move(signals),    std::move(choice), std::move(fit),     std::move(sets),
          std::move(associated), reservoir,         *direction,         offset,
          misalignment,          std::move(unseen), std::move(warnings)};
}

}  // namespace slipset
