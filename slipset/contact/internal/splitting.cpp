#include "slipset/contact/internal/splitting.hpp"

#include <algorithm>
#include <cmath>

namespace slipset::internal {

template <class Prepared>
void Splitting<Prepared>::begin(const ContactProblem& problem, const ContactSet<Prepared>& contacts,
                                std::span<const Vec> metric, ShiftedSolver& solver, ContactIterate& iterate,
                                double mobility, double rho) {
  problem_ = &problem;
  contacts_ = &contacts;
  metric_ = metric;
  solver_ = &solver;
  iterate_ = &iterate;
  anderson_.resize(iterate.impulse.size());
  states_ = contacts.states;
  r_ = u_ = p_ = iterate.impulse;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    set_part<kRows>(p_, layout(), i, contacts[i].scaled_impulse(part(iterate.impulse, i)));
  before_ = s_ = f_ = p_;
  done_ = 0;
  next_balance_ = 20;
  set_rho(rho * mobility);
}

template <class Prepared>
void Splitting<Prepared>::set_rho(double rho) {
  rho_ = rho;
  blocks_.clear();
  if constexpr (!Prepared::kMixedRows) blocks_.push_back((*contacts_)[0].block(rho * Mat::Identity()));
  problem_->delassus->multiply_add(iterate_->impulse, problem_->free_velocity, u_);
  Eigen::Index size = 0;
  for (std::size_t i = 0; i < contacts_->size(); ++i) size += layout().rows(i) * layout().rows(i);
  shift_.resize(size);
  double* at = shift_.data();
  for (std::size_t i = 0; i < contacts_->size(); ++i) {
    const Prepared& contact = (*contacts_)[i];
    const Eigen::Index n = layout().rows(i);
    const Mat inverse = contact.inverse_scaling();
    Vec s = contact.scaled_velocity(part(u_, i)) / rho;
    if constexpr (Prepared::kMixedRows) {
      const Mat d = metric_[i].asDiagonal();
      Eigen::Map<Mat>(at, n, n) = rho * inverse.transpose() * Mat(d * inverse);
      blocks_.push_back(contact.block(rho * d));
      s = s.cwiseQuotient(metric_[i]).eval();
    } else {
      Eigen::Map<Mat>(at, n, n) = rho * inverse.transpose() * inverse;
    }
    at += n * n;
    s += part(p_, i);  // where r would be the impulses at hand
    set_part<kRows>(s_, layout(), i, s);
  }
  regular_ = solver_->factorize(shift_);
  anderson_.restart();
}

template <class Prepared>
void Splitting<Prepared>::evaluate() {
  // (W + ρT⁻ᵀD T⁻¹) r = ρT⁻ᵀD s − q
  const double* at = shift_.data();
  for (std::size_t i = 0; i < contacts_->size(); ++i) {
    const Eigen::Index n = layout().rows(i);
    const Vec s = (*contacts_)[i].impulse(part(s_, i));
    const Vec r = Eigen::Map<const Mat>(at, n, n) * s - part(problem_->free_velocity, i);
    at += n * n;
    set_part<kRows>(r_, layout(), i, r);
  }
  solver_->solve(r_);
  before_ = p_;
  for (std::size_t i = 0; i < contacts_->size(); ++i) {
    const Prepared& contact = (*contacts_)[i];
    const Vec r = contact.scaled_impulse(part(r_, i));
    Vec c = -rho_ * (2 * r - part(s_, i));
    if constexpr (Prepared::kMixedRows) c = c.cwiseProduct(metric_[i]).eval();
    if (contact.solve(blocks_[Prepared::kMixedRows ? i : 0], c, iterate_->map_accuracy, states_[i])) {
      set_part<kRows>(p_, layout(), i, states_[i].impulse);
      set_part<kRows>(iterate_->impulse, layout(), i, contact.impulse(states_[i].impulse));
    }
    const Vec f = part(p_, i) - r;
    set_part<kRows>(f_, layout(), i, f);
  }
}

template <class Prepared>
bool Splitting<Prepared>::iterate(int count) {
  for (int k = 0; k < count && regular_; ++k, ++done_) {
    evaluate();
    anderson_.next(s_, f_);
    if (done_ + 1 < next_balance_) continue;
    // Balance: impulses that differ between the two sides ask for a larger ρ, impulses that still move for a smaller.
    next_balance_ *= 3;
    const double ratio = std::sqrt(f_.norm() / std::max((p_ - before_).norm(), 1e-300));
    if (ratio > 3 || ratio < 1 / 3.0) set_rho(rho_ * std::clamp(ratio, 0.1, 10.0));
  }
  return regular_;
}

template class Splitting<PreparedPlanar>;
template class Splitting<PreparedRolling>;
template class Splitting<PreparedGeneral>;

}  // namespace slipset::internal
