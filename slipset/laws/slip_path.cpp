#include "slipset/laws/slip_path.hpp"

#include "slipset/sets/boundary_scan.hpp"

namespace slipset {

double resistance_angle_at(const FrictionLaw& law, double slip_angle) {
  return slip_angle + wrap_to_pi(angle_of(law.direction().support_ray(unit(slip_angle))) - slip_angle);
}

AngleInterval slip_angles_at(const FrictionLaw& law, double resistance_angle) {
  const AngleInterval cone = law.direction().normal_cone(unit(resistance_angle));
  const double from = resistance_angle + wrap_to_pi(cone.from - resistance_angle);
  return {from, from + cone.width()};
}

std::vector<SlipNode> slip_path(const FrictionLaw& law, int count) {
  std::vector<SlipNode> nodes;
  for (const double theta : resolving_angles(law.reservoir(), law.direction(), count)) {
    const AngleInterval slips = slip_angles_at(law, theta);
    nodes.push_back({theta, slips.from});
    if (slips.width() > 0) nodes.push_back({theta, slips.to});
  }
  for (int i = 0; i < count; ++i) {
    const double slip = 2 * kPi * (i + 0.5) / count;  // off the axes, where flat sides often have their normals
    const double theta = resistance_angle_at(law, slip), wrapped = wrap_to_turn(theta);
    nodes.push_back({wrapped, slip + (wrapped - theta)});
  }
  // Both angles grow along the path, so their sum orders it whichever of them stands still but for rounding.
  std::sort(nodes.begin(), nodes.end(), [](const SlipNode& a, const SlipNode& b) {
    return a.resistance_angle + a.slip_angle < b.resistance_angle + b.slip_angle;
  });
  return nodes;
}

}  // namespace slipset
