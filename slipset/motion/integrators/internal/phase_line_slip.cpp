#include "slipset/motion/integrators/internal/phase_line_slip.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset::internal {
namespace {

constexpr double kSameForce = 1e-6;  // components this near are one

double sliding_component(const Phase& phase, std::size_t i, const Vec2& direction) {
  const FrictionLaw& law = phase.law(i).law();
  const Vec2 resistance = law.reservoir().boundary_point(resistance_angle_at(law, angle_of(direction)));
  return phase.stribeck_at(i, 0) * direction.dot(resistance);
}

}  // namespace

// The forces of slip and of stick differ by ΔF = λ_N (r - s)·e / (1 - κ s·e), with κ = 0 for a given normal force and
// 1 - κ s·e > 0 without Painlevé's paradox; the slip's acceleration has its sign, whatever the other contacts hold.
bool slip_solves_too(const Phase& phase, std::size_t i) {
  const ContactPhase& c = phase.contact(i);
  if (!c.line || c.mode != PhaseMode::stick) return false;
  const double needed = c.resistance.dot(c.along);
  const Vec2 direction = needed < 0 ? Vec2(-c.along) : c.along;
  return std::abs(needed) > (1 + kSameForce) * sliding_component(phase, i, direction);
}

void require_one_sliding_force(const Phase& phase, std::size_t i, const std::string& name) {
  const ContactPhase& c = phase.contact(i);
  if (!c.line) return;
  for (const FlatSide& side : phase.sides(i)) {
    if (std::abs(cross(c.along, side.normal)) > 1e-9) continue;
    double least = INFINITY, most = -INFINITY;
    constexpr int kPieces = 16;
    for (int k = 0; k <= kPieces; ++k) {
      const Vec2 z = side.from + (side.to - side.from) * (static_cast<double>(k) / kPieces);
      const double component = side.normal.dot(z) / phase.law(i).law().reservoir().gauge(z);
      least = std::min(least, component);
      most = std::max(most, component);
    }
    if (most - least > kSameForce * std::abs(most))
      throw InvalidInput(
          fmt::format("event-driven: contact \"{}\" slips along ({:.6g}, {:.6g}), which is along the normal of a flat "
                      "side of D: its "
                      "sliding force is anything from {:.6g} to {:.6g} of the normal force; turn the law a little",
                      name, side.normal.x(), side.normal.y(), least, most));
  }
}

}  // namespace slipset::internal
