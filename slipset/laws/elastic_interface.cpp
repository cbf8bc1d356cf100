#include "slipset/laws/elastic_interface.hpp"

#include <Eigen/Dense>

namespace slipset {

InterfaceRate interface_rate(const ElasticInterface& interface, const Vec2& force, const Vec2& velocity,
                             double normal_force, double normal_force_rate, double slack) {
  const PlanarSet &c = interface.law().reservoir(), &d = interface.law().direction();
  const Adhesion& b = interface.adhesion();
  const Vec2 elastic = b.force(velocity);
  const InterfaceRate stick{elastic, Vec2::Zero(), false, true};
  if (!(c.gauge(force) >= normal_force * (1 - slack)) || force.isZero(0)) return stick;

  const AngleInterval fan = d.normal_cone(force);
  const Vec2 out = c.gauge_gradient(force);
  const double excess = out.dot(elastic) - normal_force_rate;
  if (fan.width() > 0) {  // D has a corner here
    const Vec2 held = force * (normal_force_rate / normal_force), slip = velocity - b.stretch(held);
    if (slip.isZero(0) || fan.contains(angle_of(slip))) return {held, slip, true, true};
    if (excess <= 0) return stick;
    // Otherwise it leaves the corner along the side whose normal is the nearer end of the fan.
    const double past = wrap_to_pi(angle_of(slip) - (fan.from + fan.to) / 2);
    const Vec2 n = unit(past > 0 ? fan.to : fan.from);
    const double flow = out.dot(b.force(n));
    if (!(flow > 0)) return {elastic, Vec2::Zero(), false, false};
    return {elastic - (excess / flow) * b.force(n), (excess / flow) * n, true, true};
  }
  if (excess <= 0) return stick;
  const Vec2 n = d.gauge_gradient(force), flow = b.force(n);
  const double resists = out.dot(flow);
  if (!(resists > 0)) return {elastic, Vec2::Zero(), false, false};
  const double multiplier = excess / resists;
  return {elastic - multiplier * flow, multiplier * n, true, true};
}

Vec2 along_turning_axes(const Vec2& displacement, double angle_before, double angle_after) {
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
