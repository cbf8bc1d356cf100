#include "slipset/contact/rolling_local.hpp"

#include <Eigen/LU>

namespace slipset {
namespace {

constexpr double kRounding = 4e-16;
// Velocities below this are rest: bodies at rest for long come to the end of the range of numbers.
constexpr double kRest = 1e-140;

// |x_i, i of the factor|. By hand: g++ 12 sees segments of such vectors out of bounds.
template <class Vector>
double part_norm(const Vector& x, Eigen::Index first, Eigen::Index size) {
  double sum = 0;
  for (Eigen::Index i = first; i < first + size; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}
template <class Vector>
double part_norm(const Vector& x, const RollingLaw::Factor& factor, Eigen::Index offset = 0) {
  return part_norm(x, offset + factor.first, factor.size);
}

// y = -p_F for a given normal impulse, or both together.
class LocalSolver {
 public:
  LocalSolver(const RollingLaw& law, const RollingBlock& block, const RollingContactVec& c, double factor,
              double accuracy)
      : law_(law),
        original_(block.g),
        g_(block.g),
        c_(c),
        step_(block.step),
        factor_(factor),
        accuracy_(accuracy),
        m_(law.size()) {}

  // Stick, if friction can hold it: a linear system, which gives every component its own accuracy.
  bool stick(bool given, double& p, RollingVec& y) {
    double trial = p;
    RollingVec held(m_);
    if (given) {
      held = g_.bottomRightCorner(m_, m_).fullPivLu().solve(RollingVec(c_.tail(m_) + p * g_.col(0).tail(m_)));
    } else {
      const RollingContactVec all = -g_.fullPivLu().solve(c_);
      trial = all[0];
      for (Eigen::Index i = 0; i < m_; ++i) held[i] = -all[1 + i];
    }
    if (!(trial > 0) || !held.allFinite()) return false;
    law_.project_own(held, trial * factor_, closest_, nullptr);
    if (closest_ != held) return false;
    evaluate(trial, held);
    for (Eigen::Index i = 0; i < m_; ++i)
      if (!(std::abs(u_[i]) <= 1e-14 * sums_[i])) return false;  // a singular block that does not fit
    if (!given && !(normal_error(trial) <= 1e-14)) return false;
    p = trial;
    y = held;
    return true;
  }

  // Newton's method for (P, y) from a guess. True if it reached the accuracy.                              (T.8)
  bool newton(double& p, RollingVec& y) {
    double last = INFINITY;
    for (int k = 0; k < 25; ++k) {
      evaluate(p, y);
      const double error = std::max(normal_error(p), friction_error(p));
      if (!std::isfinite(error)) return false;
      if (error <= kRounding || (error <= accuracy_ && error > 0.1 * last)) return true;
      if (k > 8 && error > 0.5 * last && error > accuracy_) return false;
      last = error;
      ++iterations_;
      RollingContactMat j(m_ + 1, m_ + 1);
      RollingContactVec f(m_ + 1);
      const double gnn = g_(0, 0);
      f[0] = u_n_ / gnn;
      f.tail(m_) = y - closest_;
      j(0, 0) = 1;
      j.row(0).tail(m_) = -g_.row(0).tail(m_) / gnn;
      j.col(0).tail(m_) = -by_normal(p);
      j.bottomRightCorner(m_, m_) = by_friction();
      const RollingContactVec d = -j.fullPivLu().solve(f);
      if (!d.allFinite()) return false;
      // A step that would lift the contact goes a part of the way.
      const double part = p + d[0] > 0.1 * p ? 1 : -0.9 * p / d[0];
      p += part * d[0];
      y += part * d.tail(m_);
    }
    return false;
  }

  // y for P given, from a guess. Blocks of large condition number make the way to the solution a bent valley; it is
  // then followed from a block with more on its diagonal.
  bool metric_projection(double p, RollingVec& y) {
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

  // The same by Newton's method on the forward-backward envelope of the convex problem.                    (T.9)
  bool newton_given(double p, RollingVec& y) {
    double last = INFINITY;
    for (int k = 0; k < 60; ++k) {
      evaluate(p, y);
      const double error = friction_error(p);
      if (!std::isfinite(error)) return false;
      if (error <= kRounding || (error <= accuracy_ && error > 0.1 * last)) return true;
      if (k > 30 && error <= 1e-13) return true;
      last = error;
      ++iterations_;
      const RollingVec f = y - closest_, forward = closest_, start = y;
      RollingVec d = -by_friction().fullPivLu().solve(f);
      const double most = 2.5 * p * factor_;  // no step is longer than the set is wide
      if (d.norm() > most) d *= most / d.norm();
      if (!d.allFinite() || !line_search(p, start, d, f.norm(), y))
        y = forward;  // a projected gradient step always descends
    }
    return friction_error(p) <= 1e-12;
  }

  // Both, sure: u_N(P) = 0 bracketed.
  bool bracketed(double& p, RollingVec& y) {
    double lo = 0, hi = INFINITY, width = INFINITY;
    if (!(p > 0)) p = -c_[0] / g_(0, 0);
    for (int k = 0; k < 400; ++k) {
      metric_projection(p, y);
      evaluate(p, y);
      if (!(friction_error(p) < 1e-3)) return false;
      if (normal_error(p) <= std::max(kRounding, 0.02 * accuracy_)) return true;
      const double value = u_n_;
      (value < 0 ? lo : hi) = p;
      const RollingVec dy = by_friction().fullPivLu().solve(by_normal(p));
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

  // Whether (P, y) is a solution, after Newton's method for both once more where it is not.
  bool polished(double& p, RollingVec& y) {
    const auto error = [&] {
      evaluate(p, y);
      return std::max(normal_error(p), friction_error(p));
    };
    const double before = error(), kept_p = p;
    const RollingVec kept = y;
    if (before <= accuracy_ || newton(p, y) || error() < before) return error() <= 1e-10;
    p = kept_p;
    y = kept;
    return before <= 1e-10;
  }

  int iterations() const { return iterations_; }

 private:
  void evaluate(double p, const RollingVec& y) {
    u_n_ = c_[0] + g_(0, 0) * p - g_.row(0).tail(m_).dot(y);
    u_ = c_.tail(m_) + p * g_.col(0).tail(m_) - g_.bottomRightCorner(m_, m_) * y;
    z_ = y + step_.cwiseProduct(u_);
    law_.project_own(z_, p * factor_, closest_, &derivative_);
    sums_n_ = std::abs(c_[0]) + std::abs(g_(0, 0) * p) + g_.row(0).tail(m_).cwiseAbs().dot(y.cwiseAbs());
    sums_ = c_.tail(m_).cwiseAbs() + p * g_.col(0).tail(m_).cwiseAbs() +
            g_.bottomRightCorner(m_, m_).cwiseAbs() * y.cwiseAbs();
    f_ = y - closest_;
  }
  double normal_error(double) const { return std::abs(u_n_) / sums_n_; }
  // A bound of (T.10): the natural residual grows with its step, and over its step falls.
  double friction_error(double p) const {
    double worst = 0;
    for (const RollingLaw::Factor& factor : law_.factors()) {
      const double f = part_norm(f_, factor), e = part_norm(sums_, factor);
      const double error =
          e > kRest ? f * std::max(1 / (p * factor_), 1 / (step_[factor.first] * e)) : f / (p * factor_);
      if (error > worst || std::isnan(error)) worst = error;
    }
    return worst;
  }
  // ∂(y - P(y + R u))/∂y and ∂P(y + R u)/∂p
  RollingMat by_friction() const {
    RollingMat inner = -(step_.asDiagonal() * g_.bottomRightCorner(m_, m_));
    inner.diagonal().array() += 1;
    RollingMat j = -(derivative_ * inner);
    j.diagonal().array() += 1;
    return j;
  }
  RollingVec by_normal(double p) const {
    return derivative_ * step_.cwiseProduct(g_.col(0).tail(m_)) + (closest_ - derivative_ * z_) / p;
  }
  // The envelope's derivative along d at the point last evaluated: d·(R⁻¹ - G)(y - P). The envelope is convex, so that
  // this grows along d; its value itself would be lost to rounding near the minimum.
  double slope_along(const RollingVec& d) const {
    return d.dot(f_.cwiseQuotient(step_)) - d.dot(g_.bottomRightCorner(m_, m_) * f_);
  }
  // y = start + t d near the envelope's minimum over 0 ≤ t ≤ 1; false if it does not fall along d.
  bool line_search(double p, const RollingVec& start, const RollingVec& d, double size, RollingVec& y) {
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

  const RollingLaw& law_;
  const RollingContactMat& original_;
  RollingContactMat g_;  // the same, or with more on its diagonal
  const RollingContactVec& c_;
  const RollingVec& step_;
  double factor_, accuracy_;
  Eigen::Index m_;
  int iterations_ = 0;
  double u_n_ = 0, sums_n_ = 0;
  RollingVec u_, z_, closest_, sums_, f_;
  RollingMat derivative_;
};

// L of a contact: 1 for the normal, then the law's.
RollingContactMat own_block(const RollingLaw* law, const RollingContactMat& g) {
  RollingContactMat own = g;
  if (!law) return own;
  const Eigen::Index m = law->size();
  const RollingMat& l = law->coordinates();
  own.bottomRows(m) = RollingContactMat(l.transpose() * g.bottomRows(m));
  own.rightCols(m) = RollingContactMat(own.rightCols(m) * l);
  return own;
}

void require_size(const RollingLaw* law, const RollingLocalProblem& p) {
  const Eigen::Index n = 1 + (law ? law->size() : 0);
  if (p.free_velocity.size() != n || p.delassus.rows() != n || p.delassus.cols() != n)
    throw InvalidInput("rolling contact: the block and the free velocity need " + std::to_string(n) +
                       " components, the normal one and those of the law");
}

RollingContactVec sums_of(const RollingContactMat& g, const RollingContactVec& c, const RollingContactVec& p) {
  return c.cwiseAbs() + g.cwiseAbs() * p.cwiseAbs();
}

RollingContactVec to_own(const RollingLaw* law, const RollingContactVec& impulse) {
  RollingContactVec own = impulse;
  if (law) own.tail(law->size()) = RollingVec(law->inverse_coordinates() * impulse.tail(law->size()));
  return own;
}

RollingContactVec velocity_to_own(const RollingLaw* law, const RollingContactVec& velocity) {
  RollingContactVec own = velocity;
  if (law) own.tail(law->size()) = RollingVec(law->coordinates().transpose() * velocity.tail(law->size()));
  return own;
}

}  // namespace

RollingBlock::RollingBlock(const RollingLaw* law, const RollingContactMat& delassus) : g(delassus) {
  const Eigen::Index m = law ? law->size() : 0;
  step = RollingVec::Ones(m);
  if (!law) return;
  const double most = g.bottomRightCorner(m, m).norm();
  // A positive semidefinite matrix whose n diagonal blocks have norm 1 has a norm of n at most.
  for (const RollingLaw::Factor& f : law->factors()) {
    const double size = g.block(1 + f.first, 1 + f.first, f.size, f.size).norm();
    const double bound = 1.1 * static_cast<double>(law->factors().size()) * std::max(size, 1e-12 * most);
    step.segment(f.first, f.size).setConstant(bound > 0 ? 1 / bound : 1);
  }
}

void solve_rolling_block(const RollingLaw* law, const RollingBlock& block, const RollingContactVec& c,
                         std::optional<double> normal_impulse, double factor, double accuracy, RollingState& state) {
  const Eigen::Index m = law ? law->size() : 0;
  RollingContactVec guess = state.impulse;
  state = {RollingContactVec::Zero(m + 1), 0, false, true};
  if (normal_impulse ? !(*normal_impulse > 0) : c[0] >= 0) {
    if (normal_impulse) state.impulse[0] = *normal_impulse;
    return;
  }
  if (!normal_impulse && !(block.g(0, 0) > 0)) {  // nothing can stop it; a NaN comes here, too
    state.found = false;
    return;
  }
  double p = normal_impulse ? *normal_impulse : -c[0] / block.g(0, 0);
  if (m > 0) {
    RollingVec y = RollingVec::Zero(m);
    if (guess.size() == m + 1 && guess[0] > 0 && guess.allFinite()) {
      if (!normal_impulse) p = guess[0];
      y = -guess.tail(m) * (p / guess[0]);
    }
    LocalSolver solver(*law, block, c, factor, accuracy);
    if (solver.stick(normal_impulse.has_value(), p, y)) {
      state.found = true;
    } else if (normal_impulse) {
      state.found = solver.metric_projection(p, y);
    } else {
      const RollingVec first = y;
      const double first_p = p;
      if (!solver.newton(p, y)) {
        state.bracketed = true;
        p = first_p;
        y = first;
        state.found = solver.bracketed(p, y) && solver.polished(p, y);
      }
    }
    state.iterations = solver.iterations();
    state.impulse.tail(m) = -y;
  }
  state.impulse[0] = p;
}

double rolling_defect(const RollingLaw* law, double normal_mobility, std::optional<double> normal_impulse,
                      double factor, const RollingContactVec& impulse, const RollingContactVec& velocity,
                      const RollingContactVec& sums, const RollingVec* steps) {
  const double p = impulse[0];
  double worst = normal_impulse ? std::abs(p - *normal_impulse) / std::max(std::abs(*normal_impulse), 1e-300)
                 : sums[0] > 0  ? std::abs(std::min(velocity[0], normal_mobility * p)) / sums[0]
                                : std::abs(p) * normal_mobility;
  const auto take = [&](double error) {
    if (error > worst || std::isnan(error)) worst = error;
  };
  take(velocity[0] - velocity[0]);  // a NaN shows
  if (!law) return worst;
  const Eigen::Index m = law->size();
  if (!(p > 0)) {
    for (Eigen::Index i = 1; i <= m; ++i) take(impulse[i] == 0 ? 0 : 1);
    return worst;
  }
  const RollingVec x = -impulse.tail(m) / (p * factor);
  RollingVec z = x, closest;
  const auto reach = [&](const RollingLaw::Factor& f, double e) {  // of the step along u, over p_N f/|e|
    constexpr double kMost = 1e12;
    return steps ? std::clamp((*steps)[f.first] * e / (p * factor), 1.0, kMost) : 1.0;
  };
  for (const RollingLaw::Factor& f : law->factors()) {
    const double e = part_norm(sums, f, 1);
    for (Eigen::Index i = f.first; i < f.first + f.size && e > kRest; ++i) z[i] += reach(f, e) * velocity[1 + i] / e;
  }
  law->project_own(z, 1, closest, nullptr);
  const RollingVec away = x - closest;
  for (const RollingLaw::Factor& f : law->factors()) take(part_norm(away, f) / reach(f, part_norm(sums, f, 1)));
  return worst;
}

double rolling_local_residual(const RollingLaw* law, const RollingLocalProblem& problem,
                              const RollingContactVec& impulse) {
  require_size(law, problem);
  const RollingContactMat g = own_block(law, problem.delassus);
  const RollingContactVec c = velocity_to_own(law, problem.free_velocity), p = to_own(law, impulse);
  return rolling_defect(law, g(0, 0), problem.normal_impulse, problem.reservoir_factor, p, g * p + c, sums_of(g, c, p));
}

RollingLocalSolution solve_rolling_local(const RollingLaw* law, const RollingLocalProblem& problem,
                                         const RollingContactVec* guess) {
  require_size(law, problem);
  const RollingBlock block(law, own_block(law, problem.delassus));
  const RollingContactVec c = velocity_to_own(law, problem.free_velocity);
  RollingState state;
  if (guess) state.impulse = to_own(law, *guess);
  solve_rolling_block(law, block, c, problem.normal_impulse, problem.reservoir_factor, 1e-14, state);
  RollingLocalSolution solution;
  solution.iterations = state.iterations;
  solution.bracketed = state.bracketed;
  solution.impulse = state.impulse;
  if (law) solution.impulse.tail(law->size()) = RollingVec(law->coordinates() * state.impulse.tail(law->size()));
  solution.velocity = problem.delassus * solution.impulse + problem.free_velocity;
  const RollingContactVec u = block.g * state.impulse + c, e = sums_of(block.g, c, state.impulse);
  solution.residual =
      rolling_defect(law, block.g(0, 0), problem.normal_impulse, problem.reservoir_factor, state.impulse, u, e);
  if (!state.found) return solution;
  const bool pressed = state.impulse[0] > 0;
  solution.mode = pressed || problem.normal_impulse ? ContactMode::stick : ContactMode::open;
  if (!law) {
    if (solution.mode == ContactMode::stick) solution.mode = ContactMode::slip;
    return solution;
  }
  const auto moves = [&](bool has, int first, int size) {
    return has && part_norm(u, 1 + first, size) > 1e-12 * part_norm(e, 1 + first, size);
  };
  solution.slides = moves(law->has_sliding(), 0, 2);
  solution.drills = moves(law->has_drilling(), law->drilling_place(), 1);
  solution.rolls = moves(law->has_rolling(), law->rolling_place(), 2);
  if (solution.mode == ContactMode::stick && (solution.slides || solution.drills || solution.rolls))
    solution.mode = ContactMode::slip;
  return solution;
}

}  // namespace slipset
