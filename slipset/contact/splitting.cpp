#include "slipset/contact/splitting.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

}  // namespace

Splitting::Splitting(ContactWork& work, BlockLu& factors, double rho)
    : work_(work), factors_(factors), anderson_(work.impulse.size()), shift_(work.size()), states_(work.states) {
  r_ = work.impulse;
  p_ = before_ = s_ = f_ = work.scaled_impulses(work.impulse);
  set_rho(rho * work.mobility);
}

void Splitting::set_rho(double rho) {
  rho_ = rho;
  block_ = LocalBlock(rho * Mat3::Identity());
  work_.delassus().multiply_add(work_.impulse, work_.given.free_velocity, work_.velocity);
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const ScaledContact& contact = work_.contacts[i];
    const Mat3 inverse = contact.scaling().inverse();
    shift_[i] = rho * inverse.transpose() * inverse;
    // Where r would be the impulses at hand.
    s_.segment<3>(at(i)) = p_.segment<3>(at(i)) + contact.scaled_velocity(work_.velocity.segment<3>(at(i))) / rho;
  }
  regular_ = factors_.factorize(work_.delassus(), shift_);
  work_.work += 4 * factors_.factor_work();
  anderson_.restart();
}

void Splitting::evaluate() {
  // (W + ρ(TTᵀ)⁻¹) r = ρT⁻ᵀs − q
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const Vec3 s = work_.contacts[i].impulse(s_.segment<3>(at(i)));
    r_.segment<3>(at(i)) = shift_[i] * s - work_.given.free_velocity.segment<3>(at(i));
  }
  factors_.solve(r_);
  before_ = p_;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const ScaledContact& contact = work_.contacts[i];
    const Vec3 r = work_.scaled_impulse(i, r_), c = -rho_ * (2 * r - s_.segment<3>(at(i)));
    if (solve_block(contact, block_, c, work_.map_accuracy, states_[i])) {
      p_.segment<3>(at(i)) = states_[i].impulse;
      work_.impulse.segment<3>(at(i)) = contact.impulse(states_[i].impulse);
    }
    f_.segment<3>(at(i)) = p_.segment<3>(at(i)) - r;
  }
  work_.work += static_cast<double>(factors_.filled()) + 20 * static_cast<double>(work_.size());
}

bool Splitting::iterate(int count) {
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

}  // namespace slipset
