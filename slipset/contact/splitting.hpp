// Douglas-Rachford splitting (ADMM) for many contacts.      docs/theory/contact.md
// The dynamics u = W r + q and the contacts' laws take turns, each with the other's result (C.13):
//   r = (W + ρI)⁻¹(ρ s − q),   p_i = S_i with block ρI and velocity −ρ(2r − s)_i,   s ← s + p − r
// S_i is the exact solution of contact i. One sparse factorisation, then two triangular solutions an iteration. Blocks
// ρI decouple normal and tangents, so that p_i is a projection for associated laws; the exact local solver makes it
// work for all others. Anderson's acceleration of s is a Krylov method between changes of the contacts' modes.
#pragma once

#include "slipset/contact/anderson.hpp"
#include "slipset/contact/block_lu.hpp"
#include "slipset/contact/contact_work.hpp"

namespace slipset {

class Splitting {
 public:
  // From work.impulse. `rho` is over the mean mobility [-].
  Splitting(ContactWork& work, BlockLu& factors, double rho);

  // Some iterations; work.impulse is then p. False if W + ρI is singular.
  bool iterate(int count);

 private:
  void set_rho(double rho);
  void evaluate();  // p and f_ = p − r at s_

  ContactWork& work_;
  BlockLu& factors_;
  Anderson anderson_;
  Eigen::VectorXd s_, f_, p_, before_;  // scaled
  Eigen::VectorXd r_;
  std::vector<Mat3> shift_;  // ρ(TTᵀ)⁻¹
  std::vector<LocalState> states_;
  double rho_ = 0;
  LocalBlock block_{Mat3::Identity()};
  bool regular_ = true;
  int done_ = 0, next_balance_ = 20;
};

}  // namespace slipset
