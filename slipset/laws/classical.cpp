#include "slipset/laws/classical.hpp"

#include <limits>

namespace slipset {

FrictionLaw isotropic(double friction) { return {Disk(friction), Disk(friction)}; }

FrictionLaw associated(const PlanarSet& set) { return {set, set}; }

FrictionLaw collinear(const PlanarSet& reservoir) { return {reservoir, Disk(1)}; }

FrictionLaw two_sign(double friction_1, double friction_2, double angle) {
  return associated(Rectangle(friction_1, friction_2, angle));
}

FrictionLaw wedge_asperities(double friction, double slope, double angle) {
  return {Wedge(friction, slope, angle), Ellipse(1, std::cos(slope), angle)};
}

SuperellipsePair::SuperellipsePair(const Vec2& friction, const Vec2& direction, double exponent, double angle)
    : reservoir_(friction.x(), friction.y(), exponent, angle),
      direction_(direction.x(), direction.y(), exponent, angle) {
  if (!(exponent >= 1)) throw InvalidInput("superellipse pair: the exponent must be at least 1");
}

Vec2 SuperellipsePair::mapped_velocity(const Vec2& v) const {
  const Vec2 first = unit_at_degrees(degrees(reservoir_.angle())), second = turn_left(first);
  const Vec2 ratio = direction_.semi_axes().cwiseQuotient(reservoir_.semi_axes());
  return std::pow(ratio.x(), reservoir_.exponent()) * first.dot(v) * first +
         std::pow(ratio.y(), reservoir_.exponent()) * second.dot(v) * second;
}

double SuperellipsePair::bipotential(const Vec2& v, const Vec2& resistance) const {
  if (!reservoir_.contains(resistance)) return std::numeric_limits<double>::infinity();
  const Vec2 mapped = mapped_velocity(v);
  return resistance.dot(v - mapped) + reservoir_.support(mapped);
}

}  // namespace slipset
