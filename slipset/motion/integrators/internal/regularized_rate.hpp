// The right-hand side of a mechanical system whose contacts have a regularised law.   docs/theory/regularized.md
//   y = (q, u, dissipated energy, input energy),   M u̇ = h - Σ W_i N_i r_i,   r_i = law_i(γ_i, b_i)
// N_i b_i is minus the balance force of contact i: with a the slip acceleration without friction and G = WᵀM⁻¹W,
//   fixed point  G_ii N_i b_i = a_i - Σ_{j≠i} G_ij N_j r_j  for every contact near stick, all r from the law  (R.15)
//   partition    γ̇ = 0 at all contacts with |γ| ≤ ε together, the others slip; those whose balance is outside the
//                reservoir are cut to it and the rest is solved again                                      (R.16)
// Where contacts depend on each other (three pads under one disk) (R.15) has no solution; (R.16) then takes the
// shortest of its solutions. Singular blocks G_ii are inverted on their range.
#pragma once

#include "slipset/laws/regularized_planar.hpp"
#include "slipset/motion/integrators/balance.hpp"
#include "slipset/motion/integrators/internal/planar_rate.hpp"

namespace slipset::internal {

class RegularizedRate final : public PlanarRate {
 public:
  // Throws InvalidInput for unilateral contacts, whose normal force is not known beforehand, for elastic ones, and
  // for a band to be frozen by another law than karnopp. `system` must outlive it; `start` says whether contacts depend on each other.
  RegularizedRate(const System& system, const RegularizedCoulomb& form, const State& start,
                  const BalanceOptions& options = {});

  void operator()(double t, const double* y, double* dy) override;

  std::size_t contacts() const override { return laws_.size(); }
  const RegularizedLaw& law(std::size_t i) const { return laws_[i]; }
  // Of the last evaluation.
  const SystemAt& at() const override { return at_; }
  Vec2 slip(std::size_t i) const override { return slip_.segment<2>(at2(i)); }
  Vec2 friction_force(std::size_t i) const override { return friction_.segment<2>(at2(i)); }
  bool sticks(std::size_t i) const override { return slip(i).norm() <= half_width_; }

  BalanceRule balance() const { return options_.rule; }  // that is used
  long evaluations() const override { return evaluations_; }
  long not_converged() const override { return not_converged_; }
  // Bound of the rate with which slip decays on the ramp, at the start: row sums of ‖G_ij‖ N_j slope_j [1/s].  (R.14)
  double ramp_limit() const;  // of RK4's step, infinite without a ramp [s]
  void warn_of_step(double step, std::vector<std::string>& warnings) const override;

 private:
  static Eigen::Index at2(std::size_t contact) { return static_cast<Eigen::Index>(2 * contact); }
  void look_at(double t);
  void look_at_contacts(double t);
  void find_resistances(double t);
  void partition();
  void fixed_point();
  void freeze(double* dq);
  Vec2 single_balance(std::size_t i) const;
  void apply_law(std::size_t i, const Vec2& balance_force);
  void solve_masked();

  RegularizedCoulomb form_;
  BalanceOptions options_;
  std::vector<RegularizedLaw> laws_;
  double half_width_;
  SystemAt at_, ahead_, behind_;
  bool looked_ = false;
  VectorX q_, u_, shifted_, free_, acceleration_;
  MatrixX tangents_, compliant_, delassus_;  // W, M⁻¹W, G
  VectorX slip_, friction_, drift_;          // two numbers per contact; friction_ = -N r
  std::vector<Mat2> inverse_;                // of the blocks G_ii
  std::vector<char> mask_, needs_;
  bool dependent_ = false;                      // contacts depend on each other: G is singular
  VectorX x_, residual_, direction_, product_;  // G22 x = residual
  MatrixX masked_;
  SymmetricEigen eigen_;
  double largest_ = 0, ramp_rate_ = 0;
  long evaluations_ = 0, not_converged_ = 0;
};

}  // namespace slipset::internal
