#include "slipset/systems/chain.hpp"

#include <fmt/format.h>

namespace slipset {

AxialSystem chain(const ChainParameters& p) {
  if (p.blocks < 2) throw InvalidInput(fmt::format("chain: blocks is {}; there must be at least 2", p.blocks));
  const double n = static_cast<double>(p.blocks);
  VectorX lower = VectorX::Constant(p.blocks, -n), diagonal = VectorX::Constant(p.blocks, 2 * n), upper = lower;
  diagonal[0] = n;
  diagonal[p.blocks - 1] = (p.symmetric ? 3 : 4) * n;
  lower[p.blocks - 1] = p.symmetric ? -n : -4 * n / 3;
  AxialSystemParameters s;
  s.mass = VectorX::Constant(p.blocks, 1 / n);
  s.stiffness = CompactMatrix::tridiagonal(std::move(lower), std::move(diagonal), std::move(upper));
  s.limits = VectorX::Constant(p.blocks, p.friction_limit / n);
  if (p.amplitude != 0) s.forces = {{0, {0, 0, -p.amplitude, p.frequency, 0}}};
  return AxialSystem(std::move(s));
}

}  // namespace slipset
