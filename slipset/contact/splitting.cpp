#include "slipset/contact/splitting.hpp"

#include <algorithm>
#include <cmath>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

}  // namespace

Splitting::Splitting(ContactWork& work, BlockLu& factors, double rho)
    : work_(work), factors_(factors), anderson_(work.impulse.size()), states_(work.states) {
  r_ = f_ = before_ = work.impulse;
  work.problem.delassus.multiply_add(work.impulse, work.problem.free_velocity, work.velocity);
  set_rho(rho * work.mobility);
}

void Splitting::set_rho(double rho) {
  rho_ = rho;
  block_ = LocalBlock(rho * Mat3::Identity());
  regular_ = factors_.factorize(work_.problem.delassus, rho);
  work_.work += 4 * factors_.factor_work();
  s_ = work_.impulse + work_.velocity / rho;  // where r would be the impulses at hand
  anderson_.restart();
}

void Splitting::evaluate() {
  r_ = rho_ * s_ - work_.problem.free_velocity;
  factors_.solve(r_);
  before_ = work_.impulse;
  for (std::size_t i = 0; i < work_.contacts(); ++i) {
    const Vec3 c = -rho_ * (2 * r_.segment<3>(at(i)) - s_.segment<3>(at(i)));
    if (solve_block(work_.problem.contacts[i], block_, c, work_.map_accuracy, states_[i]))
      work_.impulse.segment<3>(at(i)) = states_[i].impulse;
  }
  f_ = work_.impulse - r_;
  work_.work += static_cast<double>(factors_.filled()) + 20 * static_cast<double>(work_.contacts());
}

bool Splitting::iterate(int count) {
  for (int k = 0; k < count && regular_; ++k, ++done_) {
    evaluate();
    anderson_.next(s_, f_);
    if (done_ + 1 < next_balance_) continue;
    // Balance: impulses that differ between the two sides ask for a larger ρ, impulses that still move for a smaller.
    next_balance_ *= 3;
    const double ratio = std::sqrt(f_.norm() / std::max((work_.impulse - before_).norm(), 1e-300));
    if (ratio > 3 || ratio < 1 / 3.0) {
      work_.problem.delassus.multiply_add(work_.impulse, work_.problem.free_velocity, work_.velocity);
      set_rho(rho_ * std::clamp(ratio, 0.1, 10.0));
    }
  }
  return regular_;
}

}  // namespace slipset
