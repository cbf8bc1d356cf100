#include "slipset/systems/bodies/rigid_body.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "slipset/core/error.hpp"

namespace slipset {

void BodySurface::set_axis(const Vec3& first) {
  axis = first.normalized();
  const Vec3 next = std::abs(axis.y()) < 0.9 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX());
  second_axis = (next - next.dot(axis) * axis).normalized();
}

double SolidShape::reach() const {
  switch (kind) {
    case BodyKind::sphere: return radius;
    case BodyKind::box: return half.norm();
    default: return INFINITY;
  }
}

double SolidShape::volume() const {
  switch (kind) {
    case BodyKind::sphere: return 4 * std::numbers::pi / 3 * radius * radius * radius;
    case BodyKind::box: return 8 * half.prod();
    default: return INFINITY;
  }
}

Vec3 SolidShape::inertia_ratio() const {
  switch (kind) {
    case BodyKind::sphere: return Vec3::Constant(0.4 * radius * radius);
    case BodyKind::box: {
      const Vec3 s = half.cwiseProduct(half) / 3;
      return {s.y() + s.z(), s.z() + s.x(), s.x() + s.y()};
    }
    default: return Vec3::Constant(INFINITY);
  }
}

SolidShape sphere_shape(double radius) {
  require_positive(radius, "radius of a sphere");
  SolidShape shape;
  shape.radius = radius;
  return shape;
}

SolidShape box_shape(const Vec3& sides) {
  for (const double side : sides) require_positive(side, "side of a box");
  SolidShape shape;
  shape.kind = BodyKind::box;
  shape.half = sides / 2;
  return shape;
}

SolidShape plane_shape() {
  SolidShape shape;
  shape.kind = BodyKind::plane;
  return shape;
}

Vec3 PrescribedMotion::position(double t) const {
  const double turn = 2 * std::numbers::pi * frequency * t;
  return origin + velocity * t + amplitude * (std::sin(turn + phase) - std::sin(phase));
}

Vec3 PrescribedMotion::velocity_at(double t) const {
  const double rate = 2 * std::numbers::pi * frequency;
  return velocity + amplitude * (rate * std::cos(rate * t + phase));
}

Quaternion PrescribedMotion::orientation(double t) const { return rotation_by(spin * t) * first_orientation; }

RigidBody free_body(std::string name, const SolidShape& shape, double mass) {
  if (shape.kind == BodyKind::plane)
    throw InvalidInput(fmt::format("body \"{}\": a plane is infinite and cannot move freely; make it fixed", name));
  require_positive(mass, "mass of a body");
  RigidBody body;
  body.name = std::move(name);
  body.shape = shape;
  body.mass = mass;
  body.inertia = mass * shape.inertia_ratio();
  return body;
}

RigidBody fixed_body(std::string name, const SolidShape& shape) {
  RigidBody body;
  body.name = std::move(name);
  body.shape = shape;
  body.prescribed = true;
  return body;
}

}  // namespace slipset
