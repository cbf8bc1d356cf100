// What is warned of in a pin's record: filters that are too low, outliers, a normal force of zero, impossible friction.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/identification/signals.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

PinRecord turning_record() {
  return simulate_tribometer(associated(Ellipse(0.5, 0.3)), {.revolutions = 5, .samples = 180, .noise = 0.01});
}

const Advice* find_warning(const FoldedSignals& signals, const std::string& words) {
  for (const Advice& warning : signals.warnings)
    if (warning.text.find(words) != std::string::npos) return &warning;
  return nullptr;
}

}  // namespace

TEST_CASE("a low-pass that takes the directions of the surface away is warned of") {
  const auto filtered = [](double cutoff) {
    PinRecord record = turning_record();
    SignalOptions options;
    options.lowpass = cutoff;
    return fold(record, options);
  };
  const FoldedSignals round = filtered(1);
  const Advice* const grave = find_warning(round, "of the second");
  REQUIRE(grave != nullptr);
  CHECK(grave->grave);
  // The number is right: the second harmonic of λ_t, with and without the filter.
  const auto second = [](const FoldedSignals& s) {
    double a = 0, b = 0;
    for (const FoldedBin& bin : s.bins)
      a += bin.tangential * std::cos(2 * bin.slip_angle), b += bin.tangential * std::sin(2 * bin.slip_angle);
    return std::hypot(a, b) / static_cast<double>(s.bins.size());
  };
  CHECK(second(filtered(2)) / second(filtered(40)) == within(0.5, 0.05));
  REQUIRE(find_warning(filtered(2), "leaves 50 % of the second") != nullptr);
  const FoldedSignals little = filtered(5);
  REQUIRE(find_warning(little, "of the second") != nullptr);
  CHECK_FALSE(find_warning(little, "of the second")->grave);
  CHECK(find_warning(filtered(20), "of the second") == nullptr);
}

TEST_CASE("rejected outliers are no drift; a drift beside them is found, and taken off") {
  const auto spiked = [](double drift) {
    PinRecord record = turning_record();
    for (std::size_t i = 0; i < record.size(); ++i) {
      record.tangential[i] += drift * static_cast<double>(i) / static_cast<double>(record.size() - 1);
      if (i % 50 == 7 && i < record.size() / 2) record.tangential[i] *= 50;  // more of them at the start
    }
    return record;
  };
  PinRecord record = spiked(0);
  const FoldedSignals signals = fold(record);
  CHECK(signals.rejected >= 9);
  CHECK(std::abs(signals.drift_tangential) < 0.05);
  CHECK(find_warning(signals, "drift") == nullptr);
  record = spiked(0.5);
  const FoldedSignals drifting = fold(record);
  CHECK(drifting.drift_tangential == within(0.5, 0.05));
  CHECK(find_warning(drifting, "drift") != nullptr);
  record = spiked(0.5);
  SignalOptions options;
  options.detrend = true;
  options.zero_at = ZeroAt::start;
  const FoldedSignals straight = fold(record, options);
  CHECK(straight.drift_tangential == within(0.5, 0.05));
  record = turning_record();
  const FoldedSignals clean = fold(record);
  for (std::size_t j = 0; j < clean.bins.size(); j += 30)
    CHECK(straight.bins[j].tangential == within(clean.bins[j].tangential, 0.02));
}

TEST_CASE("one sample without a normal force is said, with its row") {
  PinRecord record = turning_record();
  record.normal[122] = 0;
  const FoldedSignals signals = fold(record);
  REQUIRE(find_warning(signals, "1 of 900 samples, the first in row 123") != nullptr);
  record = turning_record();
  CHECK(find_warning(fold(record), "normal force") == nullptr);
}

TEST_CASE("friction of more than ten times the normal force is not believed") {
  PinRecord record = turning_record();
  for (double& f : record.normal) f /= 1000;  // kN read as N
  const FoldedSignals signals = fold(record);
  const Advice* const warning = find_warning(signals, "times the normal force");
  REQUIRE(warning != nullptr);
  CHECK(warning->grave);
  CHECK(warning->setting == "units");
  record = turning_record();
  CHECK(find_warning(fold(record), "times the normal force") == nullptr);
}
