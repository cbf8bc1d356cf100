#include "slipset/contact/internal/settle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"

namespace slipset::internal {
namespace {

constexpr double kRankThreshold = 1e-10;  // of the largest pivot; rows and columns have size one
constexpr double kChoiceThreshold = 1e-14;
constexpr double kWellDetermined = 1e-3;  // of a pivot over its diagonal: impulses are as exact as the method's error
constexpr int kNewtonSteps = 12;
constexpr double kConverged = 1e-7;  // a step of this share is the last: the next would be its square
constexpr double kLocalAccuracy = 1e-15;
// Velocities that count as none, in tolerances of what adds up at a contact, and what contacts that carry nothing are
// pressed on with in these.
constexpr double kStill = 10, kNudge = 100;
constexpr double kLeastTolerance = 1e-13;
constexpr double kLeastError = 1e-10;                              // of the answer; slip of kStill of them is none
constexpr std::array<double, 3> kSoftnesses = {1e-6, 1e-7, 1e-8};  // ε over the mean mobility
constexpr double kSoftTolerance = 1e-12, kSoftEnough = 1e-7;
// Iterations for all soft problems of one answer: at least, at most, and over those of the method that found it.
constexpr int kFewSoft = 500, kMostSoft = 3000, kSoftShare = 5;
constexpr int kIdleSteps = 3;    // of Newton's, in a row, that are no less than the least
constexpr double kDrift = 1e-5;  // of the impulses, from the limit to what solves the problem: more is another choice

}  // namespace

struct Settling::Soft {
  BlockDelassus blocks;
  ContactProblem problem;
  ContactSolver solver;
  ContactSolution solution;
};

Settling::Settling() = default;
Settling::~Settling() = default;

void Settling::take_matrix(const BlockDelassus& w) {
  w_.setZero(w.rows(), w.rows());
  for (std::size_t i = 0; i < w.contacts(); ++i)
    for (std::size_t k = 0; k < w.blocks(i); ++k) {
      const auto block = w.at(i, k);
      for (Eigen::Index c = 0; c < block.values.cols(); ++c)
        for (Eigen::Index r = 0; r < block.values.rows(); ++r)
          w_(w.offset(i) + r, w.offset(block.column) + c) = block.values(r, c);
    }
}

// Cholesky's factors of W's symmetric part, of all contacts that may carry something; the diagonal has its inverse. Ends
// at the first pivot that is a small part of its diagonal.
bool Settling::is_well_determined(const BlockDelassus& w, double tolerance, const ContactSolution& solution) {
  loaded_.clear();
  for (std::size_t i = 0; i < w.contacts(); ++i) {
    const Eigen::Index at = w.offset(i);
    const bool open = solution.modes[i] == ContactMode::open && solution.velocity[at] > kStill * tolerance * sums_[at];
    for (Eigen::Index k = 0; k < w.rows(i) && !open; ++k) loaded_.push_back(at + k);
  }
  Matrix& l = jacobian_;
  l.resize(w.rows(), w.rows());
  const auto m = static_cast<Eigen::Index>(loaded_.size());
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::Index row = loaded_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Eigen::Index column = loaded_[static_cast<std::size_t>(j)];
      double value = 0.5 * (w_(row, column) + w_(column, row));
      for (Eigen::Index k = 0; k < j; ++k) value -= l(k, i) * l(k, j);
      if (j < i)
        l(j, i) = value * l(j, j);
      else if (value > kWellDetermined * w_(row, row))
        l(i, i) = 1 / std::sqrt(value);
      else
        return false;
    }
  }
  return true;
}

void Settling::take(const ContactProblem& problem, double softness) {
  const BlockDelassus& w = *problem.delassus->as_blocks();
  const std::size_t n = w.contacts();
  take_matrix(w);
  mean_ = w_.trace() / static_cast<double>(w_.rows());
  metric_.setOnes(w_.rows());
  scale_.resize(w_.rows());
  contacts_.clear();
  blocks_.clear();
  states_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const Contact& contact = problem.contacts[i];
    ContactMat g = w.diagonal(i);
    for (Eigen::Index k = 0; k < g.rows(); ++k) {
      const Eigen::Index row = w.offset(i) + k;
      if (contact.law && !contact.law->as_planar()) metric_[row] = g(k, k) > 0 && mean_ > 0 ? g(k, k) / mean_ : 1;
      g(k, k) += softness * mean_ * metric_[row];
      w_(row, row) = g(k, k);
      scale_[row] = 1 / std::sqrt(g(k, k) > 0 ? g(k, k) : mean_ > 0 ? mean_ : 1);
    }
    contacts_.emplace_back(contact, w.rows(i));
    const ContactMat& t = contacts_[i].scaling();
    blocks_.push_back(contacts_[i].block(t.transpose() * ContactMat(g * t)));
    states_.push_back(contacts_[i].first_state(contact));
  }
  hints_.assign(n, {});
}

// What the dynamics add up in each row, but no more than the problem has unless it cancels.
void Settling::find_sums(const ContactProblem& problem, const Vector& impulse) {
  sums_ = problem.free_velocity.cwiseAbs();
  for (Eigen::Index c = 0; c < impulse.size(); ++c)
    for (Eigen::Index r = 0; r < impulse.size(); ++r) sums_[r] += std::abs(w_(r, c) * impulse[c]);
  const double most = limits_of(problem).velocity;
  for (double& s : sums_) s = std::min(s, most);
}

double Settling::sum_at(const RowLayout& layout, std::size_t i) const {
  return sums_.segment(layout.offset(i), layout.rows(i)).maxCoeff<Eigen::PropagateNaN>();
}

void Settling::give_hints(const ContactProblem& problem, double tolerance, const Vector& velocity) {
  const RowLayout& layout = problem.delassus->layout();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const double still = kStill * std::max(tolerance, kLeastTolerance) * sum_at(layout, i);
    const ContactVec u = part_of<Eigen::Dynamic>(velocity, layout, i);
    const bool apart = !contact.normal_impulse && contacts_[i].law().keeps() != Keeps::still;
    const bool closed = !apart || u[0] <= still;
    hints_[i].open = false;
    hints_[i].nudge = apart && closed ? kNudge * still : 0;
    hints_[i].sticks = closed && contact.law && contact.law->as_planar() && friction_norm(u) <= still;
  }
}

// The laws of the contacts that carry something, linearised at their local solutions; the others' impulses end, which
// leaves their rows and columns out.
bool Settling::linearize(const ContactProblem& problem) {
  const RowLayout& layout = problem.delassus->layout();
  u_ = problem.free_velocity;
  u_.noalias() += w_ * p_;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (!find_state(problem, i)) return false;
  active_.clear();
  change_.resize(p_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const bool ends = states_[i].mode == ContactMode::open && !problem.contacts[i].normal_impulse;
    for (Eigen::Index k = layout.offset(i); k < layout.offset(i) + layout.rows(i); ++k) {
      if (!ends) active_.push_back(k);
      if (!ends) continue;
      change_[k] = -p_[k];
      if (p_[k] != 0) u_ -= p_[k] * w_.col(k);
    }
  }
  const auto m = static_cast<Eigen::Index>(active_.size());
  jacobian_.resize(w_.rows(), w_.rows());
  by_velocity_.setZero(w_.rows(), w_.rows());
  right_.resize(w_.rows());
  Eigen::Index first = 0;
  for (std::size_t i = 0; i < contacts_.size() && first < m; ++i) {
    const Eigen::Index at = layout.offset(i), rows = layout.rows(i);
    if (row(first) != at) continue;
    const PreparedGeneral& contact = contacts_[i];
    const ContactVec p = contact.scaled_impulse(part_of<Eigen::Dynamic>(p_, layout, i)),
                     u = contact.scaled_velocity(part_of<Eigen::Dynamic>(u_, layout, i));
    const ContactLaw::Tangent tangent = contact.linearize(blocks_[i], states_[i], 1);
    const ContactMat by_velocity = tangent.by_velocity * contact.scaling().transpose(),
                     by_impulse = tangent.by_impulse * contact.inverse_scaling();
    const ContactVec right = contact.constant(tangent, states_[i]) - tangent.by_impulse * p - tangent.by_velocity * u;
    for (Eigen::Index k = 0; k < m; ++k) {
      const double* const column = &w_(at, row(k));
      if (std::all_of(column, column + rows, [](double x) { return x == 0; })) {
        jacobian_.col(k).segment(first, rows).setZero();
        continue;
      }
      for (Eigen::Index r = 0; r < rows; ++r) {
        double sum = 0;
        for (Eigen::Index j = 0; j < rows; ++j) sum += by_velocity(r, j) * column[j];
        jacobian_(first + r, k) = sum;
      }
    }
    for (Eigen::Index r = 0; r < rows; ++r) {
      right_[first + r] = right[r];
      for (Eigen::Index k = 0; k < rows; ++k) {
        jacobian_(first + r, first + k) += by_impulse(r, k);
        by_velocity_(first + r, first + k) = by_velocity(r, k);
      }
    }
    first += rows;
  }
  sizes_.setZero(w_.rows());
  for (Eigen::Index k = 0; k < m; ++k) {
    jacobian_.col(k).head(m) *= scale_[row(k)];
    for (Eigen::Index r = 0; r < m; ++r) sizes_[r] = larger(sizes_[r], std::abs(jacobian_(r, k)));
  }
  for (Eigen::Index r = 0; r < m; ++r) {
    if (!std::isfinite(sizes_[r]) || !std::isfinite(right_[r])) return false;
    sizes_[r] = sizes_[r] == 0 ? 1 : 1 / sizes_[r];
    right_[r] *= sizes_[r];
  }
  for (Eigen::Index k = 0; k < m; ++k) {
    jacobian_.col(k).head(m).array() *= sizes_.head(m).array();
    const Eigen::Index near = std::max<Eigen::Index>(k - kMostRows, 0), end = std::min(k + kMostRows, m);
    by_velocity_.col(k).segment(near, end - near).array() *= sizes_.segment(near, end - near).array();
  }
  return true;
}

// The local solution, with the velocity that the other impulses give. False if there is none.
bool Settling::find_state(const ContactProblem& problem, std::size_t i) {
  const RowLayout& layout = problem.delassus->layout();
  const PreparedGeneral& contact = contacts_[i];
  LocalState& state = states_[i];
  state.impulse = contact.scaled_impulse(part_of<Eigen::Dynamic>(p_, layout, i));
  state.velocity = contact.scaled_velocity(part_of<Eigen::Dynamic>(u_, layout, i));
  ContactVec c = state.velocity - blocks_[i].g * state.impulse;
  if (hints_[i].nudge > 0) c[0] = std::min(c[0], -hints_[i].nudge);
  if (hints_[i].open) {
    state.impulse.setZero();
    state.mode = ContactMode::open;
  } else if (!contact.solve(blocks_[i], c, kLocalAccuracy, state)) {
    return false;
  }
  if (hints_[i].sticks && state.mode == ContactMode::slip) {
    state.mode = ContactMode::stick;
    state.velocity.setZero();
  }
  return true;
}

// P J Q = L U, in jacobian_. Of a kernel of d impulses the last d rows of U are zeros; the last d rows of L⁻¹P are Yᵀ,
// and the last d unknowns are left to the condition YᵀA S (p + δ) = 0.
bool Settling::newton_step() {
  const auto m = static_cast<Eigen::Index>(active_.size());
  lu_.compute(jacobian_, m, kRankThreshold);
  const Eigen::Index rank = lu_.rank(), open = m - rank;
  if (kernel_ < 0) kernel_ = static_cast<int>(open);
  step_.resize(w_.rows());
  for (Eigen::Index k = 0; k < m; ++k) step_[k] = right_[lu_.row_at(k)];
  auto all = step_.head(m);
  jacobian_.topLeftCorner(m, m).triangularView<Eigen::UnitLower>().solveInPlace(all);
  step_.segment(rank, open).setZero();
  auto determined = step_.head(rank);
  jacobian_.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(determined);
  if (open > 0 && !add_choice(rank)) return false;
  for (Eigen::Index k = 0; k < m; ++k) {
    const Eigen::Index at = row(lu_.column_at(k));
    change_[at] = step_[k] * scale_[at];
  }
  return change_.allFinite();
}

bool Settling::add_choice(Eigen::Index rank) {
  const auto m = static_cast<Eigen::Index>(active_.size());
  const Eigen::Index open = m - rank;
  kernel_basis_.setZero(w_.rows(), open);
  auto basis = kernel_basis_.topRows(m);
  basis.bottomRows(open).setIdentity();
  jacobian_.topLeftCorner(m, m).triangularView<Eigen::UnitLower>().transpose().solveInPlace(basis);
  condition_.setZero(w_.rows(), open);  // (YᵀA S)ᵀ
  for (Eigen::Index place = 0; place < m; ++place)
    for (Eigen::Index d = 0; d < open; ++d) {
      const double y = basis(place, d);
      const Eigen::Index k = lu_.row_at(place);
      for (Eigen::Index c = std::max<Eigen::Index>(k - kMostRows, 0); c < std::min(k + kMostRows, m); ++c)
        condition_(c, d) += y * by_velocity_(k, c) * metric_[row(c)];
    }
  basis.topRows(rank) = -jacobian_.block(0, rank, rank, open);  // J Q times it is zero
  basis.bottomRows(open).setIdentity();
  for (Eigen::Index d = 0; d < open; ++d) {
    auto column = basis.col(d).head(rank);
    jacobian_.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(column);
  }
  choice_.resize(open, open);
  missing_.resize(open);
  right_.resize(w_.rows());  // room for a row of the condition; the right-hand side is no longer needed
  for (Eigen::Index d = 0; d < open; ++d) {
    missing_[d] = 0;
    for (Eigen::Index k = 0; k < m; ++k) {
      missing_[d] -= condition_(k, d) * p_[row(k)];
      right_[k] = condition_(lu_.column_at(k), d) * scale_[row(lu_.column_at(k))];
    }
    missing_[d] -= right_.head(m).dot(step_.head(m));
    for (Eigen::Index e = 0; e < open; ++e) choice_(d, e) = right_.head(m).dot(basis.col(e));
  }
  choice_lu_.compute(choice_, open, kChoiceThreshold);
  if (choice_lu_.rank() < open) return false;
  chosen_.resize(open);
  for (Eigen::Index d = 0; d < open; ++d) chosen_[d] = missing_[choice_lu_.row_at(d)];
  choice_.triangularView<Eigen::UnitLower>().solveInPlace(chosen_);
  choice_.triangularView<Eigen::Upper>().solveInPlace(chosen_);
  for (Eigen::Index d = 0; d < open; ++d) missing_[choice_lu_.column_at(d)] = chosen_[d];
  step_.head(m).noalias() += basis * missing_;
  return true;
}

bool Settling::newton(const ContactProblem& problem, const Vector& from) {
  p_ = from;
  double least = INFINITY;
  int idle = 0;
  for (int k = 0; k < kNewtonSteps && idle < kIdleSteps; ++k) {
    if (!linearize(problem) || !newton_step()) return false;
    p_ += change_;
    const double step = change_.cwiseQuotient(scale_).norm();
    if (!(step <= kConverged * p_.cwiseQuotient(scale_).norm())) {
      idle = step < least ? 0 : idle + 1;
      least = std::min(least, step);
      continue;
    }
    const RowLayout& layout = problem.delassus->layout();
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (states_[i].mode == ContactMode::open) p_.segment(layout.offset(i), layout.rows(i)).setZero();
    return true;
  }
  return false;
}

// The kernel of the laws of all contacts that are closed, linearised at an answer with this error; empty if they cannot
// be. The same for the same answer, whatever found it.
std::optional<int> Settling::kernel_at(const ContactProblem& problem, double error, const Vector& impulse,
                                       const Vector& velocity) {
  give_hints(problem, error, velocity);
  p_ = impulse;
  if (!linearize(problem)) return {};
  const auto m = static_cast<Eigen::Index>(active_.size());
  lu_.compute(jacobian_, m, kRankThreshold);
  return static_cast<int>(m - lu_.rank());
}

bool Settling::accept(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  const double residual = contact_residual(problem, p_);
  const double error = options.measure == ContactMeasure::residual ? residual : limited_full_error(problem, p_);
  if (!(error <= options.tolerance) || !(residual <= std::max(most_residual(options.tolerance), options.tolerance)))
    return false;
  solution.impulse = p_;
  problem.delassus->multiply_add(p_, problem.free_velocity, solution.velocity);
  ContactReport& report = solution.report;
  report.error = error;
  report.residual = residual;
  report.settled = true;
  // Slip that the error does not tell from none is stick.
  const double told = std::max(residual, kLeastError);
  find_sums(problem, solution.impulse);
  const RowLayout& layout = problem.delassus->layout();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PreparedGeneral& contact = contacts_[i];
    solution.modes[i] =
        contact.law().mode_of(contact.scaled_impulse(part_of<Eigen::Dynamic>(solution.impulse, layout, i)),
                              contact.scaled_velocity(part_of<Eigen::Dynamic>(solution.velocity, layout, i)),
                              kStill * told * sum_at(layout, i));
  }
  report.undetermined = kernel_at(problem, told, solution.impulse, solution.velocity);
  return true;
}

bool Settling::soften(const ContactProblem& problem, const ContactOptions& given, double softness,
                      const Vector& guess) {
  take(problem, softness);
  Soft& soft = *soft_;
  soft.blocks = *problem.delassus->as_blocks();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    auto block = soft.blocks.block<Eigen::Dynamic>(i, i);
    for (Eigen::Index k = 0; k < block.rows(); ++k) {
      const Eigen::Index row = soft.blocks.offset(i) + k;
      block(k, k) = w_(row, row);
    }
  }
  soft.problem.delassus = kept_elsewhere(soft.blocks);
  soft.problem.free_velocity = problem.free_velocity;
  soft.problem.contacts = problem.contacts;
  const auto is_exact = [&] { return contact_residual(soft.problem, p_) <= kSoftTolerance; };
  if (!guess.isZero(0) && newton(problem, guess) && is_exact()) return true;
  soft.solution.impulse = guess;
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.settled_contacts = 0;
  for (const double tolerance : {kSoftEnough, kSoftTolerance}) {  // from near enough Newton's steps do the rest
    if (soft_left_ <= 0) return false;
    options.tolerance = tolerance;
    options.stop = given.stop;
    options.max_iterations = soft_left_;
    soft.solver.solve(soft.problem, options, soft.solution);
    soft_left_ -= soft.solution.report.iterations;
    if (!(soft.solution.report.error <= kSoftEnough)) return false;
    if (newton(problem, soft.solution.impulse) && is_exact()) return true;
  }
  return false;
}

// The limit of no softness, extrapolated from two of which one is half the other. It lacks the square of the softness,
// and rounding over the softness; steps of a method make up for it in all that is determined.
void Settling::by_soft_contacts(const ContactProblem& problem, const ContactOptions& options,
                                ContactSolution& solution) {
  if (!soft_) soft_ = std::make_unique<Soft>();
  // Soft contacts may have several solutions, too: from no impulses it is the same one whatever the method found.
  Vector guess = Vector::Zero(solution.impulse.size());
  const int given = solution.report.iterations;
  soft_left_ = given < kMostSoft / kSoftShare ? std::max(kFewSoft, kSoftShare * given) : kMostSoft;
  for (const double softness : kSoftnesses) {
    if (soft_left_ <= 0) return;
    if (options.is_stopped()) return;
    if (!soften(problem, options, softness, guess)) continue;
    const Vector whole = p_;
    guess = p_;
    modes_.clear();
    for (const LocalState& state : states_) modes_.push_back(state.mode);
    if (!soften(problem, options, softness / 2, guess)) continue;
    const bool same = std::equal(states_.begin(), states_.end(), modes_.begin(),
                                 [](const LocalState& state, ContactMode mode) { return state.mode == mode; });
    if (!same && softness != kSoftnesses.back()) continue;
    const Vector limit = 2 * p_ - whole, loads = p_;
    const RowLayout& layout = problem.delassus->layout();
    take(problem, 0);
    find_sums(problem, limit);
    Vector velocity(limit.size());
    problem.delassus->multiply_add(limit, problem.free_velocity, velocity);
    give_hints(problem, softness, velocity);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (!(loads[layout.offset(i)] > 0) && hints_[i].nudge > 0) hints_[i] = {0, false, true};
    if (newton(problem, limit) && accept(problem, options, solution)) return;
    p_ = limit;
    if (accept(problem, options, solution)) return;
    Soft& rest = *soft_;
    rest.solution.impulse = limit;
    ContactOptions with = options;
    with.method = ContactMethod::newton;
    with.step = 0;  // of the fixed point
    with.max_iterations = std::max(soft_left_, kFewSoft);
    with.settled_contacts = 0;
    rest.solver.solve(problem, with, rest.solution);
    p_ = rest.solution.impulse;
    if (accept(problem, options, solution)) {
      solution.report.settled = (p_ - limit).norm() <= kDrift * limit.norm();
      return;
    }
  }
}

void Settling::settle(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  ContactReport& report = solution.report;
  const BlockDelassus& w = *problem.delassus->as_blocks();
  take_matrix(w);
  find_sums(problem, solution.impulse);
  if (is_well_determined(w, options.tolerance, solution)) {
    report.undetermined = 0;
    report.settled = true;
    return;
  }
  take(problem, 0);
  give_hints(problem, options.tolerance, solution.velocity);
  kernel_ = -1;
  if (newton(problem, solution.impulse) && accept(problem, options, solution)) return;
  // Where nothing is open, impulses that Newton's steps do not improve are badly determined: they stay as they are.
  if (kernel_ != 0) by_soft_contacts(problem, options, solution);
  if (report.undetermined) return;
  take(problem, 0);
  find_sums(problem, solution.impulse);
  const double error = std::max(kLeastError, std::isnan(report.residual) ? 0 : report.residual);
  report.undetermined = kernel_at(problem, error, solution.impulse, solution.velocity);
}

}  // namespace slipset::internal
