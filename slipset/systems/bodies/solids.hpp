// Rigid bodies in braces, for worlds written in C++:
//   world.add(Box{.size = {0.2, 0.2, 0.02}, .mass = 1.2, .surface = rubber}, at(0, 0, 0.01));
// Homogeneous, free or fixed. RigidBody has the rest: prescribed motions, loads, other moments of inertia, the axes of
// the surface.
#pragma once

#include <memory>
#include <string>

#include "slipset/contact/contact_law.hpp"
#include "slipset/laws/friction_law.hpp"
#include "slipset/laws/rolling_law.hpp"
#include "slipset/systems/bodies/rigid_body.hpp"

namespace slipset {

// The law of a surface, along the first two axes of a box, a plane or a sphere. Copies share the law: give many bodies
// one Surface rather than a FrictionLaw each, which would be prepared anew for every body.
struct Surface {
  Surface() = default;  // no friction
  // A law is a surface. Throws InvalidInput for an elastic one: contacts of rigid bodies are rigid.
  Surface(const FrictionLaw& friction);
  Surface(const RollingLaw& friction);

  std::shared_ptr<const ContactLaw> law;
  double priority = 0;     // of two surfaces that touch, the higher one's law, and restitution, hold
  double restitution = 0;  // Newton's coefficient, 0 to 1
};

struct Box {
  Vec3 size = Vec3::Zero();  // sides [m]
  double mass = 0;           // [kg]; of a free body
  Surface surface = {};
  bool fixed = false;
  std::string name = {};  // in tables: "name.x"
};

struct Sphere {
  double radius = 0;  // [m]
  double mass = 0;    // [kg]; of a free body
  Surface surface = {};
  bool fixed = false;
  std::string name = {};
};

// The half-space below z = 0 of its own axes; always fixed.
struct Plane {
  Surface surface = {};
  std::string name = {};
};

// At rest, the centre at (x, y, z) [m], the axes along those of the world.
BodyState at(double x, double y, double z);

}  // namespace slipset
