// Any linear system with contacts: the general way in.
//   M q̈ + D q̇ + K q = f + contact forces;  gap = wᵀq + g0,  γ_T = W_Tᵀq̇ - χ
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

struct LinearContact {
  FrictionLaw law;
  Eigen::MatrixX2d tangents;             // W_T
  Vec2 surface_velocity = Vec2::Zero();  // χ [m/s]
  double normal_force = 0;               // given [N]; else 0 and `normal` is not empty
  VectorX normal;                        // w_N: unilateral
  double gap = 0;                        // g0 [m]
  double restitution = 0;
};

class LinearSystem : public System {
 public:
  // Throws InvalidInput for sizes that do not fit and for a mass matrix that is not symmetric and positive definite.
  LinearSystem(MatrixX mass, MatrixX damping, MatrixX stiffness, VectorX force, std::vector<LinearContact> contacts);

  Eigen::Index dofs() const override { return mass_.rows(); }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX& q) const override;
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override;

 private:
  MatrixX mass_, damping_, stiffness_, symmetric_stiffness_;
  VectorX force_;
  std::vector<LinearContact> details_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
