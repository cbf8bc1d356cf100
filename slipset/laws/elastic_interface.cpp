#include "slipset/laws/elastic_interface.hpp"

#include <Eigen/Dense>

namespace slipset {

namespace {

// ∇k on the ray of `force`, of the part of the boundary to its left and to its right; one where there is no corner.
struct Gradients {
  Vec2 left, right;
  bool corner;
  const Vec2& at(double side) const { return side > 0 ? left : right; }
};

Gradients gradients_beside(const PlanarSet& set, const Vec2& force) {
  const Vec2 across = 1e-8 * turn_left(force);
  const Vec2 left = set.gauge_gradient(force + across), right = set.gauge_gradient(force - across);
  if ((left - right).norm() > 1e-4 * left.norm()) return {left, right, true};
  const Vec2 out = set.gauge_gradient(force);
  return {out, out, false};
}

}  // namespace

InterfaceRate interface_rate(const ElasticInterface& interface, const Vec2& force, const Vec2& velocity,
                             double normal_force, double normal_force_rate, double slack) {
  require_positive(normal_force, "elastic interface: normal force");
  if (!std::isfinite(force.sum() + velocity.sum() + normal_force_rate) || !(slack >= 0 && slack < 1))
    throw InvalidInput(
        "elastic interface: force, velocity and the rate of the normal force must be finite, the slack from 0 to below "
        "1");
  const PlanarSet &c = interface.law().reservoir(), &d = interface.law().direction();
  const Adhesion& b = interface.adhesion();
  const Vec2 elastic = b.force(velocity);
  const InterfaceRate stick{elastic, Vec2::Zero(), false, true};
  if (!(c.gauge(force) >= normal_force * (1 - slack)) || force.isZero(0)) return stick;

  const Vec2 held = force * (normal_force_rate / normal_force);  // Ṫ of a force that stays on its ray
  const auto side_of = [&](const Vec2& rate) { return cross(force, rate - held) >= 0 ? 1.0 : -1.0; };
  const Gradients out = gradients_beside(c, force);
  if (out.at(side_of(elastic)).dot(elastic) <= normal_force_rate) return stick;
  const AngleInterval fan = d.normal_cone(force);
  if (fan.width() > 0) {
    const Vec2 slip = velocity - b.stretch(held);
    if (slip.isZero(0) || fan.contains(angle_of(slip))) return {held, slip, true, true};
  }
  // Along the boundary, to the side to which the force then goes; without corners both sides are one.
  for (const double side : {side_of(elastic), -side_of(elastic)}) {
    const Vec2 n = fan.width() > 0 ? unit(side > 0 ? fan.to : fan.from) : d.gauge_gradient(force), flow = b.force(n);
    const double resists = out.at(side).dot(flow);
    const double multiplier = (out.at(side).dot(elastic) - normal_force_rate) / resists;
    const Vec2 rate = elastic - multiplier * flow;
    const bool goes_there = (!out.corner && fan.width() == 0) || side_of(rate) == side;
    if (resists > 0 && multiplier >= 0 && goes_there) return {rate, multiplier * n, true, true};
  }
  return {elastic, Vec2::Zero(), false, false};
}

Vec2 along_turning_axes(const Vec2& displacement, double angle_before, double angle_after) {
  if (!displacement.allFinite()) throw InvalidInput("elastic interface: the displacement is not finite");
  require_finite(angle_before, "elastic interface: angle of the surface");
  require_finite(angle_after, "elastic interface: angle of the surface");
  const Vec2 axis = unit((angle_before + angle_after) / 2);
  return {axis.dot(displacement), cross(axis, displacement)};
}

Mat2 friction_tensor(const Ellipse& friction) {
  Mat2 turn;
  const Vec2 axis = unit_at_degrees(degrees(friction.angle()));
  turn << axis, turn_left(axis);
  return turn * friction.semi_axes().cwiseAbs2().cwiseInverse().asDiagonal() * turn.transpose();
}

Vec2 konyukhov_one_step(const Adhesion& adhesion, const Ellipse& friction, const Vec2& trial, double normal_force) {
  require_positive(normal_force, "elastic interface: normal force");
  if (!trial.allFinite()) throw InvalidInput("elastic interface: the trial force is not finite");
  if (friction.gauge(trial) <= normal_force) return trial;
  const Vec2 mapped = adhesion.tensor() * (friction_tensor(friction) * trial);
  return mapped * (normal_force / friction.gauge(mapped));
}

double pull_angle(const FrictionLaw& law) {
  const Vec2 n = law.direction().normal_ray({1, 0});
  return std::atan2(n.y(), n.x());
}

double pull_angle_one_step(const Adhesion& adhesion, const Ellipse& friction) {
  const Mat2 a = adhesion.tensor() * friction_tensor(friction) * adhesion.tensor();
  return std::atan(-a(1, 0) / a(1, 1));
}

}  // namespace slipset
