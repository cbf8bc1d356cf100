#include "slipset/identification/directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

constexpr double kLeastTurn = kPi / 18;  // less is noise of the angle: unwrapped records may turn back by so much
constexpr double kLeastPart = kPi / 4, kCut = kPi / 36;

// Where the direction changes: the extremes from which the angle goes back by more than kLeastTurn.
std::vector<std::size_t> turning_points(std::span<const double> angle) {
  std::vector<std::size_t> points;
  std::size_t high = 0, low = 0;
  int direction = 0;
  for (std::size_t i = 1; i < angle.size(); ++i) {
    if (angle[i] > angle[high]) high = i;
    if (angle[i] < angle[low]) low = i;
    if (direction >= 0 && angle[high] - angle[i] > kLeastTurn) {
      if (direction > 0) points.push_back(high);
      direction = -1;
      low = i;
    } else if (direction <= 0 && angle[i] - angle[low] > kLeastTurn) {
      if (direction < 0) points.push_back(low);
      direction = 1;
      high = i;
    }
  }
  return points;
}

struct Means {
  std::array<double, 72> sum{}, count{};
  void add(double angle, double value) {
    const double part = angle / (2 * kPi);
    const auto bin = std::min<std::size_t>(71, static_cast<std::size_t>((part - std::floor(part)) * 72));
    sum[bin] += value;
    count[bin] += 1;
  }
};

// Half of the mean difference over the directions that both have; none if they have too few in common.
std::optional<double> offset_of(const Means& first, const Means& second) {
  double sum = 0, bins = 0;
  for (std::size_t k = 0; k < first.sum.size(); ++k)
    if (first.count[k] > 0 && second.count[k] > 0) {
      sum += (first.sum[k] / first.count[k] - second.sum[k] / second.count[k]) / 2;
      bins += 1;
    }
  return bins >= 18 ? std::optional(sum / bins) : std::nullopt;
}

}  // namespace

Directions join_directions(PinRecord& r) {
  Directions result;
  const std::vector<std::size_t> points = turning_points(r.angle);
  if (points.empty()) return result;
  result.reversals = points.size();
  std::vector<std::size_t> ends = {0};
  ends.insert(ends.end(), points.begin(), points.end());
  ends.push_back(r.size());
  const auto angle_at = [&](std::size_t end) { return r.angle[std::min(end, r.size() - 1)]; };
  double along = 0, back = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double turn = angle_at(ends[k + 1]) - r.angle[ends[k]];
    (turn > 0 ? along : back) += std::abs(turn);
    if (std::abs(turn) < kLeastPart)
      throw InvalidInput(
          fmt::format("the angle is not monotone: from row {} to {} it turns by {:.4g} degrees only, then "
                      "back; cut starts and stops, or give the angle's unit",
                      ends[k] + 1, ends[k + 1], degrees(turn)),
          "angle unit");
  }
  const double sign = along >= back ? 1 : -1;  // of the direction that is kept
  PinRecord joined;
  joined.normal_force = r.normal_force;
  std::vector<bool> turned;  // sample by sample
  std::array<Means, 2> tangential, radial;
  std::array<double, 2> sums{};
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double start = r.angle[ends[k]], end = angle_at(ends[k + 1]);
    const bool backwards = (end - start) * sign < 0;
    const double force = backwards ? -1 : 1;
    std::optional<double> shift;
    for (std::size_t j = ends[k]; j < ends[k + 1]; ++j) {
      const std::size_t i = backwards ? ends[k + 1] + ends[k] - 1 - j : j;
      if ((k > 0 && std::abs(r.angle[i] - start) < kCut) ||
          (k + 2 < ends.size() && std::abs(r.angle[i] - end) < kCut)) {
        ++result.left_out;
        continue;
      }
      const double angle = r.angle[i] + (backwards ? kPi : 0);
      if (!shift)  // the next turn that goes on from what is there
        shift = joined.angle.empty()
                    ? 0
                    : sign * 2 * kPi * std::ceil(std::max(0.0, sign * (joined.angle.back() - angle)) / (2 * kPi));
      joined.angle.push_back(angle + *shift);
      joined.tangential.push_back(force * r.tangential[i]);
      joined.radial.push_back(force * r.radial[i]);
      if (!r.normal.empty()) joined.normal.push_back(r.normal[i]);
      turned.push_back(backwards);
      tangential[backwards ? 1 : 0].add(angle, joined.tangential.back());
      radial[backwards ? 1 : 0].add(angle, joined.radial.back());
      sums[backwards ? 1 : 0] += joined.tangential.back();
    }
  }
  if (!(sums[0] * sums[1] > 0))
    throw InvalidInput(
        fmt::format("the angle is not monotone: it turns back at row {}, and the tangential force does not "
                    "change its sign there; give a record of one direction of rotation, or both directions "
                    "with signed forces, and the angle's unit",
                    points[0] + 1),
        "angle unit");
  result.offset_tangential = offset_of(tangential[0], tangential[1]).value_or(0);
  result.offset_radial = offset_of(radial[0], radial[1]).value_or(0);
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const double of = turned[i] ? -1 : 1;
    joined.tangential[i] -= of * result.offset_tangential;
    joined.radial[i] -= of * result.offset_radial;
  }
  r = std::move(joined);
  return result;
}

}  // namespace slipset
