// The right-hand side of an axial system with a regularised law.        docs/theory/regularized.md
//   y = (q, u, dissipated energy, input energy),   u̇ = M⁻¹(F - Dq̇ - Kq + W f),   f_i = law(γ_i, b_i; L_i)
// Balance forces b of coupled contacts, with a the slip acceleration without friction and R = WᵀM⁻¹W:
//   partition    contacts with |γ| ≤ ε: R22 b = -(a2 + R21 f1), the others slip with f1 = -L sgn γ    [Q04 Sect. 3.3]
//   fixed point  b_i = -(a_i + Σ_{j≠i} R_ij f_j)/R_ii for every contact, all forces f from the law       (R.6)
// The first jumps when a contact leaves the band, the second is continuous. Where R is diagonal they are the same.
#pragma once

#include <memory>

#include "slipset/laws/regularized.hpp"
#include "slipset/motion/integrators/balance.hpp"
#include "slipset/motion/integrators/internal/contact_rate.hpp"
#include "slipset/systems/axial_system.hpp"
#include "slipset/systems/internal/axial_step.hpp"

namespace slipset::internal {

// Steps for which RK4 is stable: of the motion without friction, 2√2/rate, and of the ramp, 2.785/decay rate. The first
// is sure only for systems without damping.                                                           (R.7)
struct StepLimits {
  double elastic = std::numeric_limits<double>::infinity();
  double ramp = std::numeric_limits<double>::infinity();
};
StepLimits rk4_step_limits(const AxialSystem& system, const RegularizedCoulomb& law);

class AxialRate : public ContactRate {
 public:
  Eigen::Index size() const { return 2 * system_->dofs() + 2; }
  const AxialSystem& system() const { return *system_; }
  // Of the last evaluation, one per contact.
  const VectorX& friction() const { return friction_; }
  // At the state y; of the last evaluation where contacts are coupled.
  double slip(Eigen::Index i, const VectorX& y) const {
    if (slip_.size() > 0) return slip_[i];
    const double u = y[system_->dofs() + i];
    return frozen_ && std::abs(u) < half_width_ ? 0 : u;
  }
  bool sticks(Eigen::Index i, const VectorX& y) const { return std::abs(slip(i, y)) <= half_width_; }
  double half_width() const { return half_width_; }
  long evaluations() const override { return evaluations_; }
  long not_converged() const override { return not_converged_; }  // evaluations whose fixed point was not reached
  // Beyond it a solver with error control would step over slip [s].
  double longest_step() const override;
  void warn_of_step(double step, std::vector<std::string>& warnings) const override;

  std::vector<std::string> columns() const override { return axial_columns(*system_); }
  void look(double t, const VectorX& y) override;
  bool looks_every_step() const override { return false; }
  bool all_stick(const VectorX& y) const override;
  void add_contacts(const VectorX& y, std::vector<double>& row) const override;
  double kinetic_energy(const State& state) const override { return system_->kinetic_energy(state.u); }
  double potential_energy(const State& state) const override { return system_->potential_energy(state.t, state.q); }

 protected:
  AxialRate(const AxialSystem& system, const RegularizedCoulomb& law, bool frozen);

  const AxialSystem* system_;
  RegularizedCoulomb form_;
  double half_width_;
  bool frozen_;              // velocities within the band move nothing
  VectorX friction_, slip_;  // slip_ empty for direct systems
  long evaluations_ = 0, not_converged_ = 0;

 private:
  VectorX spare_;
};

// Lives as long as `system`. Throws InvalidInput if the band is to be frozen and the law is not karnopp, and for
// systems with static limits.
std::unique_ptr<AxialRate> make_axial_rate(const AxialSystem& system, const RegularizedCoulomb& law,
                                           const BalanceOptions& options = {});

}  // namespace slipset::internal
