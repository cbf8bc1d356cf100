#include "slipset/systems/spring_slider.hpp"

#include "slipset/core/angle.hpp"

namespace slipset {

AxialSystem spring_slider(const SpringSliderParameters& p) {
  require_positive(p.mass, "spring-slider: mass");
  require_positive(p.stiffness, "spring-slider: stiffness");
  const auto one = [](double x) { return VectorX::Constant(1, x); };
  AxialSystemParameters s;
  s.mass = one(p.mass);
  s.stiffness = CompactMatrix::tridiagonal(one(0), one(p.stiffness), one(0));
  if (p.damping != 0) s.damping = CompactMatrix::tridiagonal(one(0), one(p.damping), one(0));
  s.limits = one(p.friction_limit);
  if (p.static_limit != 0) s.static_limits = one(p.static_limit);
  s.drives = {{0, p.stiffness, p.damping, {0, p.speed, 0, 0, 0}}};
  s.coordinates = {"x"};
  return AxialSystem(std::move(s));
}

StickSlipPeriod stick_slip_period(const SpringSliderParameters& p) {
  require_positive(p.mass, "spring-slider: mass");
  require_positive(p.stiffness, "spring-slider: stiffness");
  const double drop = p.static_limit - p.friction_limit;
  if (p.damping != 0 || !(drop > 0 && std::isfinite(drop)) || !(p.speed > 0 && std::isfinite(p.speed)))
    throw InvalidInput(
        "stick-slip period: known for a slider without damper, pulled forward, with a static limit above "
        "the kinetic one");
  const double omega = std::sqrt(p.stiffness / p.mass), load = p.stiffness * p.speed;
  return {2 * drop / load, (2 * kPi - 2 * std::atan(omega * drop / load)) / omega};
}

}  // namespace slipset
