#include "slipset/systems/forced_oscillator.hpp"

namespace slipset {

AxialSystem forced_oscillator(const ForcedOscillatorParameters& p) {
  require_positive(p.mass, "forced-oscillator: mass");
  const auto one = [](double x) { return VectorX::Constant(1, x); };
  AxialSystemParameters s;
  s.mass = one(p.mass);
  s.stiffness = CompactMatrix::tridiagonal(one(0), one(p.stiffness), one(0));
  if (p.damping != 0) s.damping = CompactMatrix::tridiagonal(one(0), one(p.damping), one(0));
  s.limits = one(p.friction_limit);
  if (p.static_limit != 0) s.static_limits = one(p.static_limit);
  if (p.amplitude != 0) s.forces = {{0, {0, 0, p.amplitude, p.frequency, p.phase}}};
  s.coordinates = {"x"};
  return AxialSystem(std::move(s));
}

}  // namespace slipset
