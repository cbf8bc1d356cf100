#include "slipset/identification/model_choice.hpp"

#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

// Neighbouring bins joined, so that there are at most `most`; without blocks. For comparing models.
FoldedSignals coarsened(const FoldedSignals& signals, std::size_t most) {
  FoldedSignals coarse;
  coarse.revolutions = signals.revolutions;
  coarse.samples = signals.samples;
  coarse.rejected = signals.rejected;
  coarse.samples_each = signals.samples_each;
  coarse.filter = signals.filter;
  coarse.autocorrelation = signals.autocorrelation;
  const std::size_t n = signals.bins.size(), step = (n + most - 1) / most;
  for (std::size_t first = 0; first < n; first += step) {
    FoldedBin joined{0, 0, 0, 0};
    for (std::size_t j = first; j < std::min(n, first + step); ++j) {
      const FoldedBin& b = signals.bins[j];
      joined.slip_angle += b.count * b.slip_angle;
      joined.tangential += b.count * b.tangential;
      joined.radial += b.count * b.radial;
      joined.count += b.count;
    }
    coarse.bins.push_back({joined.slip_angle / joined.count, joined.tangential / joined.count,
                           joined.radial / joined.count, joined.count});
  }
  return coarse;
}

// The fit with the fewest parameters whose BIC is within 10 of the least: more must be asked for by very strong
// evidence.
std::size_t simplest_of(const std::vector<FlowFit>& fits) {
  double least = INFINITY;
  for (const FlowFit& fit : fits) least = std::min(least, fit.bic);
  std::size_t best = 0;
  bool found = false;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    if (!(fits[i].bic <= least + 10)) continue;
    const bool fewer = fits[i].model.size() < fits[best].model.size();
    const bool same = fits[i].model.size() == fits[best].model.size();
    if (!found || fewer || (same && fits[i].bic < fits[best].bic)) best = i;
    found = true;
  }
  return best;
}

}  // namespace

ModelChoice choose_model(const FoldedSignals& all, const ChoiceOptions& options) {
  if (options.orders.empty()) throw InvalidInput("model choice: no orders of series to try; give one or more");
  const FoldedSignals coarse = coarsened(all, 900);
  const FoldedSignals& signals = all.bins.size() > 900 ? coarse : all;
  ModelChoice choice;
  FitOptions quick = options.fit;
  quick.bootstrap = 0;
  quick.profile = false;
  const auto attempt = [&](ReservoirKind c, DirectionKind d, int order) {
    const auto with_axes = [&](AxesKind axes) {
      choice.fits.push_back(fit_flow(signals, make_flow_model({c, d, axes, options.angle, order}), quick));
      choice.best = simplest_of(choice.fits);
    };
    with_axes(options.axes.value_or(AxesKind::common));
    const bool both_turned = c != ReservoirKind::disk && c <= ReservoirKind::superellipse &&
                             (d == DirectionKind::ellipse || d == DirectionKind::superellipse);
    if (!options.axes && both_turned) with_axes(AxesKind::separate);
  };
  const int largest = options.orders.back();
  const std::vector<ReservoirKind> all_c = {ReservoirKind::disk, ReservoirKind::ellipse, ReservoirKind::superellipse,
                                            ReservoirKind::fourier, ReservoirKind::spline};
  const std::vector<DirectionKind> all_d = {DirectionKind::disk, DirectionKind::ellipse, DirectionKind::superellipse,
                                            DirectionKind::series, DirectionKind::associated};
  const auto wanted_c = options.reservoir ? std::vector{*options.reservoir} : all_c;
  const auto wanted_d = options.direction ? std::vector{*options.direction} : all_d;
  // C beside the superellipse D (or the wanted one), then D beside the best C.
  ReservoirKind best_c = wanted_c.front();
  const DirectionKind beside = options.direction.value_or(DirectionKind::superellipse);
  for (const ReservoirKind c : wanted_c) {
    const bool series = c >= ReservoirKind::fourier;
    if (series && beside == DirectionKind::associated) continue;
    for (const int order : series ? options.orders : std::vector{largest}) {
      const std::size_t before = choice.fits.size();
      attempt(c, beside, order);
      if (choice.best >= before) best_c = c;
    }
  }
  if (choice.fits.empty())
    throw InvalidInput("an associated law is fitted with a disk, an ellipse or a superellipse as reservoir");
  for (const DirectionKind d : wanted_d) {
    if (d == beside || (d == DirectionKind::associated && best_c >= ReservoirKind::fourier)) continue;
    for (const int order : d == DirectionKind::series ? options.orders : std::vector{largest})
      attempt(best_c, d, order);
  }
  // What both free ends were not tried with: nothing but a circle, and no shape at all.
  if (!options.reservoir && !options.direction && best_c != ReservoirKind::disk)
    attempt(ReservoirKind::disk, DirectionKind::disk, largest);
  if (!options.reservoir && !options.direction)
    for (const int order : options.orders) attempt(ReservoirKind::fourier, DirectionKind::series, order);
  return choice;
}

}  // namespace slipset
