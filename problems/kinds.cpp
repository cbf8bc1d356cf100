#include "problems/kinds.hpp"

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"

namespace slipset::problems {

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::isotropic: return "isotropic";
    case Kind::elliptic: return "elliptic";
    case Kind::superelliptic: return "superelliptic";
    case Kind::nonconvex: break;
  }
  return "nonconvex";
}

FrictionLaw law_of(Kind kind, double friction) {
  switch (kind) {
    case Kind::isotropic: return isotropic(friction);
    case Kind::elliptic: return associated(Ellipse(1.3 * friction, 0.6 * friction, radians(30)));
    case Kind::superelliptic:
      return {Superellipse(1.2 * friction, 0.7 * friction, 3, radians(20)), Superellipse(0.8, 1.2, 1.7, radians(-10))};
    case Kind::nonconvex: break;
  }
  return {NormMix(1.2 * friction, 0.8 * friction, 2.5, -1.5, radians(15)), Ellipse(1.2, 0.8, radians(15))};
}

RigidBody free_box(const std::string& name, const Vec3& sides, double density, int law) {
  const SolidShape shape = box_shape(sides);
  RigidBody body = free_body(name, shape, density * shape.volume());
  body.surface.law = law;
  return body;
}

RigidBody fixed_box(const std::string& name, const Vec3& sides, int law) {
  RigidBody body = fixed_body(name, box_shape(sides));
  body.surface.law = law;
  return body;
}

RigidBody floor_of(int law) {
  RigidBody body = fixed_body("floor", plane_shape());
  body.surface.law = law;
  return body;
}

}  // namespace slipset::problems
