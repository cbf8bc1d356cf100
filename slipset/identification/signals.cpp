#include "slipset/identification/signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/statistics.hpp"
#include "slipset/identification/fourier.hpp"
#include "slipset/identification/internal/signal_warnings.hpp"

namespace slipset {
namespace {

constexpr std::size_t kGroups = 5;  // of revolutions, for a robust mean in each bin
constexpr std::size_t kMostBlocks = 40;
constexpr int kMostBins = 1'000'000;

struct Pair {
  double tangential = 0, radial = 0;
};

class Folding {
 public:
  Folding(const PinRecord& record, const Turns& turns, const SignalOptions& options)
      : r_(record), constant_(record.normal.empty()), first_(record.angle[0]) {
    bins_ = options.bins > 0 ? static_cast<std::size_t>(options.bins)
                             : static_cast<std::size_t>(std::clamp(std::round(turns.samples_each), 180.0, 7200.0));
    per_radian_ = static_cast<double>(bins_) / (2 * kPi);
    whole_ =
        std::max<std::size_t>(1, static_cast<std::size_t>(turns.revolutions * (1 + 1e-9) + 0.5 / turns.samples_each));
  }

  std::size_t bins() const { return bins_; }
  double normal(std::size_t i) const { return constant_ ? r_.normal_force : r_.normal[i]; }
  // The bin whose middle is nearest; bin 0 is about the first sample, so that even samples are in the middle of theirs.
  std::size_t bin_of(std::size_t i) const {
    const double x = (r_.angle[i] - first_) * per_radian_ + 0.5, size = static_cast<double>(bins_);
    const auto bin = static_cast<std::size_t>(x - size * std::floor(x / size));
    return bin < bins_ ? bin : 0;  // rounding
  }
  std::size_t revolution_of(std::size_t i) const {
    return std::min(whole_ - 1, static_cast<std::size_t>(std::abs(r_.angle[i] - first_) / (2 * kPi)));
  }
  std::size_t whole() const { return whole_; }

  // The robust centre of each bin: the median over groups of revolutions, or over neighbours where there are few.
  std::vector<Pair> centres() const {
    const bool groups = whole_ >= kGroups;
    const std::size_t g = groups ? kGroups : 1;
    struct Sum {
      double t = 0, r = 0, n = 0;
    };
    std::vector<Sum> sums(bins_ * g);
    for (std::size_t i = 0; i < r_.size(); ++i) {
      Sum& s = sums[bin_of(i) * g + (groups ? revolution_of(i) % kGroups : 0)];
      s.t += r_.tangential[i];
      s.r += r_.radial[i];
      s.n += normal(i);
    }
    std::vector<Pair> centres(bins_);
    std::vector<double> t, r;
    for (std::size_t j = 0; j < bins_; ++j) {
      t.clear();
      r.clear();
      const std::size_t reach = groups ? 0 : 3;
      for (std::size_t k = j + bins_ - reach; k <= j + bins_ + reach; ++k)
        for (std::size_t q = 0; q < g; ++q) {
          const Sum& s = sums[(k % bins_) * g + q];
          if (s.n > 0) {
            t.push_back(s.t / s.n);
            r.push_back(s.r / s.n);
          }
        }
      if (!t.empty()) centres[j] = {internal::median(std::move(t)), internal::median(std::move(r))};
    }
    return centres;
  }

  // (λ - λ_N s)/mean λ_N of one sample about the bin's s.
  Pair residual(std::size_t i, const Pair& s, double mean_normal) const {
    const double n = normal(i);
    return {(r_.tangential[i] - n * s.tangential) / mean_normal, (r_.radial[i] - n * s.radial) / mean_normal};
  }

 private:
  const PinRecord& r_;
  bool constant_;
  double first_, per_radian_ = 1;
  std::size_t bins_ = 1, whole_ = 1;
};

// Robust standard deviations of the two residuals, from at most 20000 samples.
Pair robust_scale(const Folding& folding, std::size_t samples, const std::vector<Pair>& centres, double mean_normal) {
  const std::size_t stride = std::max<std::size_t>(1, samples / 20000);
  std::vector<double> t, r;
  for (std::size_t i = 0; i < samples; i += stride) {
    const Pair e = folding.residual(i, centres[folding.bin_of(i)], mean_normal);
    t.push_back(std::abs(e.tangential));
    r.push_back(std::abs(e.radial));
  }
  return {1.4826 * internal::median(std::move(t)), 1.4826 * internal::median(std::move(r))};
}

// Which samples are no outliers: within so many robust deviations of their bin's centre.
class Kept {
 public:
  Kept(const Folding& folding, std::size_t samples, double outliers, double mean_normal)
      : folding_(folding), centres_(folding.centres()), mean_normal_(mean_normal) {
    if (outliers == 0) return;
    double size = 0;
    for (const Pair& c : centres_) size += std::abs(c.tangential) / static_cast<double>(centres_.size());
    const Pair scale = robust_scale(folding, samples, centres_, mean_normal);
    const double least =
        (folding.whole() >= kGroups ? 1e-6 : 0.05) * size;  // few revolutions: the centre is a neighbour
    limit_ = {std::max(outliers * scale.tangential, least), std::max(outliers * scale.radial, least)};
  }

  bool operator()(std::size_t i, std::size_t bin) const {
    const Pair e = folding_.residual(i, centres_[bin], mean_normal_);
    return std::abs(e.tangential) <= limit_.tangential && std::abs(e.radial) <= limit_.radial;
  }

 private:
  const Folding& folding_;
  std::vector<Pair> centres_;
  double mean_normal_;
  Pair limit_{INFINITY, INFINITY};
};

void check_opposes(const std::vector<FoldedBin>& bins) {
  std::array<double, 36> force{}, count{};
  for (const FoldedBin& b : bins) {
    const auto k = std::min<std::size_t>(35, static_cast<std::size_t>(b.slip_angle / (2 * kPi) * 36));
    force[k] += b.tangential * b.count;
    count[k] += b.count;
  }
  for (std::size_t k = 0; k < 36; ++k) {
    if (count[k] == 0)
      throw InvalidInput(
          fmt::format("no sample with a slip angle from {} to {} degrees: the sets need every direction; "
                      "sample faster or turn further",
                      10 * k, 10 * k + 10));
    if (!(force[k] > 0))
      throw InvalidInput(
          fmt::format(
              "between slip angles {} and {} degrees the tangential force does not oppose the slip (mean {:.4g} of the "
              "normal "
              "force): check the zero of the amplifier and which column is tangential",
              10 * k, 10 * k + 10, force[k] / count[k]),
          "columns");
  }
}

}  // namespace

FoldedSignals fold(PinRecord& record, const SignalOptions& options) {
  require_valid(record);
  if (!(options.lowpass >= 0) || !std::isfinite(options.lowpass))
    throw InvalidInput(
        fmt::format("low-pass: found {:.6g} cycles per revolution; expected a number above 0, or 0 for "
                    "none",
                    options.lowpass));
  if (!(options.outliers >= 0))
    throw InvalidInput(fmt::format("outliers: found {:.6g} deviations; expected a number above 0, or 0 to keep all",
                                   options.outliers));
  require_finite(options.offset, "offset of the angle");
  require_finite(options.misalignment, "misalignment of the sensor");
  if (options.bins < 0 || options.bins > kMostBins)
    throw InvalidInput(fmt::format("bins: found {}; expected up to {} of a turn, or 0 for as many as samples",
                                   options.bins, kMostBins));
  if (options.sense < -1 || options.sense > 1)
    throw InvalidInput(fmt::format("sense: found {}; expected 1, -1, or 0 to estimate it", options.sense));
  FoldedSignals result;
  unwrap(record.angle);
  result.directions = join_directions(record);
  const bool joined = result.directions.reversals > 0;
  if (joined && (options.lowpass > 0 || options.detrend))
    throw InvalidInput(
        "the disk turns in both directions: a low-pass or a drift in time cannot be combined with that; remove it, or "
        "give a record of one direction");
  const Turns turns = turns_of(record.angle);
  result.revolutions = turns.revolutions;
  result.samples = record.size();
  result.samples_each = turns.samples_each;
  if (options.lowpass > 0) {
    result.filter = butterworth_lowpass(options.order, options.lowpass / turns.samples_each);
    for (auto* signal : {&record.tangential, &record.radial, &record.normal})
      if (!signal->empty()) filter_zero_phase(result.filter, *signal);
  }
  const auto weigh = [&] {
    result.mean_normal_force = record.normal_force;
    if (record.normal.empty()) return NormalForce{record.normal_force, 0};
    const NormalForce force = check_normal_force(record.normal);
    result.mean_normal_force = force.mean;
    result.normal_variation = force.variation;
    return force;
  };
  const NormalForce normal = weigh();
  if (options.detrend || (turns.revolutions >= kDriftTurns && !joined)) {
    // Outliers would be a drift of their own.
    const Folding folding(record, turns, options);
    const Kept kept(folding, record.size(), options.outliers, result.mean_normal_force);
    std::vector<char> used(record.size());
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = kept(i, folding.bin_of(i)) ? 1 : 0;
    const auto drift = [&](std::vector<double>& signal) {
      return options.detrend ? remove_drift(signal, record.angle, options.zero_at, used)
                             : drift_of(signal, record.angle, used);
    };
    result.drift_tangential = drift(record.tangential);
    result.drift_radial = drift(record.radial);
    if (!record.normal.empty()) result.drift_normal = drift(record.normal);
    if (options.detrend) weigh();
  }
  if (options.misalignment != 0) {
    const double c = std::cos(options.misalignment), s = std::sin(options.misalignment);
    for (std::size_t i = 0; i < record.size(); ++i) {
      const double t = record.tangential[i], r = record.radial[i];
      record.tangential[i] = c * t + s * r;
      record.radial[i] = c * r - s * t;
    }
  }
  result.reversed = std::accumulate(record.tangential.begin(), record.tangential.end(), 0.0) < 0;
  const double sign = result.reversed ? -1 : 1;

  const Folding folding(record, turns, options);
  const double mean_normal = result.mean_normal_force;
  const Kept kept(folding, record.size(), options.outliers, mean_normal);

  struct Sum {
    double angle = 0, t = 0, r = 0, n = 0, count = 0;
  };
  const std::size_t bins = folding.bins();
  const double first = record.angle[0], width = 2 * kPi / static_cast<double>(bins);
  std::vector<Sum> sums(bins);
  for (std::size_t i = 0; i < record.size(); ++i) {
    const std::size_t j = folding.bin_of(i);
    if (!kept(i, j)) {
      ++result.rejected;
      continue;
    }
    Sum& s = sums[j];
    s.angle += std::remainder(record.angle[i] - first - width * static_cast<double>(j), 2 * kPi);
    s.t += record.tangential[i];
    s.r += record.radial[i];
    s.n += folding.normal(i);
    s.count += 1;
  }
  if (result.rejected > record.size() / 20)
    result.warnings.push_back(
        {fmt::format("{:.3g} % of the samples were rejected as outliers: a single scale does not describe the noise",
                     100.0 * static_cast<double>(result.rejected) / static_cast<double>(record.size()))});

  // Second moments of the noise within bins, sample by sample in time.
  std::vector<Pair> means(bins);
  for (std::size_t j = 0; j < bins; ++j)
    if (sums[j].count > 0) means[j] = {sums[j].t / sums[j].n, sums[j].r / sums[j].n};
  const std::size_t blocks = std::min(kMostBlocks, folding.whole());
  if (blocks > 1) {
    result.blocks.resize(blocks);
    for (auto& block : result.blocks) {
      block.tangential.resize(bins);
      block.radial.resize(bins);
    }
  }
  double tt = 0, rr = 0, lag_t = 0, lag_r = 0, freedom = 0;
  Pair before;
  for (std::size_t i = 0; i < record.size() && blocks > 1; ++i) {
    const std::size_t j = folding.bin_of(i);
    if (!kept(i, j)) {
      before = {};
      continue;
    }
    const Pair e = folding.residual(i, means[j], mean_normal);
    auto& block = result.blocks[folding.revolution_of(i) * blocks / folding.whole()];
    block.tangential[j] += sign * e.tangential;
    block.radial[j] += sign * e.radial;
    block.samples += 1;
    tt += e.tangential * e.tangential;
    rr += e.radial * e.radial;
    lag_t += e.tangential * before.tangential;
    lag_r += e.radial * before.radial;
    before = e;
  }
  for (const Sum& s : sums) freedom += std::max(0.0, s.count - 1);
  if (blocks > 1 && freedom > 0) {
    result.noise_tangential = std::sqrt(tt / freedom);
    result.noise_radial = std::sqrt(rr / freedom);
    result.autocorrelation = tt + rr > 0 ? (lag_t / std::max(tt, 1e-300) + lag_r / std::max(rr, 1e-300)) / 2 : 0;
  }

  // Slip angles; bins by angle. A bin without samples is left out.
  const double turned = (result.reversed ? kPi : 0) + options.offset;
  const auto finish = [&](int sense) {
    std::vector<std::size_t> order;
    std::vector<FoldedBin> unsorted(bins);
    for (std::size_t j = 0; j < bins; ++j) {
      if (sums[j].count == 0) continue;
      const double angle = first + width * static_cast<double>(j) + sums[j].angle / sums[j].count;
      unsorted[j] = {wrap_to_turn(sense * angle + turned), sign * means[j].tangential, sign * means[j].radial,
                     sums[j].count};
      order.push_back(j);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return unsorted[a].slip_angle < unsorted[b].slip_angle; });
    result.bins.clear();
    for (const std::size_t j : order) result.bins.push_back(unsorted[j]);
    result.sense = sense;
    return order;
  };
  std::vector<std::size_t> order = finish(options.sense < 0 ? -1 : 1);
  check_opposes(result.bins);
  result.sense_correlation = flow_correlation(result.bins);
  if (options.sense == 0 && result.sense_correlation < -0.3) {
    order = finish(-1);
    result.sense_correlation = -result.sense_correlation;
  }
  for (auto& block : result.blocks) {
    FoldedSignals::Block sorted;
    sorted.samples = block.samples;
    for (const std::size_t j : order) {
      sorted.tangential.push_back(block.tangential[j]);
      sorted.radial.push_back(block.radial[j]);
    }
    block = std::move(sorted);
  }
  internal::warn_of_size(result);
  internal::warn_of_normal_force(result, normal);
  internal::warn_of_lowpass(result, options);
  internal::warn_of_directions(result);
  internal::warn_of_sense(result, options);
  internal::warn_of_drift(result, options);
  return result;
}

void shift_angle(FoldedSignals& signals, double by) {
  require_finite(by, "shift of the slip angle");
  if (signals.bins.empty()) return;
  for (FoldedBin& b : signals.bins) b.slip_angle = wrap_to_turn(b.slip_angle + by);
  const auto least =
      std::min_element(signals.bins.begin(), signals.bins.end(),
                       [](const FoldedBin& a, const FoldedBin& b) { return a.slip_angle < b.slip_angle; });
  const auto first = least - signals.bins.begin();
  std::rotate(signals.bins.begin(), least, signals.bins.end());
  for (auto& block : signals.blocks) {
    std::rotate(block.tangential.begin(), block.tangential.begin() + first, block.tangential.end());
    std::rotate(block.radial.begin(), block.radial.begin() + first, block.radial.end());
  }
}

void turn_forces(FoldedSignals& signals, double by) {
  require_finite(by, "turn of the forces");
  const double c = std::cos(by), s = std::sin(by);
  const auto turn = [&](double& t, double& r) {
    const double old = t;
    t = c * old - s * r;
    r = c * r + s * old;
  };
  for (FoldedBin& b : signals.bins) turn(b.tangential, b.radial);
  for (auto& block : signals.blocks)
    for (std::size_t j = 0; j < block.tangential.size(); ++j) turn(block.tangential[j], block.radial[j]);
}

}  // namespace slipset
