// Orientation and spin of a rigid body.                                docs/theory/bodies.md
//   exp(φ): the rotation about φ by the angle |φ|;  R_E = R_A exp(Δt ω̄) is exact for constant spin         (G.1)
//   without torque:
//   I(ω_E − ω_A) = −Δt κ ω̄ × Iω̄,  ω̄ = (ω_A + ω_E)/2,  κ = tan(θ/2)/(θ/2),  θ = Δt|ω̄|                        (G.2)
// ω in the axes of the body, I = diag(I1, I2, I3). With (G.1) both the energy ½ω·Iω and the angular momentum R Iω are
// kept exactly, for any step; the motion is of second order.
#pragma once

#include <Eigen/Geometry>

#include "slipset/core/vec.hpp"

namespace slipset {

using Quaternion = Eigen::Quaterniond;

// exp(φ), smooth at φ = 0. (G.1)
Quaternion rotation_by(const Vec3& turn);
// ω_E of (G.2) by Newton's method; ω_A where all moments of inertia are equal.
Vec3 spin_without_torque(const Vec3& inertia, const Vec3& spin, double dt);
// [a]x with [a]x b = a × b.
Mat3 cross_matrix(const Vec3& a);
// The shortest turn that takes the unit vector `from` to the unit vector `to`; any half turn where they are opposite.
Quaternion rotation_between(const Vec3& from, const Vec3& to);
// A unit vector at a right angle to the unit vector `a`.
Vec3 any_normal_to(const Vec3& a);

}  // namespace slipset
