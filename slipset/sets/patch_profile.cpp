// φ of (T.1): power series where its argument is small, which closed forms lose to rounding, else closed forms.
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>

#include "slipset/core/angle.hpp"
#include "slipset/sets/contensou.hpp"

namespace slipset {
namespace {

constexpr double kSeriesLimit = 0.5;  // of the squared argument
constexpr int kTerms = 56;            // 2⁻⁵⁶ is below rounding
using Series = std::array<double, kTerms>;

constexpr double squared(double x) { return x * x; }

// Σ binom(1/2, k)² m_k qᵏ with the pressure's moments m_k = ∫ p r^2k dA = Π growth(k).               (T.3)
template <class Growth>
constexpr Series by_moments(Growth growth) {
  Series series{};
  double a = 1, moment = 1;
  for (int k = 0; k < kTerms; ++k) {
    series[static_cast<std::size_t>(k)] = a * moment;
    a *= squared((k - 0.5) / (k + 1));
    moment *= growth(k);
  }
  return series;
}

// φ'' + φ'/c = ∫ p/|r - c| dA, for the uniform patch (4/π) E(c).
constexpr Series uniform_inside() {
  Series series{};
  series[0] = 2.0 / 3;
  double t = 1;
  for (int k = 0; k + 1 < kTerms; ++k) {
    series[static_cast<std::size_t>(k + 1)] = 2 * (-t / (2 * k - 1)) / squared(2 * k + 2);
    t *= squared((k + 0.5) / (k + 1));
  }
  return series;
}

constexpr Series kRing = by_moments([](int) { return 1.0; });
constexpr Series kUniformOutside = by_moments([](int k) { return (k + 1.0) / (k + 2.0); });
constexpr Series kHertzOutside = by_moments([](int k) { return (k + 1.0) / (k + 2.5); });
constexpr Series kUniformInside = uniform_inside();

PatchProfile sum(const Series& series, double q) {
  PatchProfile f{0, 0, 0};
  for (int k = kTerms - 1; k > 0; --k) {
    const double term = series[static_cast<std::size_t>(k)];
    f.value = f.value * q + term;
    f.slope_over = f.slope_over * q + 2 * k * term;
    f.bending = f.bending * q + 2 * k * (2 * k - 1) * term;
  }
  f.value = f.value * q + series[0];
  return f;
}

// Complete elliptic integrals of modulus c <= 1, and 1 - c².
struct Elliptic {
  double k, e, rest;
  explicit Elliptic(double c) : rest((1 - c) * (1 + c)) {
    constexpr double below_one = 1 - 0x1p-53;  // K is infinite at 1, and only ever stands beside 1 - c²
    k = boost::math::ellint_1(std::min(c, below_one));
    e = boost::math::ellint_2(std::min(c, below_one));
  }
};

// The same function inside and outside.
PatchProfile ring(double c) {
  const double q = c * c;
  if (q <= kSeriesLimit) return sum(kRing, q);
  const Elliptic i(c);
  const double slope = 2 / kPi * (i.e - i.rest * i.k) / q;
  return {2 / kPi * (2 * i.e - i.rest * i.k), slope, 2 / kPi * i.k - slope};
}

}  // namespace

PatchProfile patch_inside(PatchPressure pressure, double c) {
  if (pressure == PatchPressure::ring) return ring(c);
  const double q = c * c;
  if (pressure == PatchPressure::hertz) {
    constexpr double unit = 3 * kPi / 16;
    return {unit * (1 + q - q * q / 8), unit * (2 - q / 2), unit * (2 - 1.5 * q)};
  }
  if (q <= kSeriesLimit) return sum(kUniformInside, q);
  const Elliptic i(c);
  const double slope = 4 / (3 * kPi) * ((1 + q) * i.e - i.rest * i.k) / q;
  return {4 / (9 * kPi) * ((7 + q) * i.e - 4 * i.rest * i.k), slope, 4 / kPi * i.e - slope};
}

PatchProfile patch_outside(PatchPressure pressure, double s) {
  if (pressure == PatchPressure::ring) return ring(s);
  const double q = s * s;
  if (q <= kSeriesLimit) return sum(pressure == PatchPressure::hertz ? kHertzOutside : kUniformOutside, q);
  if (pressure == PatchPressure::hertz) {
    const double angle = std::asin(std::min(s, 1.0)), root = std::sqrt(std::max((1 - s) * (1 + s), 0.0)) / s;
    const double c = 1 / s, far = c * c;
    return {3.0 / 16 * s * ((2 + 2 * far - far * far / 4) * angle + root * (3.75 + (far - 1) / 4)),
            3.0 / 16 * c * ((2 - 2 * far + 0.75 * far * far) * angle + root * (1.5 - 0.75 * far)),
            3.0 / 16 * c * far * ((4 - 3 * far) * angle + root * (3 - 2 * q))};
  }
  const Elliptic i(s);
  return {4 / (9 * kPi) * ((1 + 7 * q) * i.e - i.rest * (1 + 3 * q) * i.k) / q,
          4 / (9 * kPi) * ((4 * q - 2) * i.e + i.rest * (2 - 3 * q) * i.k) / (q * q),
          4 / (3 * kPi) * ((2 - q) * i.e - 2 * i.rest * i.k) / (q * q)};
}

}  // namespace slipset
