#include "slipset/laws/friction_law.hpp"

#include <fmt/format.h>

#include "slipset/sets/boundary_scan.hpp"

namespace slipset {
namespace {

PlanarSet largest_copy_inside(const PlanarSet& reservoir, const PlanarSet& direction) {
  if (!direction.is_convex())
    throw InvalidInput("direction set: " + direction.description() +
                       " is not convex; a direction set must be convex, or a slip direction would have several "
                       "resistances: use its convex hull");
  require_moderate(reservoir, "reservoir");
  require_moderate(direction, "direction set");
  return direction.scaled(radius_ratio(reservoir, direction).smallest.value);
}

}  // namespace

void require_moderate(const PlanarSet& set, const char* what) {
  double least = INFINITY, most = 0;
  for (const double angle : set.resolving_angles(32)) {
    const double radius = set.radius(angle);
    least = radius < least ? radius : least;
    most = radius > most ? radius : most;
  }
  if (!(least > 1e-100 && most < 1e100 && most / least < 1e7))
    throw InvalidInput(
        fmt::format("{}: its radii reach from {:.6g} to {:.6g}; they must be within 1e-100 and 1e100, the "
                    "largest below 1e7 times the smallest",
                    what, least, most));
}

double Stribeck::factor(double speed) const {
  const double x = speed / velocity;
  return 1 + (static_ratio - 1) * std::exp(-x * x) + viscous * speed;
}

double Stribeck::slope(double speed) const {
  const double x = speed / velocity, decay = std::exp(-x * x);
  return (decay == 0 ? 0 : -2 * x / velocity * (static_ratio - 1) * decay) + viscous;
}

// The exponential falls most steeply at velocity/√2.
bool Stribeck::falls() const { return slope(velocity / std::sqrt(2.0)) < 0; }

FrictionLaw::FrictionLaw(PlanarSet reservoir, PlanarSet direction, std::optional<Stribeck> stribeck)
    : reservoir_(std::move(reservoir)), direction_(largest_copy_inside(reservoir_, direction)), stribeck_(stribeck) {
  if (!stribeck_) return;
  require_positive(stribeck_->static_ratio, "stribeck: static");
  require_positive(stribeck_->velocity, "stribeck: velocity");
  if (!(stribeck_->viscous >= 0) || !std::isfinite(stribeck_->viscous))
    throw InvalidInput(
        fmt::format("stribeck: viscous: found {:.6g}; expected a number not below 0", stribeck_->viscous));
}

FrictionLaw FrictionLaw::with_stribeck(const Stribeck& stribeck) const {
  FrictionLaw copy(reservoir_, direction_, stribeck);
  copy.elastic_ = elastic_;
  return copy;
}

FrictionLaw FrictionLaw::with_elastic(const Adhesion& adhesion) const {
  FrictionLaw copy = *this;
  copy.elastic_ = adhesion;
  return copy;
}

FrictionLaw FrictionLaw::turned(double by) const {
  FrictionLaw copy = *this;
  copy.reservoir_ = reservoir_.turned(by);
  copy.direction_ = direction_.turned(by);
  if (elastic_) copy.elastic_ = elastic_->turned(by);
  return copy;
}

Vec2 slip_resistance(const FrictionLaw& law, const Vec2& v) {
  const Vec2 s = slip_resistance(law.reservoir(), law.direction(), v);
  return law.stribeck() ? Vec2(s * law.stribeck()->factor(std::hypot(v.x(), v.y()))) : s;
}

Face slip_resistance_range(const FrictionLaw& law, const Vec2& v) {
  const Face side = law.direction().support_face(v);
  if (v.isZero(0)) return side;
  const double factor = law.stribeck() ? law.stribeck()->factor(std::hypot(v.x(), v.y())) : 1;
  const auto on_reservoir = [&](const Vec2& z) { return Vec2(z * (factor / law.reservoir().gauge(z))); };
  return {on_reservoir(side.from), on_reservoir(side.to)};
}

// ∂s/∂v is homogeneous of degree -1, but for Stribeck's factor: taken at a speed of about 1, a power of two away, no
// square is out of range.
std::optional<Mat2> slip_jacobian(const FrictionLaw& law, const Vec2& given) {
  const PlanarSet &c = law.reservoir(), &d = law.direction();
  int exponent = 0;
  std::frexp(given.lpNorm<Eigen::Infinity>(), &exponent);
  const Vec2 v(std::ldexp(given.x(), -exponent), std::ldexp(given.y(), -exponent));
  const std::optional<Mat2> hessian = d.support_hessian(v);
  if (!hessian) return std::nullopt;
  const Vec2 z = d.support_point(v);
  Mat2 jacobian = Mat2::Zero();
  if (!hessian->isZero(0)) {
    if (c.normal_cone(z).width() > 0) return std::nullopt;
    const double k = c.gauge(z);
    const Mat2 along_boundary = Mat2::Identity() - z * c.gauge_gradient(z).transpose() / k;  // I - L̃
    jacobian = along_boundary * *hessian / k * std::ldexp(1.0, -exponent);
  }
  const auto finite = [](const Mat2& m) { return m.allFinite() ? std::optional(m) : std::nullopt; };
  if (!law.stribeck()) return finite(jacobian);
  const double speed = given.stableNorm();
  const Vec2 s = z / c.gauge(z);
  return finite(law.stribeck()->factor(speed) * jacobian +
                law.stribeck()->slope(speed) * s * (given / speed).transpose());
}

double dissipation(const FrictionLaw& law, const Vec2& v) { return slip_resistance(law, v).dot(v); }

bool is_admissible(const FrictionLaw& law, const Vec2& resistance, double slack) {
  const double at_rest = law.stribeck() ? law.stribeck()->factor(0) : 1;
  return law.reservoir().gauge(resistance) <= at_rest * (1 + slack);
}

double alpha_of_resistance(const FrictionLaw& law, const Vec2& resistance) {
  return 1 / (law.direction().gauge(resistance) - law.reservoir().gauge(resistance) + 1);
}

double alpha_of_scaled(const FrictionLaw& law, const Vec2& z) {
  return law.reservoir().gauge(z) - law.direction().gauge(z) + 1;
}

}  // namespace slipset
