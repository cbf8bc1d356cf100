#include "slipset/identification/unseen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"

namespace slipset {
namespace {

// Bins one beside the other.
struct SeenPart {
  double from, to;
  std::size_t bins;
};

// A larger step ends a part.
constexpr double kNextBin = 5 * kPi / 180;

// Once around, from behind a step that ends a part; empty if there is none. Angles grow, also beyond a turn.
std::vector<SeenPart> parts_of(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  const auto at = [&](std::size_t i) { return sorted[i % n] + 2 * kPi * static_cast<double>(i / n); };
  std::size_t first = 0;
  while (first < n && at(first + 1) - at(first) <= kNextBin) ++first;
  std::vector<SeenPart> parts;
  for (std::size_t i = first + 1; first < n && i <= first + n; ++i) {
    if (parts.empty() || at(i) - at(i - 1) > kNextBin)
      parts.push_back({at(i), at(i), 1});
    else
      parts.back().to = at(i), ++parts.back().bins;
  }
  return parts;
}

// A bin that is the mean over a jump, or on the very normal of a flat side, lies alone within the gap: it is passed over
// where the gap is wide. Several of them are a curve that turns quickly.
Unseen gaps_between(std::vector<double> angles) {
  for (double& angle : angles) angle = wrap_to_turn(angle);
  std::sort(angles.begin(), angles.end());
  std::vector<SeenPart> parts = angles.size() < 2 ? std::vector<SeenPart>{} : parts_of(angles);
  const std::size_t few = 1 + angles.size() / 1000;
  // From a part of many bins, if there is one.
  const auto many = [&](const SeenPart& part) { return part.bins > few; };
  const auto turn = std::find_if(parts.begin(), parts.end(), many);
  for (auto part = parts.begin(); part != turn && turn != parts.end(); ++part)
    part->from += 2 * kPi, part->to += 2 * kPi;
  if (turn != parts.end()) std::rotate(parts.begin(), turn, parts.end());
  Unseen unseen;
  const auto add = [&](double from, double to, double least) {
    if (!(to - from > least)) return false;
    const double wrapped = wrap_to_turn(from);
    unseen.gaps.push_back({wrapped, wrapped + (to - from)});
    unseen.share += (to - from) / (2 * kPi);
    return true;
  };
  const std::size_t count = parts.size();
  const auto from_of = [&](std::size_t i) { return parts[i % count].from + (i >= count ? 2 * kPi : 0); };
  for (std::size_t i = 0; i < count;) {
    std::size_t next = i + 1, alone = 0;  // the next part of many bins, and the bins between
    while (next < count && !many(parts[next])) alone += parts[next++].bins;
    const bool passed =
        many(parts[i]) && alone > 0 && alone <= few && add(parts[i].to, from_of(next), 1.5 * kLargestGap);
    if (!passed) add(parts[i].to, from_of(i + 1), kLargestGap);
    i = passed ? next : i + 1;
  }
  std::sort(unseen.gaps.begin(), unseen.gaps.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  return unseen;
}

std::string comma_list(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

// In [0, 360) with one digit.
double whole_tenths(double angle) {
  const double rounded = std::round(10 * degrees(wrap_to_turn(angle))) / 10;
  return rounded >= 360 ? 0 : rounded;
}

}  // namespace

std::string Unseen::seen_text() const {
  std::vector<AngleInterval> seen;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const double from = gaps[i].to, to = i + 1 < gaps.size() ? gaps[i + 1].from : gaps[0].from + 2 * kPi;
    seen.push_back({wrap_to_turn(from), wrap_to_turn(from) + (to - from)});
  }
  std::sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<std::string> parts;
  for (const AngleInterval& part : seen)
    parts.push_back(part.width() < radians(10)
                        ? fmt::format("{:g}", whole_tenths((part.from + part.to) / 2))
                        : fmt::format("{:g} to {:g}", whole_tenths(part.from), whole_tenths(part.to)));
  return comma_list(parts) + " degrees";
}

std::string Unseen::gaps_text() const {
  std::vector<std::string> parts;
  for (const AngleInterval& gap : gaps)
    parts.push_back(fmt::format("{:g} to {:g}", whole_tenths(gap.from), whole_tenths(gap.to)));
  return comma_list(parts) + " degrees";
}

Unseen unseen_directions(const FoldedSignals& signals, const FlowFit& fit) {
  std::vector<double> measured, fitted;
  for (const FoldedBin& bin : signals.bins) {
    measured.push_back(bin.slip_angle + std::atan2(bin.radial, bin.tangential));
    const Vec2 s = fit.model.evaluate(bin.slip_angle, fit.free);
    fitted.push_back(bin.slip_angle + std::atan2(s.y(), s.x()));
  }
  Unseen by_data = gaps_between(std::move(measured)), by_fit = gaps_between(std::move(fitted));
  return by_data.share >= by_fit.share ? by_data : by_fit;
}

}  // namespace slipset
