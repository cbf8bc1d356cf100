#include "slipset/laws/destabilising.hpp"

#include "slipset/laws/slip_path.hpp"
#include "slipset/sets/boundary_scan.hpp"

namespace slipset {
namespace {

// Intervals closer than this [rad] are one.
constexpr double kTouching = 1e-11;

// The largest n·v over the normals n of C at θ, for slip at φ.
double alignment(const PlanarSet& reservoir, double theta, double phi) {
  const AngleInterval cone = reservoir.normal_cone(unit(theta));
  const double off = std::abs(wrap_to_pi(phi - (cone.from + cone.width() / 2)));
  return std::cos(std::max(0.0, off - cone.width() / 2));
}

// Sorted, each from in [0, 2π), touching ones merged, also across the full turn.
std::vector<AngleInterval> merged(std::vector<AngleInterval> intervals) {
  for (AngleInterval& i : intervals) {
    const double width = i.width();
    i.from = wrap_to_turn(i.from);
    i.to = i.from + width;
  }
  std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<AngleInterval> result;
  for (const AngleInterval& i : intervals) {
    if (!result.empty() && i.from <= result.back().to + kTouching)
      result.back().to = std::max(result.back().to, i.to);
    else
      result.push_back(i);
  }
  if (result.size() > 1 && result.front().from + 2 * kPi <= result.back().to + kTouching) {
    result.back().to = std::max(result.back().to, result.front().to + 2 * kPi);
    result.erase(result.begin());
  }
  return result;
}

}  // namespace

std::vector<AngleInterval> destabilising_directions(const FrictionLaw& law) {
  const PlanarSet& c = law.reservoir();
  const AngleFunction by_slip = [&](double phi) { return alignment(c, resistance_angle_at(law, phi), phi); };
  const AngleFunction by_resistance = [&](double theta) {
    return alignment(c, theta, slip_angles_at(law, theta).from);
  };

  std::vector<SlipNode> path = slip_path(law);
  path.push_back({path.front().resistance_angle + 2 * kPi, path.front().slip_angle + 2 * kPi});
  std::vector<AngleInterval> slips;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const SlipNode &from = path[i], &to = path[i + 1];
    const double turn = to.slip_angle - from.slip_angle, move = to.resistance_angle - from.resistance_angle;
    if (turn > move) {
      const std::vector<AngleInterval> parts = negative_parts(by_slip, from.slip_angle, to.slip_angle, 3);
      slips.insert(slips.end(), parts.begin(), parts.end());
    } else if (move > 1e-14) {
      for (const AngleInterval& part : negative_parts(by_resistance, from.resistance_angle, to.resistance_angle, 3)) {
        // At the ends of the segment the node knows the angle better: a corner has a fan there.
        const double first = part.from > from.resistance_angle ? slip_angles_at(law, part.from).to : from.slip_angle;
        const double last = part.to < to.resistance_angle ? slip_angles_at(law, part.to).from : to.slip_angle;
        slips.push_back({first, std::max(first, last)});
      }
    }
  }
  return merged(std::move(slips));
}

bool slips_into_reservoir(const FrictionLaw& law, const Vec2& v) {
  const double phi = angle_of(v);
  return alignment(law.reservoir(), resistance_angle_at(law, phi), phi) < 0;
}

}  // namespace slipset
