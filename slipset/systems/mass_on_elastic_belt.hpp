// Mode coupling with three degrees of freedom: a mass on springs, in contact with a belt that is itself held by a
// spring and moves up and down only.                                                             [WL19 Fig. 13b]
//   m ẍ + c1 ẋ + (k1 + k/2) x - k/2 y = λ_T
//   m ÿ + c2 ẏ - k/2 x + (k2 + k/2) y = λ_N - F_N
//   m_b z̈ + c3 ż + k3 z = -λ_N,                        gap = y - z,  γ = ẋ - v
// x along the belt, y and z upwards; k at 45 degrees. Small displacements: the springs keep their directions. The paper
// gives neither equations nor numbers. Here m, k1 and k are Hoffmann's [H07], the belt has a tenth of the mass, and k2
// and k3 bring the frequencies along and across the belt near to each other, so that they meet at μ = 0.64.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct MassOnElasticBeltParameters {
  double mass = 1;                // [kg]
  double belt_mass = 0.1;         // that moves [kg]
  double k1 = 11;                 // along the belt [N/m]
  double k2 = 5;                  // across it [N/m]
  double k = 10;                  // at 45 degrees [N/m]
  double k3 = 10;                 // under the belt [N/m]
  double c1 = 0, c2 = 0, c3 = 0;  // dampers beside k1, k2, k3 [N s/m]
  double normal_load = 1;         // F_N [N]
  double belt_speed = 1;          // v [m/s]
};

class MassOnElasticBelt : public System {
 public:
  MassOnElasticBelt(std::shared_ptr<const PlanarContactLaw> law, const MassOnElasticBeltParameters& parameters);

  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "z"}; }

  // Steady sliding; empty if the belt stands still or the load lifts the mass.
  std::optional<VectorX> equilibrium() const;

  // The friction coefficient at which two undamped modes meet, for v > 0: with a = k1 + k/2, b = k/2,
  // d = k2 + k/2 + k3, M = m + m_b the closed contact leaves
  //   m M s² + (m d + M a + b μ m_b) s + a d - b² + b μ k3 = 0,  s = -ω²,
  // whose discriminant is zero there. Empty: they never meet.                                              (B.12)
  static std::optional<double> critical_friction(const MassOnElasticBeltParameters& parameters);

 private:
  MassOnElasticBeltParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
