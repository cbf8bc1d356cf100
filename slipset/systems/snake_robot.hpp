// A planar snake robot: its joints follow a travelling wave, friction moves it on.       docs/theory/dynamics.md
//   φ_i(t) = A sin(2π f t + (i-1) δ) + φ_0,  i = 1 ... n-1, from the tail to the head
//   m ẍ = Σ λ_k,   d/dt( J(t) θ̇ + H(t) ) = Σ r_k × λ_k,   γ_k = R_kᵀ( ẋ + θ̇ e_z × r_k + R ṡ_k )                  (M.3)
//   J = Σ( μ |s_k|² + I ),  H = Σ μ s_k × ṡ_k,  r_k = R(θ) s_k,  μ = m/n,  I = μ ℓ²/12
// n equal links (thin rods). The shape is prescribed, so three coordinates are left: the centre of mass x and the mean
// θ of the links' angles. s_k is the centre of link k from the centre of mass, in axes turned by θ. Each link has one
// contact, at its centre, with the weight m g/n; the law's first axis is along the link, to the head, and turns with
// it.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct SnakeRobotParameters {
  int links = 10;          // n
  double length = 1;       // of all links, n ℓ [m]
  double mass = 1;         // of all links, m [kg]
  double gravity = 9.81;   // [m/s²]
  double amplitude = 0.5;  // A [rad]
  double frequency = 0.5;  // f [Hz]
  double phase = 0.7;      // δ, from joint to joint [rad]; above 0 the wave runs from head to tail
  double steering = 0;     // φ_0 [rad]
};

class SnakeRobot : public System {
 public:
  SnakeRobot(const FrictionLaw& law, const SnakeRobotParameters& parameters);

  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX&) const override { return 0; }
  bool has_constant_mass() const override { return false; }
  double drive_frequency() const override { return std::abs(p_.frequency); }
  double driven_energy(double t, const VectorX& q, const VectorX& u) const override;
  std::vector<std::string> coordinates() const override { return {"x", "y", "heading"}; }
  // The joints from the tail to the head, then a small diamond: the head.
  std::vector<Vec2> outline(double t, const VectorX& q) const override;

  // What the shape decides at a time: J, J̇, H, Ḣ, and the kinetic energy of ṡ.
  struct Shape {
    double inertia = 0, inertia_rate = 0;    // [kg m²], [kg m²/s]
    double momentum = 0, momentum_rate = 0;  // [kg m²/s], [N m]
    double energy = 0;                       // [J]
  };
  Shape shape(double t) const;

  // Centre of mass at the origin, heading along x, without linear and angular momentum.
  State start() const override;

 private:
  struct Link;
  void add(const Link& link, Shape& shape) const;
  Link after(const Link& link, double t, int joint) const;
  template <class Visit>
  void visit_links(double t, Visit&& visit) const;

  SnakeRobotParameters p_;
  double link_length_, link_mass_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
