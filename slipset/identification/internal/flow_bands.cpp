#include "slipset/identification/internal/flow_bands.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

template <class SetOf>
std::vector<Band> band_of(const FlowFit& fit, int count, SetOf&& set_of) {
  std::vector<Band> band;
  const PlanarSet best = set_of(fit.free);
  std::vector<std::vector<double>> radii(static_cast<std::size_t>(count));
  for (const Eigen::VectorXd& free : fit.replications) {
    try {
      const PlanarSet set = set_of(free);
      for (int i = 0; i < count; ++i)
        radii[static_cast<std::size_t>(i)].push_back(set.radius(2 * kPi * i / (count - 1)));
    } catch (const InvalidInput&) {
      // a replication beyond the model's range says nothing
    }
  }
  for (int i = 0; i < count; ++i) {
    auto& r = radii[static_cast<std::size_t>(i)];
    const double angle = 2 * kPi * i / (count - 1), value = best.radius(angle);
    std::sort(r.begin(), r.end());
    const auto at = [&](double part) {
      return r.empty() ? value : r[static_cast<std::size_t>(part * static_cast<double>(r.size() - 1) + 0.5)];
    };
    band.push_back({angle, value, at(0.025), at(0.975)});
  }
  return band;
}

}  // namespace

std::vector<Band> reservoir_band(const FlowFit& fit, int count) {
  return band_of(fit, count, [&](const Eigen::VectorXd& free) { return fit.model.reservoir(free); });
}

std::vector<Band> direction_band(const FlowFit& fit, int count) {
  // Of one area for all: D's scale is free, and the band is to show its shape.
  const double area = fit.model.direction(fit.free).area();
  return band_of(fit, count, [&](const Eigen::VectorXd& free) {
    const PlanarSet set = fit.model.direction(free);
    return set.scaled(std::sqrt(area / set.area()));
  });
}

}  // namespace slipset::internal
