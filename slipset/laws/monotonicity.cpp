#include "slipset/laws/monotonicity.hpp"

#include "slipset/laws/slip_path.hpp"

namespace slipset {
namespace {

constexpr int kNodes = 360;

bool violate(const SlipState& a, const SlipState& b) { return monotonicity_product(a, b) < -1e-15; }

// The resistance of a slow slip elsewhere that opposes v more than the law's own, p·v > s·v.
std::vector<SlipState> by_slow_slip(const FrictionLaw& law) {
  std::vector<SlipState> states;  // all at unit speed
  for (const SlipNode& node : slip_path(law, kNodes))
    states.push_back({unit(node.slip_angle), law.reservoir().boundary_point(node.resistance_angle)});
  double best_gain = 0;
  SlipState fast, slow;
  for (const SlipState& own : states) {
    const double drag = own.resistance.dot(own.slip_velocity);
    for (const SlipState& other : states)
      if (const double gain = other.resistance.dot(own.slip_velocity) / drag - 1; gain > best_gain) {
        best_gain = gain;
        fast = own;
        slow = other;
      }
  }
  for (; best_gain > 0 && slow.slip_velocity.norm() > 1e-6; slow.slip_velocity /= 2) {
    if (!violate(fast, slow)) continue;
    if (!law.stribeck()) return {fast, slow};
    // Both so fast that the exponential is zero to the last digit.
    const double speed = 10 * law.stribeck()->velocity / slow.slip_velocity.norm();
    const Vec2 v = speed * fast.slip_velocity, w = speed * slow.slip_velocity;
    const SlipState a{v, law.stribeck()->factor(v.norm()) * fast.resistance},
        b{w, law.stribeck()->factor(w.norm()) * slow.resistance};
    if (violate(a, b)) return {a, b};
  }
  return {};
}

std::vector<SlipState> by_falling(const FrictionLaw& law) {
  const Vec2 slow(0.5 * law.stribeck()->velocity, 0), fast = 3 * slow;
  const SlipState a{slow, slip_resistance(law, slow)}, b{fast, slip_resistance(law, fast)};
  return violate(a, b) ? std::vector<SlipState>{a, b} : std::vector<SlipState>{};
}

// A slip state at which the symmetric part of the Jacobian is indefinite, and its neighbour along the negative
// direction.
std::vector<SlipState> by_jacobian(const FrictionLaw& law) {
  for (const SlipNode& node : slip_path(law, kNodes))
    for (double x = 0.1; x < 3; x *= 1.1) {
      const Vec2 v = x * law.stribeck()->velocity * unit(node.slip_angle);
      const auto jacobian = slip_jacobian(law, v);
      if (!jacobian) continue;
      const PlanarEigen eigen = symmetric_eigen(0.5 * (*jacobian + jacobian->transpose()));
      if (eigen.values[0] >= 0) continue;
      const Vec2 w = v + 1e-3 * v.norm() * eigen.vectors.col(0);
      const SlipState a{v, slip_resistance(law, v)}, b{w, slip_resistance(law, w)};
      if (violate(a, b)) return {a, b};
    }
  return {};
}

}  // namespace

double monotonicity_product(const SlipState& a, const SlipState& b) {
  return (a.resistance - b.resistance).dot(a.slip_velocity - b.slip_velocity);
}

std::vector<SlipState> monotonicity_violation(const FrictionLaw& law) {
  std::vector<SlipState> found;
  if (law.stribeck() && law.stribeck()->falls()) found = by_falling(law);
  if (found.empty()) found = by_slow_slip(law);
  if (found.empty() && law.stribeck()) found = by_jacobian(law);
  return found;
}

}  // namespace slipset
