// Hoffmann's minimal model of mode coupling: a mass on an inclined spring, pressed onto a belt.     [H07 13, Fig. 4]
//   m ẍ1 + c1 ẋ1 + (k1 + k/2) x1 - k/2 x2 = λ,       γ = ẋ1 - v
//   m ẍ2 + c2 ẋ2 - k/2 x1 + (k2 + k/2) x2 = -F_N,    λ_N = -k2 x2
// k2 is the contact's spring, so the normal force follows the position. The load acts as -F_N, so that it compresses
// the contact; the paper prints F_N.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct ModeCouplingParameters {
  double mass = 1;         // [kg]
  double k1 = 11;          // along the belt [N/m]
  double k2 = 20;          // of the contact [N/m]
  double k = 10;           // at 45 degrees [N/m]
  double c1 = 0, c2 = 0;   // dampers along and across the belt [N s/m]
  double normal_load = 1;  // F_N [N]
  double belt_speed = 1;   // v [m/s]
};

class ModeCoupling : public System {
 public:
  ModeCoupling(std::shared_ptr<const PlanarContactLaw> law, const ModeCouplingParameters& parameters);

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  // The normal force is never negative: where the spring k2 would pull, the contact is without load.
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x1", "x2"}; }

  // Steady sliding; empty if the belt stands still or the load lifts the mass.
  std::optional<VectorX> equilibrium() const;

 private:
  ModeCouplingParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
