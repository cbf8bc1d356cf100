// The right-hand side of a mechanical system with LuGre friction at every contact.       docs/theory/stability.md
//   λ_T = -N (σ0 z + σ1 ż + σ2 γ),   ż = γ - σ0 |γ| A(γ) z                                                 (B.1)
// The state of a contact in y is σ0 z, a resistance per unit normal force. Bristles store N ½σ0|z|²:
//   heat  N (r·γ - σ0 z·ż),   put in where the normal force changes  ½ Ṅ σ0|z|²                            (B.15)
#pragma once

#include "slipset/laws/lugre.hpp"
#include "slipset/motion/integrators/internal/state_rate.hpp"

namespace slipset::internal {

class LuGreRate final : public StateRate {
 public:
  // `deflections`: z at the start, one per contact [m]; empty: zeros. Throws InvalidInput for contacts that can open,
  // elastic contacts and constants that are no LuGre model. `system` must outlive it.
  LuGreRate(const System& system, const LuGre& lugre, const State& start, const std::vector<Vec2>& deflections = {});

  Vec2 slip(std::size_t i) const override { return velocity(i); }
  // The bristles take up more than half of the motion along γ: ż·γ > ½|γ|².
  bool sticks(std::size_t i) const override { return sticks_[i] != 0; }
  double stored_energy() const override;
  double state_rate() const override;
  std::vector<std::string> columns() const override;
  void add_states(const VectorX& y, std::vector<double>& row) const override;  // deflections

 private:
  void find_forces(const double* states) override;
  double find_rates(const double* states, double* ds, double& work) override;
  bool needs_normal_force_rate() const override { return true; }

  LuGre lugre_;
  VectorX deflection_, deflection_rate_;  // z, ż of the last evaluation
  std::vector<char> sticks_;
};

}  // namespace slipset::internal
