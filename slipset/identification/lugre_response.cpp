// The friction of a LuGre model along a record of velocities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"
#include "slipset/identification/rate_fit.hpp"

namespace slipset {
namespace {

// y = σ0 z and the way over σ0: dy/dτ = sgn v g - y with dτ = σ0 dw/g. With g linear in τ this has a closed form (I.26),
// whatever the velocity does on the way; in steady sliding (r large) it is the curve itself, and its lag.
double advanced(double y, double sign, double stiffness_times_way, double g0, double g1) {
  const double r = 2 * stiffness_times_way / (g0 + g1), decay = std::exp(-r);
  const double mean = r > 1e-12 ? -std::expm1(-r) / r : 1;
  return y * decay + sign * (g1 - g0 * decay - (g1 - g0) * mean);
}

// A velocity between two samples: linear, with a parabola on it by which the way is that of the cubic through four
// samples, where these are evenly spaced. The force after a reversal is as good as the way.
struct Between {
  double v0, v1, bump;
  double operator()(double part) const { return v0 + (v1 - v0) * part + bump * part * (1 - part); }
};
Between between(std::span<const double> t, std::span<const double> v, std::size_t i) {
  const double h = t[i] - t[i - 1];
  const auto alike = [&](double other) { return std::abs(other - h) < 0.01 * h; };
  const bool even = i > 1 && i + 1 < t.size() && alike(t[i - 1] - t[i - 2]) && alike(t[i + 1] - t[i]);
  return {v[i - 1], v[i], even ? (v[i - 1] + v[i] - v[i - 2] - v[i + 1]) / 4 : 0};
}

}  // namespace

double stribeck_friction(double v, double friction, const Stribeck& stribeck) {
  const double sign = v > 0 ? 1 : v < 0 ? -1 : 0;
  return sign * friction * stribeck.factor(std::abs(v));
}

// The number of parts depends on the record alone, so that the force is smooth in the parameters.
std::vector<double> lugre_response(std::span<const double> time, std::span<const double> velocity, double friction,
                                   const Stribeck& stribeck, const LuGre& lugre, double z0) {
  if (time.size() != velocity.size())
    throw InvalidInput(
        fmt::format("LuGre: {} times and {} velocities; expected as many of each", time.size(), velocity.size()));
  const auto limit = [&](double v) { return friction * stribeck.factor(std::abs(v)); };
  std::vector<double> force(time.size());
  double y = lugre.sigma0 * z0, g0 = time.empty() ? 0 : limit(velocity[0]);
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (i > 0) {
      const Between v = between(time, velocity, i);
      const double largest = std::max({std::abs(v.v0), std::abs(v.v1), 1e-300});
      const double parts = std::clamp(std::ceil(8 * std::abs(v.v1 - v.v0) / largest), 1.0, 8.0);
      const double k = lugre.sigma0 * (time[i] - time[i - 1]) / parts;
      double a = v.v0;
      for (double part = 1; part <= parts; ++part) {
        const double b = part == parts ? v.v1 : v(part / parts), g1 = limit(b);
        if (a * b < 0) {  // it turns back
          const double u = a / (a - b), g = limit(0);
          y = advanced(y, a > 0 ? 1 : -1, k * std::abs(a) / 2 * u, g0, g);
          y = advanced(y, b > 0 ? 1 : -1, k * std::abs(b) / 2 * (1 - u), g, g1);
        } else {
          const double mean = (a + 4 * v((part - 0.5) / parts) + b) / 6;
          y = advanced(y, mean > 0 ? 1 : -1, k * std::abs(mean), g0, g1);
        }
        a = b;
        g0 = g1;
      }
    }
    const double z_rate = velocity[i] - std::abs(velocity[i]) * y / g0;
    force[i] = y + lugre.sigma1 * z_rate + lugre.sigma2 * velocity[i];
  }
  return force;
}

}  // namespace slipset
