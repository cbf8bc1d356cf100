#include "slipset/core/vec.hpp"

#include <cmath>

namespace slipset {

PlanarEigen symmetric_eigen(const Mat2& a) {
  const double mean = 0.5 * (a(0, 0) + a(1, 1)), half = 0.5 * (a(0, 0) - a(1, 1)), off = a(1, 0);
  const double radius = std::hypot(half, off);
  // The larger one in size by a sum; the other by the determinant, so that it does not cancel.
  const double large = mean >= 0 ? mean + radius : mean - radius;
  const double small = large == 0 ? 0 : (a(0, 0) * a(1, 1) - off * off) / large;
  const double angle = 0.5 * std::atan2(off, half);  // of the second, the largest
  const Vec2 least(std::sin(angle), -std::cos(angle));
  PlanarEigen result;
  result.values = mean >= 0 ? Vec2(small, large) : Vec2(large, small);
  result.vectors.col(0) = least.x() < 0 || (least.x() == 0 && least.y() < 0) ? Vec2(-least) : least;
  result.vectors.col(1) = turn_left(result.vectors.col(0));
  return result;
}

}  // namespace slipset
