#include "slipset/stability/internal/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace slipset::internal {
namespace {

constexpr int kMostToBisect = 12;

// Halves of a box, cut along a line that known roots are not near to.
std::array<SpectrumBox, 2> halves(const SpectrumBox& box, const Points& known) {
  const double width = box.growth_to - box.growth_from, height = box.frequency_to - box.frequency_from;
  const bool upright = height >= width;
  double best = 0.5, widest = -1;
  for (int i = -16; i <= 16; ++i) {
    const double part = 0.5 + 0.01 * i;
    const double line = upright ? box.frequency_from + part * height : box.growth_from + part * width;
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::complex<double>& root : known)
      nearest = std::min(nearest, std::abs((upright ? root.imag() : root.real()) - line));
    if (nearest > widest) {
      widest = nearest;
      best = part;
    }
  }
  std::array<SpectrumBox, 2> result = {box, box};
  if (upright)
    result[0].frequency_to = result[1].frequency_from = box.frequency_from + best * height;
  else
    result[0].growth_to = result[1].growth_from = box.growth_from + best * width;
  return result;
}

void bisect(RootCount& count, const SpectrumBox& box, int missing, int depth, const Points& known,
            std::vector<SpectrumGap>& gaps) {
  if (depth > 0) {
    std::vector<SpectrumGap> found;
    bool resolved = true;
    for (const SpectrumBox& half : halves(box, known)) {
      const RootCount::Outcome outcome = count.missing(half, known);
      resolved = resolved && outcome.missing;
      if (outcome.missing && *outcome.missing != 0) bisect(count, half, *outcome.missing, depth - 1, known, found);
    }
    if (resolved && !found.empty()) {
      gaps.insert(gaps.end(), found.begin(), found.end());
      return;
    }
  }
  gaps.push_back({box, missing});
}

// With those on the edge to within their rounding.
bool inside(const SpectrumBox& box, const Eigenpair& pair) {
  const double slack = std::max(1e-13 * std::abs(pair.value), pair.rounding > 0 ? pair.rounding : 0.0);
  return SpectrumBox{box.growth_from - slack, box.growth_to + slack, box.frequency_from - slack,
                     box.frequency_to + slack}
      .contains(pair.value);
}

}  // namespace

Points values_of(const std::vector<Found>& found) {
  Points values;
  for (const Found& one : found) values.push_back(one.pair.value);
  return values;
}

void prove(RootCount& count, const SpectrumBox& box, const std::vector<Found>& found, SpectrumReport& report) {
  const auto begin = std::chrono::steady_clock::now();
  const Points known = values_of(found);
  report.proven = contour_around(box, known, kMargin);
  report.gaps.clear();
  report.reason.clear();
  const RootCount::Outcome outcome = count.missing(report.proven, known);
  report.largest_step = outcome.largest_step;
  report.count_listed = count_inside(report.proven, known);
  report.count_proven.reset();
  if (outcome.missing) report.count_proven = *report.count_listed + *outcome.missing;
  report.complete = outcome.missing == 0;
  if (!outcome.missing) {
    report.reason = outcome.reason;
    if (outcome.on_contour) {
      const SpectrumBox& whole = report.proven;
      const double across = 0.005 * (whole.growth_to - whole.growth_from),
                   up = 0.005 * (whole.frequency_to - whole.frequency_from);
      const std::complex<double> at = *outcome.on_contour;
      report.gaps.push_back(
          {{at.real() - across, at.real() + across, std::max(0.0, at.imag() - up), at.imag() + up}, 1});
    }
  } else if (*outcome.missing != 0) {
    // Where many are missing, halves would be as hard to count as the whole is.
    bisect(count, report.proven, *outcome.missing, std::abs(*outcome.missing) <= kMostToBisect ? 6 : 0, known,
           report.gaps);
    report.reason = fmt::format("the list has {} eigenvalues within the contour, the count gives {}",
                                *report.count_listed, *report.count_proven);
  }
  report.determinants = count.determinants();
  report.seconds_proof += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void put_pairs(const SpectrumBox& box, std::vector<Found> found, double around, Spectrum& spectrum) {
  std::vector<Eigenpair>& pairs = spectrum.pairs;
  for (const Found& one : found) {
    const std::complex<double> value = one.pair.value;
    if (value.real() > box.growth_to && value.real() > 0 && value.imag() >= box.frequency_from &&
        value.imag() <= box.frequency_to && !inside(box, one.pair))
      spectrum.faster.push_back(value);
  }
  for (Found& one : found)
    if (inside(box, one.pair))
      pairs.push_back(std::move(one.pair));
    else if (around > 0 && one.pair.left.size() > 0)
      spectrum.around.push_back(std::move(one.pair));
  // What is zero to within its rounding is zero here, so that the order does not depend on the rounding.
  const auto growth = [](const Eigenpair& pair) {
    return std::abs(pair.value.real()) <= 4 * pair.rounding ? 0.0 : pair.value.real();
  };
  std::stable_sort(pairs.begin(), pairs.end(), [&](const Eigenpair& a, const Eigenpair& b) {
    if (growth(a) != growth(b)) return growth(a) > growth(b);
    return a.value.imag() > b.value.imag();
  });
}

}  // namespace slipset::internal
