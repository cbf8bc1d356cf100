#include "slipset/identification/internal/axis_order.hpp"

#include <cmath>

#include "slipset/core/angle.hpp"

namespace slipset::internal {

void order_axes(const FlowModel& model, Eigen::VectorXd& free) {
  Eigen::Index angle = -1, first = -1, second = -1, ratio = -1;
  int angles = 0;
  for (const NamedParameter& p : model.parameters(free)) {
    if (p.name.ends_with("angle")) angle = p.index, ++angles;
    if (p.name == "reservoir.semi_axes.1") first = p.index;
    if (p.name == "reservoir.semi_axes.2") second = p.index;
    if (p.name == "direction.axis_ratio") ratio = p.index;
  }
  if (angles != 1) {  // each set by itself
    for (const NamedParameter& p : model.parameters(free))
      if (p.name.ends_with("angle")) {
        const double quarter = std::round(free[p.index] / (kPi / 2));
        free[p.index] -= quarter * kPi / 2;
        if (std::fmod(std::abs(quarter), 2) != 1) continue;
        if (p.name.starts_with("reservoir") && first >= 0 && second >= 0) std::swap(free[first], free[second]);
        if (p.name.starts_with("direction") && ratio >= 0) free[ratio] = -free[ratio];
      }
    return;
  }
  const double quarter = std::round(free[angle] / (kPi / 2));
  free[angle] -= quarter * kPi / 2;
  if (std::fmod(std::abs(quarter), 2) != 1) return;
  if (first >= 0 && second >= 0) std::swap(free[first], free[second]);
  if (ratio >= 0) free[ratio] = -free[ratio];
}

}  // namespace slipset::internal
