#include "slipset/contact/splitting.hpp"

#include <algorithm>
#include <cmath>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr double kAccuracy = 1e-12;  // of slip directions [rad]

}  // namespace

Splitting::Splitting(ContactWork& work, BlockLu& factors, double rho)
    : work_(work), factors_(factors), states_(work.states) {
  r_ = before_ = work.impulse;
  work.problem.delassus.multiply_add(work.impulse, work.problem.free_velocity, work.velocity);
  set_rho(rho * work.mobility);
}

void Splitting::set_rho(double rho) {
  rho_ = rho;
  block_ = LocalBlock(rho * Mat3::Identity());
  regular_ = factors_.factorize(work_.problem.delassus, rho);
  work_.work += 4 * factors_.factor_work();
  s_ = work_.impulse + work_.velocity / rho;  // where r would be the impulses at hand
}

bool Splitting::iterate(int count) {
  const Eigen::VectorXd& q = work_.problem.free_velocity;
  Eigen::VectorXd& p = work_.impulse;
  for (int k = 0; k < count && regular_; ++k, ++done_) {
    r_ = rho_ * s_ - q;
    factors_.solve(r_);
    before_ = p;
    for (std::size_t i = 0; i < work_.contacts(); ++i) {
      const Vec3 c = -rho_ * (2 * r_.segment<3>(at(i)) - s_.segment<3>(at(i)));
      if (!solve_block(work_.problem.contacts[i], block_, c, kAccuracy, states_[i])) return false;
      p.segment<3>(at(i)) = states_[i].impulse;
    }
    s_ += p - r_;
    work_.work += static_cast<double>(factors_.filled()) + 20 * static_cast<double>(work_.contacts());
    if (done_ + 1 < next_balance_) continue;
    // Balance: impulses that differ between the two sides ask for a larger ρ, impulses that still move for a smaller.
    next_balance_ *= 3;
    const double apart = (p - r_).norm(), moving = (p - before_).norm();
    const double ratio = std::sqrt(apart / std::max(moving, 1e-300));
    if (ratio > 3 || ratio < 1 / 3.0) {
      work_.problem.delassus.multiply_add(p, q, work_.velocity);
      set_rho(rho_ * std::clamp(ratio, 0.1, 10.0));
    }
  }
  return regular_;
}

}  // namespace slipset
