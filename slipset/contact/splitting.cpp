#include "slipset/contact/splitting.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr double kGrowth = 2;       // of |f| that extrapolation may cause
constexpr double kRegular = 1e-12;  // of the extrapolation's normal equations

}  // namespace

Splitting::Splitting(ContactWork& work, BlockLu& factors, double rho)
    : work_(work), factors_(factors), states_(work.states) {
  r_ = f_ = before_ = last_s_ = last_f_ = work.impulse;
  change_s_ = change_f_ = Eigen::MatrixXd::Zero(work.impulse.size(), kMemory);
  work.problem.delassus.multiply_add(work.impulse, work.problem.free_velocity, work.velocity);
  set_rho(rho * work.mobility);
}

void Splitting::set_rho(double rho) {
  rho_ = rho;
  block_ = LocalBlock(rho * Mat3::Identity());
  regular_ = factors_.factorize(work_.problem.delassus, rho);
  work_.work += 4 * factors_.factor_work();
  s_ = work_.impulse + work_.velocity / rho;  // where r would be the impulses at hand
  kept_ = next_ = 0;
  started_ = extrapolated_ = false;
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

void Splitting::extrapolate() {
  const double size = f_.norm();
  if (extrapolated_ && !(size < kGrowth * last_f_.norm())) {  // too far: the plain step instead
    s_ = last_s_ + last_f_;
    kept_ = next_ = 0;
    started_ = extrapolated_ = false;
    return;
  }
  if (started_) {
    change_s_.col(next_) = s_ - last_s_;
    change_f_.col(next_) = f_ - last_f_;
    next_ = (next_ + 1) % kMemory;
    kept_ = std::min(kept_ + 1, kMemory);
  }
  started_ = true;
  extrapolated_ = false;
  last_s_ = s_;
  last_f_ = f_;
  s_ += f_;
  if (kept_ == 0) return;
  // γ of the least |f − ΔF γ|, by normal equations with a little regularisation; then s = s + f − (ΔS + ΔF) γ.
  const auto ds = change_s_.leftCols(kept_), df = change_f_.leftCols(kept_);
  Eigen::MatrixXd normal = df.transpose() * df;
  normal.diagonal().array() += kRegular * normal.trace();
  const Eigen::VectorXd gamma = normal.ldlt().solve(df.transpose() * f_);
  if (!gamma.allFinite()) return;
  s_ -= ds * gamma + df * gamma;
  extrapolated_ = true;
}

bool Splitting::iterate(int count) {
  for (int k = 0; k < count && regular_; ++k, ++done_) {
    evaluate();
    extrapolate();
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
