#include "slipset/sets/norm_mix.hpp"

#include <fmt/format.h>

#include <boost/math/quadrature/trapezoidal.hpp>

#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {
namespace {

// The 4-norm, without overflow of the powers for the range of Oriented's arguments.
double norm4(const Vec2& u) {
  const double size = u.lpNorm<Eigen::Infinity>();
  if (size == 0) return 0;
  const double x = u.x() / size, y = u.y() / size;
  return size * std::sqrt(std::sqrt(x * x * x * x + y * y * y * y));
}

// q of (S.27) for c²s² = p.
double bend4(double p) { return 3 * p / std::pow(1 - 2 * p, 1.75); }

const double kLargestBend4 = bend4(0.25);

}  // namespace

NormMix::NormMix(double a, double b, double w2, double w4, double angle)
    : SmoothSet(angle), axes_(a, b), w2_(w2), w4_(w4) {
  require_positive(a, "norm_mix: first semi-axis");
  require_positive(b, "norm_mix: second semi-axis");
  require_finite(w2, "norm_mix: first weight");
  require_finite(w4, "norm_mix: second weight");
  if (!(w2 + w4 > 0 && w2 + std::pow(2, -0.25) * w4 > 0))
    throw InvalidInput(
        fmt::format("norm_mix: weights ({}, {}) give a gauge that is not positive in every direction; "
                    "w2 + w4 and w2 + 0.8409 w4 must be positive",
                    w2, w4));
  set_convex(w2 >= 0 && w2 + kLargestBend4 * w4 >= 0);
}

// ½∫r² over the circle; the trapezoidal rule converges geometrically for a periodic analytic function.
double NormMix::area() const {
  const auto integrand = [this](double tau) {
    const double g = w2_ + w4_ * norm4(unit(tau));
    return 1 / (g * g);
  };
  return axes_.x() * axes_.y() * 2 * boost::math::quadrature::trapezoidal(integrand, 0.0, kPi / 2, 1e-14, 16);
}

LogRadius NormMix::log_radius(double tau) const {
  const Vec2 u = unit(tau);
  const double c2 = u.x() * u.x(), s2 = u.y() * u.y();
  const double n = norm4(u);
  const double n1 = u.x() * u.y() * (s2 - c2) / (n * n * n);  // dn/dτ
  const double g = w2_ + w4_ * n, g1 = w4_ * n1, g2 = w2_ + w4_ * bend4(c2 * s2) - g;
  return {-std::log(g), -g1 / g, (g1 * g1 - g * g2) / (g * g)};
}

double NormMix::own_gauge(const Vec2& t) const {
  const Vec2 u = t.cwiseQuotient(axes_);
  return w2_ * u.norm() + w4_ * norm4(u);
}

Vec2 NormMix::own_gauge_gradient(const Vec2& t) const {
  const Vec2 u = t.cwiseQuotient(axes_), cubed = (u / norm4(u)).array().cube();
  return (w2_ * u.normalized() + w4_ * cubed).cwiseQuotient(axes_);
}

std::optional<double> NormMix::own_gauge_bending(const Vec2& t) const {
  const Vec2 u = t.cwiseQuotient(axes_), n = u.normalized();
  const double own = (w2_ + w4_ * bend4(n.x() * n.x() * n.y() * n.y())) / u.norm();
  return own * turn_left(n).cwiseQuotient(axes_).squaredNorm();
}

std::vector<AngleInterval> NormMix::own_nonconvex_arcs() const {
  if (is_convex()) return {};
  // The edge of the concave part: q(p) = -w2/w4, p = sin²(2τ)/4.
  const double level = -w2_ / w4_;
  const double p = increasing_root([&](double x) { return ValueAndSlope{bend4(x) - level, 0}; }, 0, 0.25, 0.125);
  const double tau = 0.5 * std::asin(std::min(1.0, 2 * std::sqrt(p)));
  const auto polar = [&](double angle) { return std::atan2(axes_.y() * std::sin(angle), axes_.x() * std::cos(angle)); };
  const double near = polar(tau), far = polar(kPi / 2 - tau);
  if (w4_ < 0)  // concave around the diagonals
    return {{near, far}, {kPi - far, kPi - near}, {kPi + near, kPi + far}, {2 * kPi - far, 2 * kPi - near}};
  return {{-near, near}, {far, kPi - far}, {kPi - near, kPi + near}, {kPi + far, 2 * kPi - far}};
}

std::vector<double> NormMix::own_resolving_angles(int count) const {
  return stretched_angles(axes_.x(), axes_.y(), count);
}

std::string NormMix::own_description() const {
  return fmt::format("{:.6g} times the 2-norm plus {:.6g} times the 4-norm, semi-axes {:.6g} and {:.6g}", w2_, w4_,
                     axes_.x(), axes_.y());
}

std::vector<double> NormMix::parameters() const { return {axes_.x(), axes_.y(), w2_, w4_, degrees(angle())}; }

NormMix NormMix::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 5);
  return {x[0], x[1], x[2], x[3], radians(x[4])};
}

}  // namespace slipset
