// The right-hand side of a line system with a regularised law.        docs/theory/regularized.md
//   y = (q, u, dissipated energy, input energy),   u̇ = M⁻¹(F - Dq̇ - Kq + W f),   f_i = law(γ_i, b_i; L_i)
// Balance forces b of coupled contacts, with a the slip acceleration without friction and R = WᵀM⁻¹W:
//   partition    contacts with |γ| ≤ ε: R22 b = -(a2 + R21 f1), the others slip with f1 = -L sgn γ    [Q04 Sect. 3.3]
//   fixed point  b_i = -(a_i + Σ_{j≠i} R_ij f_j)/R_ii for every contact, all forces f from the law       (R.6)
// The first jumps when a contact leaves the band, the second is continuous. Where R is diagonal they are the same.
#pragma once

#include <memory>

#include "slipset/dynamics/line_system.hpp"
#include "slipset/dynamics/ode_solver.hpp"
#include "slipset/laws/regularized.hpp"

namespace slipset {

enum class BalanceRule { fixed_point, partition };

struct LineRateOptions {
  BalanceRule balance = BalanceRule::fixed_point;  // sign and karnopp jump anyway: always partition
  // Karnopp's own scheme: a contact with |γ| < ε does not move, whatever its momentum; karnopp only.
  bool freeze_band = false;
  int max_sweeps = 2000;  // of the fixed point; its error falls below 4e-15 of the largest limit or it is counted
};

class LineRate : public OdeRate {
 public:
  Eigen::Index size() const { return 2 * system_->dofs() + 2; }
  const LineSystem& system() const { return *system_; }
  // Of the last evaluation, one a contact.
  const VectorX& friction() const { return friction_; }
  // At the state y; of the last evaluation where contacts are coupled.
  double slip(Eigen::Index i, const VectorX& y) const {
    if (slip_.size() > 0) return slip_[i];
    const double u = y[system_->dofs() + i];
    return frozen_ && std::abs(u) < half_width_ ? 0 : u;
  }
  double half_width() const { return half_width_; }
  long evaluations() const { return evaluations_; }
  long not_converged() const { return not_converged_; }  // evaluations whose fixed point was not reached

 protected:
  LineRate(const LineSystem& system, double half_width, bool frozen);

  const LineSystem* system_;
  double half_width_;
  bool frozen_;              // velocities within the band move nothing
  VectorX friction_, slip_;  // slip_ empty for direct systems
  long evaluations_ = 0, not_converged_ = 0;
};

// Lives as long as `system`. Throws InvalidInput if the band is to be frozen and the law is not karnopp.
std::unique_ptr<LineRate> make_line_rate(const LineSystem& system, const RegularizedCoulomb& law,
                                         const LineRateOptions& options = {});

}  // namespace slipset
