#include "slipset/contact/rolling_factors.hpp"

namespace slipset {

RollingFactors::RollingFactors(const RollingLaw& law) {
  for (std::size_t k = 0; k < law.factors().size(); ++k) {
    const RollingLaw::Factor& factor = law.factors()[k];
    size[k] = factor.size;
    if (std::holds_alternative<UnitBall>(factor.set)) {
      backward[k] = forward[k] = 1;  // an interval, where it has one component
    } else if (const auto* interval = std::get_if<Interval>(&factor.set)) {
      backward[k] = interval->backward();
      forward[k] = interval->forward();
    } else {
      simple = false;
    }
  }
}

}  // namespace slipset
