#include "slipset/sets/oriented.hpp"

namespace slipset {

std::vector<double> stretched_angles(double a, double b, int count) {
  std::vector<double> angles;
  angles.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const Vec2 u = unit_at_degrees(360.0 * i / count);
    angles.push_back(std::atan2(b * u.y(), a * u.x()));
  }
  return angles;
}

}  // namespace slipset
