#include "slipset/laws/regularized.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset {

RegularizedCoulomb::RegularizedCoulomb(Regularization kind, double epsilon, RampWidth width)
    : kind_(kind), epsilon_(epsilon), half_width_(width == RampWidth::half ? epsilon / 2 : epsilon), width_(width) {
  if (kind == Regularization::sign) {
    half_width_ = 0;
    return;
  }
  if (!(epsilon > 0 && std::isfinite(epsilon)))
    throw InvalidInput(
        fmt::format("regularize: epsilon of {} is {}; it is the slip speed over which friction is smoothed "
                    "and must be positive and finite, as in 0.02 (twice the step of an RK4 run)",
                    name(), epsilon));
}

double RegularizedCoulomb::ramp_slope() const {
  return kind_ == Regularization::sign || kind_ == Regularization::karnopp ? 0 : 1 / half_width_;
}

double RegularizedCoulomb::force(double v, double balance, double limit) const {
  return visit([&](const auto& law) { return law(v, balance, limit); });
}

}  // namespace slipset
