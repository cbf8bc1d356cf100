#include "slipset/contact/rolling_problem.hpp"

#include <algorithm>
#include <cassert>

namespace slipset {
namespace {

constexpr int kStagnation = 30;  // sweeps in which the residual does not halve
constexpr int kFruitless = 4;    // runs of proximal steps in a row that gain nothing

RollingContactVec part(const Eigen::VectorXd& x, const RollingDelassus& w, std::size_t i) {
  RollingContactVec own(w.size(i));
  for (Eigen::Index k = 0; k < own.size(); ++k) own[k] = x[w.offset(i) + k];
  return own;
}

void put(const RollingContactVec& own, const RollingDelassus& w, std::size_t i, Eigen::VectorXd& x) {
  for (Eigen::Index k = 0; k < own.size(); ++k) x[w.offset(i) + k] = own[k];
}

// Coordinates of a contact's part: by L⁻¹ for impulses, Lᵀ for velocities, L back.
enum class Way { impulse_in, impulse_out, velocity_in };
void change(const RollingLaw* law, Way way, RollingContactVec& x) {
  if (!law) return;
  const RollingMat& l = way == Way::impulse_in ? law->inverse_coordinates() : law->coordinates();
  const RollingContactVec before = x;
  for (Eigen::Index i = 0; i < l.rows(); ++i) {
    x[1 + i] = 0;
    for (Eigen::Index k = 0; k < l.rows(); ++k)
      x[1 + i] += (way == Way::velocity_in ? l(k, i) : l(i, k)) * before[1 + k];
  }
}

RollingContactMat full_coordinates(const RollingLaw* law) {
  const Eigen::Index m = law ? law->size() : 0;
  RollingContactMat l = RollingContactMat::Identity(1 + m, 1 + m);
  if (law) l.bottomRightCorner(m, m) = law->coordinates();
  return l;
}

// u_i and the sums of (T.12), both in the coordinates of w and q.
void row_of(const RollingDelassus& w, const Eigen::VectorXd& q, const Eigen::VectorXd& p, std::size_t i,
            RollingContactVec& u, RollingContactVec& sums) {
  u = part(q, w, i);
  sums = u.cwiseAbs();
  for (const RollingDelassus::Block& block : w.row(i)) {
    const RollingContactVec other = part(p, w, block.column);
    u += block.values * other;
    sums += block.values.cwiseAbs() * other.cwiseAbs();
  }
}

void require_fit(const RollingProblem& problem) {
  const std::size_t n = problem.contacts.size();
  if (problem.delassus.contacts() != n || problem.free_velocity.size() != problem.delassus.rows())
    throw InvalidInput("rolling contacts: matrix, free velocity and contacts differ in number");
  for (std::size_t i = 0; i < n; ++i)
    if (problem.delassus.size(i) != 1 + (problem.contacts[i].law ? problem.contacts[i].law->size() : 0))
      throw InvalidInput("rolling contacts: block " + std::to_string(i) +
                         " has not the normal component and those of its law");
}

}  // namespace

RollingDelassus::RollingDelassus(std::vector<int> sizes, std::vector<Entry> entries) : sizes_(std::move(sizes)) {
  const std::size_t n = sizes_.size();
  for (const int size : sizes_) {
    if (size < 1 || size > 6) throw InvalidInput("rolling contacts: a block has 1 to 6 components");
    offsets_.push_back(offsets_.back() + size);
  }
  for (std::size_t i = 0; i < n; ++i) entries.push_back({i, i, RollingContactMat::Zero(sizes_[i], sizes_[i])});
  for (const Entry& e : entries)
    if (e.row >= n || e.column >= n || e.values.rows() != sizes_[e.row] || e.values.cols() != sizes_[e.column])
      throw InvalidInput("rolling contacts: a block does not fit its place");
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  diagonal_.resize(n);
  starts_.assign(n + 1, 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column) {
      blocks_.back().values += e.values;
      continue;
    }
    if (e.row == e.column) diagonal_[e.row] = blocks_.size();
    blocks_.push_back({e.column, e.values});
    starts_[e.row + 1] = blocks_.size();
  }
}

RollingDelassus::RollingDelassus(std::vector<int> sizes, const Eigen::MatrixXd& dense) {
  std::vector<Entry> entries;
  Eigen::Index row = 0, all = 0;
  for (const int size : sizes) all += size;
  if (dense.rows() != all || dense.cols() != all)
    throw InvalidInput("rolling contacts: the matrix needs " + std::to_string(all) + " rows and columns");
  for (std::size_t i = 0; i < sizes.size(); row += sizes[i], ++i) {
    Eigen::Index column = 0;
    for (std::size_t j = 0; j < sizes.size(); column += sizes[j], ++j)
      if (const auto block = dense.block(row, column, sizes[i], sizes[j]); !block.isZero(0))
        entries.push_back({i, j, block});
  }
  *this = RollingDelassus(std::move(sizes), std::move(entries));
}

void RollingDelassus::clear(std::span<const int> sizes) {
  sizes_.assign(sizes.begin(), sizes.end());
  offsets_.assign(1, 0);
  for (const int size : sizes_) {
    if (size < 1 || size > 6) throw InvalidInput("rolling contacts: a block has 1 to 6 components");
    offsets_.push_back(offsets_.back() + size);
  }
  blocks_.clear();
  starts_.assign(1, 0);
  diagonal_.clear();
}

void RollingDelassus::append_row(std::span<const Block> row) {
  const std::size_t i = diagonal_.size();
  assert(i < sizes_.size());
  for (const Block& block : row) {
    assert(block.values.rows() == sizes_[i] && block.values.cols() == sizes_[block.column]);
    if (block.column == i) diagonal_.push_back(blocks_.size());
    blocks_.push_back(block);
  }
  assert(diagonal_.size() == i + 1);
  starts_.push_back(blocks_.size());
}

double rolling_residual(const RollingProblem& problem, const Eigen::VectorXd& impulse) {
  require_fit(problem);
  const RollingDelassus& w = problem.delassus;
  double worst = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const RollingContact& contact = problem.contacts[i];
    // In own coordinates of contact i; those of the others cancel but for the sums, which are taken there, too.
    RollingContactVec u = part(problem.free_velocity, w, i), p = part(impulse, w, i);
    change(contact.law, Way::velocity_in, u);
    RollingContactVec sums = u.cwiseAbs();
    const RollingContactMat l = full_coordinates(contact.law);
    for (const RollingDelassus::Block& block : w.row(i)) {
      const RollingLaw* other = problem.contacts[block.column].law;
      RollingContactVec x = part(impulse, w, block.column);
      change(other, Way::impulse_in, x);
      const RollingContactMat own = l.transpose() * RollingContactMat(block.values * full_coordinates(other));
      u += own * x;
      sums += own.cwiseAbs() * x.cwiseAbs();
    }
    change(contact.law, Way::impulse_in, p);
    const RollingBlock block(contact.law, l.transpose() * RollingContactMat(w.diagonal(i) * l));
    const double error = rolling_defect(contact.law, block.g(0, 0), contact.normal_impulse, contact.reservoir_factor, p,
                                        u, sums, &block.step);
    if (error > worst || std::isnan(error)) worst = error;
    if (std::isnan(error)) break;
  }
  return worst;
}

void RollingSolver::prepare(const RollingProblem& problem, const RollingSolution& solution) {
  const std::size_t n = problem.contacts.size();
  delassus_ = problem.delassus;
  q_ = problem.free_velocity;
  blocks_.resize(n);
  states_.resize(n);
  if (solution.impulse.size() == q_.size())
    p_ = solution.impulse;
  else
    p_.setZero(q_.size());
  for (std::size_t i = 0; i < n; ++i) {
    const RollingLaw* law = problem.contacts[i].law;
    const RollingContactMat l = full_coordinates(law);
    for (RollingDelassus::Block& block : delassus_.row(i)) {
      const RollingContactMat right = block.values * full_coordinates(problem.contacts[block.column].law);
      block.values = l.transpose() * right;
    }
    RollingContactVec q = part(q_, delassus_, i), p = part(p_, delassus_, i);
    change(law, Way::velocity_in, q);
    change(law, Way::impulse_in, p);
    if (!p.allFinite()) p.setZero();
    put(q, delassus_, i, q_);
    put(p, delassus_, i, p_);
    blocks_[i] = RollingBlock(law, delassus_.diagonal(i));
    states_[i] = RollingState{};
  }
}

// One sweep; returns the largest residual of a contact as it was met.
double RollingSolver::sweep(const RollingProblem& problem, double accuracy, RollingReport& report) {
  double worst = 0;
  report.unsolved = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const RollingContact& contact = problem.contacts[i];
    RollingContactVec u, sums;
    row_of(delassus_, q_, p_, i, u, sums);
    RollingState& state = states_[i];
    state.impulse = part(p_, delassus_, i);
    const double error = rolling_defect(contact.law, blocks_[i].g(0, 0), contact.normal_impulse,
                                        contact.reservoir_factor, state.impulse, u, sums, &blocks_[i].step);
    if (error > worst || std::isnan(error)) worst = error;
    if (error <= 1e-15) continue;
    const RollingContactVec c = u - blocks_[i].g * state.impulse;
    solve_rolling_block(contact.law, blocks_[i], c, contact.normal_impulse, contact.reservoir_factor, accuracy, state);
    report.local_iterations += state.iterations;
    if (!state.found) ++report.unsolved;
    if (state.impulse.allFinite()) put(state.impulse, delassus_, i, p_);
  }
  return worst;
}

double RollingSolver::measure(const RollingProblem& problem) {
  double worst = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const RollingContact& contact = problem.contacts[i];
    RollingContactVec u, sums;
    row_of(delassus_, q_, p_, i, u, sums);
    const double error = rolling_defect(contact.law, blocks_[i].g(0, 0), contact.normal_impulse,
                                        contact.reservoir_factor, part(p_, delassus_, i), u, sums, &blocks_[i].step);
    if (error > worst || std::isnan(error)) worst = error;
    if (std::isnan(error)) break;
  }
  return worst;
}

void RollingSolver::finish(const RollingProblem& problem, RollingSolution& solution) {
  const std::size_t n = problem.contacts.size();
  solution.impulse.resize(q_.size());
  solution.velocity.resize(q_.size());
  solution.modes.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const RollingContact& contact = problem.contacts[i];
    RollingContactVec p = part(p_, delassus_, i), u, sums;
    row_of(delassus_, q_, p_, i, u, sums);
    bool moves = false;
    for (Eigen::Index k = 1; k < u.size(); ++k) moves = moves || std::abs(u[k]) > 1e-9 * sums[k];
    solution.modes[i] = !contact.normal_impulse && p[0] == 0 ? ContactMode::open
                        : contact.law && !moves              ? ContactMode::stick
                                                             : ContactMode::slip;
    change(contact.law, Way::impulse_out, p);
    put(p, delassus_, i, solution.impulse);
  }
  for (std::size_t i = 0; i < n; ++i) {
    RollingContactVec u, sums;
    row_of(problem.delassus, problem.free_velocity, solution.impulse, i, u, sums);
    put(u, delassus_, i, solution.velocity);
  }
}

void RollingSolver::solve(const RollingProblem& problem, const RollingOptions& options, RollingSolution& solution) {
  require_fit(problem);
  prepare(problem, solution);
  RollingReport& report = solution.report;
  report = RollingReport{};
  report.options = options;
  if (!anderson_ || anderson_size_ != q_.size()) anderson_.emplace(anderson_size_ = q_.size());
  anderson_->restart();
  double error = 1, best = INFINITY;  // residual as met; its least, and when
  int best_at = 0, stagnation = kStagnation, plain = 0, fruitless = 0;
  kept_error_ = INFINITY;
  report.why = "sweeps used up";
  while (report.sweeps < options.max_sweeps) {
    before_ = p_;
    error = sweep(problem, std::clamp(1e-3 * error, std::max(1e-15, 0.01 * options.tolerance), 1e-6), report);
    ++report.sweeps;
    if (std::isnan(error)) {
      report.why = "not a number";
      break;
    }
    if (error <= options.tolerance || problem.contacts.size() < 2) {
      report.residual = measure(problem);
      if (report.residual <= options.tolerance) {
        report.converged = true;
        report.why = "residual below the tolerance";
        break;
      }
    }
    if (error < 0.5 * best) {
      best = error;
      best_at = report.sweeps;
    } else if (plain == 0 && report.sweeps - best_at > stagnation) {
      // Proximal steps; where they gain nothing plain sweeps follow, and longer patience; it ends if that happens
      // often.
      const bool gained = proximal(problem, report);
      if (kept_error_ <= options.tolerance) {
        report.residual = kept_error_;
        report.converged = true;
        report.why = "residual below the tolerance";
        break;
      }
      fruitless = gained ? 0 : fruitless + 1;
      if (fruitless == kFruitless) {
        report.why = "no progress";
        break;
      }
      if (!gained) {
        plain = 4 * stagnation;
        stagnation *= 2;
      }
      best = INFINITY;
      best_at = report.sweeps;
      anderson_->restart();
      continue;
    }
    const bool extrapolates = options.accelerate && plain == 0;
    if (plain > 0) --plain;
    if (!extrapolates || report.sweeps >= options.max_sweeps) continue;  // it ends as a sweep leaves it
    step_ = p_ - before_;
    anderson_->next(before_, step_);
    p_ = before_;
  }
  if (!report.converged) {
    report.residual = measure(problem);
    if (std::isfinite(kept_error_) && !(report.residual <= kept_error_)) {
      p_ = kept_;
      report.residual = kept_error_;
    }
  }
  if (report.unsolved > 0 && !report.converged) report.why = "a contact has no solution that could be found";
  finish(problem, solution);
}

RollingSolution solve_rolling(const RollingProblem& problem, const RollingOptions& options) {
  RollingSolver solver;
  RollingSolution solution;
  solver.solve(problem, options, solution);
  return solution;
}

}  // namespace slipset
