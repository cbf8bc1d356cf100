#include "slipset/systems/bodies/rotation.hpp"

#include <Eigen/LU>
#include <cmath>

namespace slipset {
namespace {

// tan(x)/x, by its series where x is small.
double tangent_ratio(double x) { return x < 1e-4 ? 1 + x * x / 3 : std::tan(x) / x; }

}  // namespace

Quaternion rotation_by(const Vec3& turn) {
  const double half = turn.norm() / 2;
  const double ratio = half < 1e-4 ? (1 - half * half / 6) / 2 : std::sin(half) / (2 * half);
  const Vec3 v = ratio * turn;
  return {std::cos(half), v.x(), v.y(), v.z()};
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Vec3 spin_without_torque(const Vec3& inertia, const Vec3& spin, double dt) {
  if (inertia.x() == inertia.y() && inertia.y() == inertia.z()) return spin;
  Vec3 end = spin;
  for (int i = 0; i < 20; ++i) {
    const Vec3 mean = (spin + end) / 2, momentum = inertia.cwiseProduct(mean);
    // Half a turn in a step is beyond what a step can follow; the angle stops there.
    const double factor = dt * tangent_ratio(std::min(dt * mean.norm() / 2, 1.5));
    const Vec3 defect = inertia.cwiseProduct(end - spin) + factor * mean.cross(momentum);
    const Mat3 jacobian = Mat3(inertia.asDiagonal()) +
                          factor / 2 * (cross_matrix(mean) * Mat3(inertia.asDiagonal()) - cross_matrix(momentum));
    const Vec3 change = jacobian.inverse() * defect;  // κ held: its change is of third order
    if (!change.allFinite()) return spin;
    end -= change;
    if (change.norm() <= 1e-15 * end.norm()) break;
  }
  return end;
}

Quaternion rotation_between(const Vec3& from, const Vec3& to) {
  const double twice = 2 * (1 + from.dot(to));  // (2 cos φ/2)²
  if (twice < 1e-15) {
    const Vec3 axis = any_normal_to(from);
    return {0, axis.x(), axis.y(), axis.z()};
  }
  const Vec3 axis = from.cross(to) / std::sqrt(twice);
  return Quaternion(std::sqrt(twice) / 2, axis.x(), axis.y(), axis.z()).normalized();
}

Vec3 any_normal_to(const Vec3& a) {
  const Vec3 other = std::abs(a.z()) < 0.7 ? Vec3::UnitZ() : Vec3::UnitX();
  return (other - other.dot(a) * a).normalized();
}

}  // namespace slipset
