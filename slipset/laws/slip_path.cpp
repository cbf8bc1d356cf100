#include "slipset/laws/slip_path.hpp"

#include <fmt/format.h>

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
  if (count < 8) throw InvalidInput(fmt::format("law: {} nodes along its slip states; expected 8 or more", count));
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

std::vector<FlatSide> flat_sides(const FrictionLaw& law, int count) {
  std::vector<FlatSide> sides;
  const std::vector<SlipNode> path = slip_path(law, count);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const SlipNode &here = path[i], &next = path[(i + 1) % path.size()];
    const Vec2 normal = unit(here.slip_angle);
    if ((normal - unit(next.slip_angle)).norm() > 1e-12) continue;
    if ((unit(here.resistance_angle) - unit(next.resistance_angle)).norm() < 1e-9) continue;
    if (!sides.empty() && (sides.back().normal - normal).norm() < 1e-9) continue;
    if (!sides.empty() && (sides.front().normal - normal).norm() < 1e-9) continue;
    const Face face = law.direction().support_face(normal);
    if (face.is_flat()) sides.push_back({normal, face.from, face.to});
  }
  return sides;
}

}  // namespace slipset
