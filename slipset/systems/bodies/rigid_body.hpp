// One rigid body: a sphere, a box or a plane, with a surface of its own.       docs/theory/bodies.md
//   m v̇ = m g + Σ λ,   I ω̇ + ω × Iω = Σ Rᵀ(r × λ),   ẋ = v,   Ṙ = R [ω]x                                      (G.3)
// Position x of the centre of mass [m], rotation R of the body's axes, velocity v along the axes of the world [m/s],
// spin ω along those of the body [rad/s].
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "slipset/systems/bodies/rotation.hpp"

namespace slipset {

enum class BodyKind : std::uint8_t { sphere, box, plane };
inline constexpr std::array<std::string_view, 3> kBodyKindNames = {"sphere", "box", "plane"};

// A plane fills the half-space below: its normal is the body's third axis, its origin the body's position.
struct SolidShape {
  BodyKind kind = BodyKind::sphere;
  double radius = 0;           // of a sphere [m]
  Vec3 half = Vec3::Zero();    // half the sides of a box [m]
  double reach() const;        // of the smallest sphere about the centre; infinite for a plane
  double volume() const;       // infinite for a plane
  Vec3 inertia_ratio() const;  // principal moments of the homogeneous body over its mass [m²]
};
SolidShape sphere_shape(double radius);   // throws InvalidInput unless positive
SolidShape box_shape(const Vec3& sides);  // throws InvalidInput unless positive
SolidShape plane_shape();

// The law of a surface holds in axes that turn with the body: the first is `axis` (body axes) projected on the contact
// plane, or `second_axis` where that is the normal; the second is to its left, seen from outside the surface.  (G.9)
struct BodySurface {
  int law = -1;               // of the world's laws; -1: no friction
  double priority = 0;        // of two surfaces that touch, the higher one's law, and restitution, hold
  double restitution = 0;     // Newton's coefficient, 0 to 1
  Vec3 axis = Vec3::UnitX();  // unit vectors at right angles
  Vec3 second_axis = Vec3::UnitY();

  // `first` of any length but zero; the second axis is at a right angle to it, next to y, or to x where that is y.
  void set_axis(const Vec3& first);
};

// x(t) = x_0 + v t + a sin(2π f t + φ) − a sin φ, turning with constant spin: a table, a belt, a turntable.
struct PrescribedMotion {
  Vec3 velocity = Vec3::Zero();   // v [m/s]
  Vec3 spin = Vec3::Zero();       // along the world's axes [rad/s]
  Vec3 amplitude = Vec3::Zero();  // a [m]
  double frequency = 0;           // f [Hz]
  double phase = 0;               // φ [rad]
  Vec3 origin = Vec3::Zero();     // x_0; the world sets it and the next when the body is added
  Quaternion first_orientation = Quaternion::Identity();

  Vec3 position(double t) const;
  Vec3 velocity_at(double t) const;
  Quaternion orientation(double t) const;
  bool moves() const { return !velocity.isZero(0) || !spin.isZero(0) || !amplitude.isZero(0); }
};

struct RigidBody {
  std::string name;
  SolidShape shape;
  double mass = 0;              // [kg]
  Vec3 inertia = Vec3::Zero();  // principal moments, along the body's axes [kg m²]
  bool prescribed = false;      // moves as `motion` says (not at all, if that is zero), whatever touches it
  PrescribedMotion motion;
  // Loads besides gravity, constant along the axes of the world, at the centre [N], [N m].
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  BodySurface surface;

  // Whether tables and reports have it: all but those that never move.
  bool is_listed() const { return !prescribed || motion.moves(); }
};

struct BodyState {
  Vec3 position = Vec3::Zero();
  Quaternion orientation = Quaternion::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();  // along the body's axes

  Vec3 world_spin() const { return orientation * spin; }
};

// Homogeneous, free to move. Throws InvalidInput unless the mass is positive; a plane has no mass.
RigidBody free_body(std::string name, const SolidShape& shape, double mass);
RigidBody fixed_body(std::string name, const SolidShape& shape);

}  // namespace slipset
