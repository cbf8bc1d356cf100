#include "slipset/contact/anderson.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace slipset {
namespace {

constexpr double kGrowth = 2;       // of |f| that extrapolation may cause
constexpr double kRegular = 1e-12;  // of the normal equations

}  // namespace

Anderson::Anderson(Eigen::Index size)
    : last_s_(size),
      last_f_(size),
      change_s_(Eigen::MatrixXd::Zero(size, kMemory)),
      change_f_(Eigen::MatrixXd::Zero(size, kMemory)) {}

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
    next_ = (next_ + 1) % kMemory;
    kept_ = std::min(kept_ + 1, kMemory);
  }
  started_ = true;
  extrapolated_ = false;
  last_s_ = s;
  last_f_ = f;
  s += f;
  if (kept_ == 0) return;
  const auto ds = change_s_.leftCols(kept_), df = change_f_.leftCols(kept_);
  Eigen::MatrixXd normal = df.transpose() * df;
  normal.diagonal().array() += kRegular * normal.trace();
  const Eigen::VectorXd gamma = normal.ldlt().solve(df.transpose() * f);
  if (!gamma.allFinite()) return;
  s -= ds * gamma + df * gamma;
  extrapolated_ = true;
}

}  // namespace slipset
