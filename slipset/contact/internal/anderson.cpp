#include "slipset/contact/internal/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace slipset::internal {
namespace {

constexpr double kGrowth = 2;       // of |f| that extrapolation may cause
constexpr double kRegular = 1e-12;  // of the normal equations

}  // namespace

void Anderson::resize(Eigen::Index size) {
  restart();
  if (size == last_s_.size()) return;
  last_s_.resize(size);
  last_f_.resize(size);
  change_s_.setZero(size, kMemory);
  change_f_.setZero(size, kMemory);
}

void Anderson::restart() {
  kept_ = next_ = 0;
  started_ = extrapolated_ = false;
}

void Anderson::next(Eigen::VectorXd& s, const Eigen::VectorXd& f) {
  if (extrapolated_ && !(f.norm() < kGrowth * last_f_.norm())) {  // too far: the plain step instead
    s = last_s_ + last_f_;
    restart();
    return;
  }
  if (started_) {
    change_s_.col(next_) = s - last_s_;
    change_f_.col(next_) = f - last_f_;
    kept_ = std::min(kept_ + 1, kMemory);
    for (int k = 0; k < kept_; ++k)
      products_(next_, k) = products_(k, next_) = change_f_.col(next_).dot(change_f_.col(k));
    next_ = (next_ + 1) % kMemory;
  }
  started_ = true;
  extrapolated_ = false;
  last_s_ = s;
  last_f_ = f;
  s += f;
  if (kept_ == 0) return;
  // Small matrices of a fixed capacity: no allocation.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMemory, kMemory> normal =
      products_.topLeftCorner(kept_, kept_);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMemory, 1> right(kept_);
  for (int k = 0; k < kept_; ++k) right[k] = change_f_.col(k).dot(f);
  normal.diagonal().array() += kRegular * normal.trace();
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMemory, 1> gamma = normal.ldlt().solve(right);
  if (!gamma.allFinite()) return;
  for (int k = 0; k < kept_; ++k) s -= gamma[k] * (change_s_.col(k) + change_f_.col(k));
  extrapolated_ = true;
}

}  // namespace slipset::internal
