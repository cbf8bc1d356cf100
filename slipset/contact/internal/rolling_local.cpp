#include "slipset/contact/internal/rolling_local.hpp"

#include <algorithm>

#include "slipset/core/internal/small_matrix.hpp"

namespace slipset::internal {
namespace {

constexpr double kRounding = 4e-16;

}  // namespace

bool RollingLocalSolver::stick(bool given, double& p, RollingVec& y) {
  double trial = p;
  RollingVec held(m_);
  if (given) {
    held = solve_full_pivot(g_.bottomRightCorner(m_, m_), c_.tail(m_) + p * g_.col(0).tail(m_));
  } else {
    const ContactVec all = -solve_full_pivot(g_, c_);
    trial = all[0];
    for (Eigen::Index i = 0; i < m_; ++i) held[i] = -all[1 + i];
  }
  if (!(trial > 0) || !held.allFinite()) return false;
  law_.project_own(held, trial * factor_, closest_, nullptr);
  if (closest_ != held) return false;
  evaluate(trial, held);
  for (Eigen::Index i = 0; i < m_; ++i)
    if (!(std::abs(u_[i]) <= 1e-14 * sums_[i])) return false;  // a singular block that does not fit
  if (!given && !(normal_error() <= 1e-14)) return false;
  p = trial;
  y = held;
  return true;
}

bool RollingLocalSolver::newton(double& p, RollingVec& y) {
  double last = INFINITY;
  for (int k = 0; k < 25; ++k) {
    evaluate(p, y);
    const double error = std::max(normal_error(), friction_error(p));
    if (!std::isfinite(error)) return false;
    if (error <= kRounding || (error <= accuracy_ && error > 0.1 * last)) return true;
    if (normal_error() <= kRounding && friction_is_rounding(y)) return true;
    if (k > 8 && error > 0.5 * last && error > accuracy_) return false;
    last = error;
    ContactMat j(m_ + 1, m_ + 1);
    ContactVec f(m_ + 1);
    const double gnn = g_(0, 0);
    f[0] = u_n_ / gnn;
    f.tail(m_) = y - closest_;
    j(0, 0) = 1;
    j.row(0).tail(m_) = -g_.row(0).tail(m_) / gnn;
    j.col(0).tail(m_) = -by_normal(p);
    j.bottomRightCorner(m_, m_) = by_friction();
    const ContactVec d = -solve_full_pivot(j, f);
    if (!d.allFinite()) return false;
    // A step that would lift the contact goes a part of the way.
    const double part = p + d[0] > 0.1 * p ? 1 : -0.9 * p / d[0];
    p += part * d[0];
    y += part * d.tail(m_);
  }
  return false;
}

bool RollingLocalSolver::metric_projection(double p, RollingVec& y) {
  const RollingVec first = y;
  if (newton_given(p, y)) return true;
  y = first;
  for (double more = 0.05; more > 1e-17; more *= 0.1) {
    g_.diagonal().tail(m_) += more * step_.cwiseInverse();
    newton_given(p, y);
    g_ = original_;
  }
  return newton_given(p, y);
}

bool RollingLocalSolver::newton_given(double p, RollingVec& y) {
  double last = INFINITY;
  for (int k = 0; k < 60; ++k) {
    evaluate(p, y);
    const double error = friction_error(p);
    if (!std::isfinite(error)) return false;
    if (error <= kRounding || (error <= accuracy_ && error > 0.1 * last)) return true;
    if (friction_is_rounding(y) || (k > 30 && error <= 1e-13)) return true;
    last = error;
    const RollingVec f = y - closest_, forward = closest_, start = y;
    RollingVec d = -solve_full_pivot(by_friction(), f);
    const double most = 2.5 * p * factor_;  // no step is longer than the set is wide
    if (d.norm() > most) d *= most / d.norm();
    if (!d.allFinite() || !line_search(p, start, d, f.norm(), y))
      y = forward;  // a projected gradient step always descends
  }
  evaluate(p, y);
  return friction_error(p) <= 1e-12;
}

bool RollingLocalSolver::bracketed(double& p, RollingVec& y) {
  double lo = 0, hi = INFINITY, width = INFINITY;
  if (!(p > 0)) p = -c_[0] / g_(0, 0);
  for (int k = 0; k < 400; ++k) {
    metric_projection(p, y);
    if (!(friction_error(p) < 1e-3)) return false;
    if (normal_error() <= std::max(kRounding, 0.02 * accuracy_)) return true;
    const double value = u_n_;
    (value < 0 ? lo : hi) = p;
    const RollingVec dy = solve_full_pivot(by_friction(), by_normal(p));
    const double slope = g_(0, 0) - g_.row(0).tail(m_).dot(dy);
    double next = p - value / slope;
    if (hi == INFINITY) {
      if (!(next > 1.1 * p && next < 8 * p)) next = 2 * p;
      if (next > 1e200) return false;
    } else {
      const bool halves = std::abs(next - p) < 0.5 * width;
      width = std::abs(next - p);
      if (!(next > lo && next < hi) || !halves) {
        next = lo + 0.5 * (hi - lo);
        width = hi - lo;
      }
      if (hi - lo <= kRounding * hi || next == p || next == lo || next == hi) return true;
    }
    y *= next / p;
    p = next;
  }
  return true;
}

bool RollingLocalSolver::polished(double& p, RollingVec& y) {
  const auto error = [&] {
    evaluate(p, y);
    return std::max(normal_error(), friction_error(p));
  };
  const double before = error(), kept_p = p;
  const RollingVec kept = y;
  if (before <= accuracy_ || newton(p, y) || error() < before) return error() <= 1e-10;
  p = kept_p;
  y = kept;
  return before <= 1e-10;
}

void RollingLocalSolver::evaluate(double p, const RollingVec& y) {
  u_n_ = c_[0] + g_(0, 0) * p - g_.row(0).tail(m_).dot(y);
  u_ = c_.tail(m_) + p * g_.col(0).tail(m_) - g_.bottomRightCorner(m_, m_) * y;
  z_ = y + step_.cwiseProduct(u_);
  law_.project_own(z_, p * factor_, closest_, &derivative_);
  sums_n_ = std::abs(c_[0]) + std::abs(g_(0, 0) * p) + g_.row(0).tail(m_).cwiseAbs().dot(y.cwiseAbs());
  sums_ = c_.tail(m_).cwiseAbs() + p * g_.col(0).tail(m_).cwiseAbs() +
          g_.bottomRightCorner(m_, m_).cwiseAbs() * y.cwiseAbs();
  f_ = y - closest_;
}

double RollingLocalSolver::friction_error(double p) const {
  double worst = 0;
  const double least = kLeastShare * std::hypot(sums_n_, sums_.norm());
  for (const RollingLaw::Factor& factor : law_.factors()) {
    const double f = part_norm(f_, factor), e = std::max(part_norm(sums_, factor), least);
    const double error =
        e > kRestVelocity ? f * std::max(1 / (p * factor_), 1 / (step_[factor.first] * e)) : f / (p * factor_);
    if (error > worst || std::isnan(error)) worst = error;
  }
  return worst;
}

bool RollingLocalSolver::friction_is_rounding(const RollingVec& y) const {
  const RollingVec moved = y.cwiseAbs() + step_.cwiseProduct(sums_);
  for (Eigen::Index i = 0; i < m_; ++i)
    if (!(std::abs(f_[i]) <= kRounding * (std::abs(y[i]) + derivative_.row(i).cwiseAbs().dot(moved)))) return false;
  return true;
}

RollingMat RollingLocalSolver::by_friction() const {
  RollingMat inner = -(step_.asDiagonal() * g_.bottomRightCorner(m_, m_));
  inner.diagonal().array() += 1;
  RollingMat j = -(derivative_ * inner);
  j.diagonal().array() += 1;
  return j;
}

RollingVec RollingLocalSolver::by_normal(double p) const {
  return derivative_ * step_.cwiseProduct(g_.col(0).tail(m_)) + (closest_ - derivative_ * z_) / p;
}

double RollingLocalSolver::slope_along(const RollingVec& d) const {
  return d.dot(f_.cwiseQuotient(step_)) - d.dot(g_.bottomRightCorner(m_, m_) * f_);
}

bool RollingLocalSolver::line_search(double p, const RollingVec& start, const RollingVec& d, double size,
                                     RollingVec& y) {
  const double first = slope_along(d);
  if (!(first < 0)) return false;
  double lo = 0, hi = 1, t = 1;
  for (int k = 0; k < 60; ++k) {
    y = start + t * d;
    evaluate(p, y);
    const double slope = slope_along(d);
    if (k == 0 && (slope <= 0 || f_.norm() <= 0.5 * size)) return true;
    if (std::abs(slope) <= 0.3 * -first) return true;
    (slope < 0 ? lo : hi) = t;
    t = lo > 0 ? 0.5 * (lo + hi) : 0.1 * hi;
  }
  return lo > 0;
}

}  // namespace slipset::internal
