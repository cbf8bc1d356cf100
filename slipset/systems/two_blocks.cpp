#include "slipset/systems/two_blocks.hpp"

namespace slipset {

AxialSystem two_blocks(const TwoBlocksParameters& p) {
  AxialSystemParameters s;
  s.mass = VectorX::Ones(2);
  s.stiffness = CompactMatrix::tridiagonal(Vec2(0, 0), Vec2(1, p.stiffness_ratio), Vec2(0, 0));
  s.limits = p.friction_limits;
  s.directions.resize(2, 2);
  s.directions.insert(0, 0) = 1;
  s.directions.insert(0, 1) = -1;
  s.directions.insert(1, 1) = 1;
  s.surfaces = {{0, {0, 0, p.amplitude, p.frequency, 0}}};
  return AxialSystem(std::move(s));
}

}  // namespace slipset
