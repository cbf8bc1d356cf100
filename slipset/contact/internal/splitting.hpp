// Douglas-Rachford splitting (ADMM) for many contacts.      docs/theory/contact.md
// The dynamics u = W r + q and the contacts' laws take turns, each with the other's result (C.13):
//   r = (W + ρI)⁻¹(ρ s − q),   p_i = S_i with block ρI and velocity −ρ(2r − s)_i,   s ← s + p − r
// S_i is the exact solution of contact i. One sparse factorisation, then two triangular solves per iteration. Blocks
// ρI decouple normal and tangents, so that p_i is a projection for associated laws; the exact local solver makes it
// work for all others. Anderson's acceleration of s is a Krylov method between changes of the contacts' modes. Of the
// operator it asks no more than products and (W + ρI)⁻¹.
#pragma once

#include "slipset/contact/contact_problem.hpp"
#include "slipset/contact/internal/anderson.hpp"
#include "slipset/contact/internal/contact_set.hpp"
#include "slipset/contact/internal/prepared_general.hpp"
#include "slipset/contact/internal/prepared_planar.hpp"
#include "slipset/contact/internal/sweep_run.hpp"

namespace slipset::internal {

template <class Prepared>
class Splitting {
 public:
  static constexpr int kRows = Prepared::kRows;
  using Vec = typename Prepared::Vec;
  using Mat = typename Prepared::Mat;

  // From iterate.impulse. `metric`: D of each contact, ρD in the place of ρI, where they may have any rows; `rho` is
  // over the mean `mobility` [-]. All must outlive the iterations.
  void begin(const ContactProblem& problem, const ContactSet<Prepared>& contacts, std::span<const Vec> metric,
             ShiftedSolver& solver, ContactIterate& iterate, double mobility, double rho);

  // Some iterations; iterate.impulse is then p. False if W + ρI is singular.
  bool iterate(int count);

 private:
  void set_rho(double rho);
  void evaluate();  // p and f_ = p − r at s_
  const RowLayout& layout() const { return problem_->delassus->layout(); }
  Vec part(const Eigen::VectorXd& x, std::size_t i) const { return part_of<kRows>(x, layout(), i); }

  const ContactProblem* problem_ = nullptr;
  const ContactSet<Prepared>* contacts_ = nullptr;
  std::span<const Vec> metric_;
  ShiftedSolver* solver_ = nullptr;
  ContactIterate* iterate_ = nullptr;
  Anderson anderson_{0};
  Eigen::VectorXd s_, f_, p_, before_;  // scaled
  Eigen::VectorXd r_, u_;
  Eigen::VectorXd shift_;  // blocks ρT⁻ᵀD T⁻¹
  std::vector<typename Prepared::State> states_;
  std::vector<typename Prepared::Block> blocks_;  // ρD
  double rho_ = 0;
  bool regular_ = true;
  int done_ = 0, next_balance_ = 20;
};

}  // namespace slipset::internal
