// A box on a plane: it bounces, slides, tips over, tumbles and stops.       docs/theory/dynamics.md
//   m ẍ = F + Σλ_x,  m ÿ = Σλ_y,  m z̈ = -m g + Σλ_N,  J θ̈ = -(h - H/2) cosθ F + Σ( r_x λ_N - r_z λ_x )      (M.2)
//   J = m (L² + H²)/12;  corner b of the box is at r = R(θ) b from its centre; gap = z + r_z, γ_T = (ẋ - r_z θ̇, ẏ)
// The box moves along x, y and z and pitches about the y-axis by any angle, from x towards z; roll and yaw are held by
// an ideal guide. So each contact is an edge across x, seen as a corner of the section of length L and height H. Push:
// a constant force F along x at a point fixed in the box, h above the middle of its base.
#pragma once

#include <array>

#include "slipset/systems/system.hpp"

namespace slipset {

struct BoxOnPlaneParameters {
  double mass = 1;         // [kg]
  double length = 0.2;     // L, along x [m]
  double height = 0.1;     // H [m]
  double gravity = 9.81;   // [m/s²]
  double restitution = 0;  // Newton's coefficient, 0 to 1
  double push = 0;         // F [N]
  double push_height = 0;  // h [m]
};

class BoxOnPlane : public System {
 public:
  // The law belongs to the plane, its axes are x and y. Contacts: rear, front, and the upper two.
  BoxOnPlane(const FrictionLaw& law, const BoxOnPlaneParameters& parameters);

  Eigen::Index dofs() const override { return 4; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "z", "pitch"}; }
  std::array<Eigen::Index, 2> figure_plane() const override { return {0, 2}; }
  std::vector<Vec2> outline(double t, const VectorX& q) const override;

  State start() const override;  // at rest on its base

 private:
  BoxOnPlaneParameters p_;
  std::array<Vec2, 4> corners_;  // of the section, from its centre
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
