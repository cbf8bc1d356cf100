#include "slipset/contact/internal/method_run.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/contact/internal/contradiction.hpp"
#include "slipset/contact/internal/load_paths.hpp"
#include "slipset/contact/internal/local_search.hpp"

namespace slipset::internal {
namespace {

// Contacts from which loads may travel far: sweeps are accelerated before Newton's method.
constexpr std::size_t kFar = 800;
constexpr double kFirstAccuracy = 1e-3;    // of slip directions [rad]
constexpr double kPolishAccuracy = 1e-13;  // behind a step of Newton's method
constexpr double kFewSweeps = 8;           // left: fewer than a factorisation and its steps are worth
constexpr int kFewPatience = 40;           // accelerated sweeps over few contacts that do not halve the error
constexpr int kPatience = 400;             // sweeps by bodies that do not bring the error down by a third
// What may be assembled and factorised where sweeps by bodies lead nowhere.
constexpr std::size_t kMostAssembled = 20000;  // contacts
constexpr double kMassRho = 0.05;              // over the mean mobility
constexpr std::size_t kFewForProof = 300;      // contacts: to see early that there is no solution

// (W + S)⁻¹ with the factors that Newton's method uses, too.
template <int Rows>
class SharedFactors final : public ShiftedSolver {
 public:
  SharedFactors(const BlockDelassus& w, BlockLu<Rows>& factors) : w_(w), factors_(factors) {}
  bool factorize(const Eigen::VectorXd& shift) override { return factors_.factorize(w_, &shift); }
  void solve(Eigen::VectorXd& x) override { factors_.solve(x); }

 private:
  const BlockDelassus& w_;
  BlockLu<Rows>& factors_;
};

}  // namespace

// As many as cost what Newton's method would, guessed before its pattern is known and counted afterwards.
template <class Prepared>
double MethodRun<Prepared>::worthwhile_sweeps() {
  const double sweep = work_.store.products() + 10 * static_cast<double>(work_.size());
  if (!factors_ready_) {
    if (work_.size() > 5000)
      prepare_factors();
    else
      return kFewSweeps;
  }
  if (!factors_.usable()) return INFINITY;
  return std::max(kFewSweeps, 15 * (4 * factors_.factor_work() / sweep + 4));
}

template <class Prepared>
bool MethodRun<Prepared>::prepare_factors() {
  const BlockDelassus& w = work_.store.matrix();
  if (!factors_ready_ && !w.has(pattern_)) {
    factors_ = BlockLu<kRows>(w, kMostFill);
    w.copy_pattern(pattern_);
  }
  factors_ready_ = true;
  return factors_.usable();
}

// Proximal steps until the tolerance, the limit, or `patience` steps that do not make the error ten times smaller.
template <class Prepared>
void MethodRun<Prepared>::newton(int patience) {
  if (!prepare_factors()) return;
  if (!newton_begun_) newton_.begin(work_, factors_);
  newton_begun_ = true;
  double target = 0.1 * run_.best_error();
  for (int since = 0; since < patience && !run_.must_end(); ++since) {
    const typename ProximalNewton<Prepared>::Step step = newton_.step();
    run_.count(report_->newton, step.iterations);
    if constexpr (Prepared::kMixedRows) {
      // Rows that hardly move the others count in a contact's own residual, not in the merit of all: a sweep sees them.
      work_.set_proximal(0, work_.impulse);
      work_.sweep(kPolishAccuracy);
      run_.count(report_->sweeps);
    }
    run_.look(ContactMethod::newton);
    if (run_.done()) return;
    if (!(run_.best_error() < target)) continue;  // an infinite error, too
    target = 0.1 * run_.best_error();
    since = -1;
  }
}

template <class Prepared>
void MethodRun<Prepared>::begin_newton() {
  for (int k = 0; k < 5; ++k) work_.sweep(kFirstAccuracy);
  run_.count(report_->sweeps, 5);
  run_.look(ContactMethod::gauss_seidel);
  if (!run_.done()) newton(options_->max_iterations);
}

template <class Prepared>
void MethodRun<Prepared>::split(int most, double rho, bool may_leave) {
  if (!prepare_factors()) return;
  work_.set_proximal(0, work_.impulse);
  SharedFactors<kRows> factors(work_.store.matrix(), factors_);
  splitting_.begin(*problem_, work_.contacts, work_.metric, factors, work_, work_.mobility, rho);
  double before = run_.best_error();
  for (int k = 0; k < most && !run_.must_end(); k += 5) {
    if (!splitting_.iterate(5)) {
      stopped_by_ = "the matrix W + S of the splitting is singular";
      return;
    }
    run_.count(report_->splitting, 5);
    run_.look(ContactMethod::splitting);
    if (run_.done()) return;
    if (k % 40 != 35) continue;
    if (may_leave && !(run_.best_error() < 0.3 * before)) return;  // forty iterations without much
    before = run_.best_error();
  }
}

template <class Prepared>
void MethodRun<Prepared>::choose() {
  run_.sweep_until(options_->max_iterations, [&] { return worthwhile_sweeps(); });
  if (run_.done() || run_.must_end() || (work_.cancels() && contradicts())) return;
  // Where contacts roll, Newton's method takes tens of factorisations to what sweeps reach in less time.
  if (Prepared::kMixedRows && is_part_) return run_.accelerate(kPatience);
  if (!prepare_factors()) {
    run_.accelerate(options_->max_iterations);
    return;
  }
  if (work_.size() >= kFar) run_.accelerate(static_cast<int>(worthwhile_sweeps()));
  if (run_.done() || run_.must_end()) return;
  // A factorisation that costs much more than its use asks for the splitting first.
  const double factor = 4 * factors_.factor_work();
  const double use =
      static_cast<double>(factors_.filled()) + work_.store.products() + 20 * static_cast<double>(work_.size());
  if (factor > 15 * use) split(options_->max_iterations, 0.02, true);
  for (int round = 0; !run_.done() && !run_.must_end(); ++round) {
    if constexpr (Prepared::kMixedRows) {
      if (work_.size() < kFar) run_.accelerate_few(kFewPatience << std::min(round, 5));
      if (run_.done() || run_.must_end()) return;
      work_.impulse = run_.best();
    }
    newton(15 << std::min(round, 5));
    if (run_.done() || run_.must_end() || (round == 0 && contradicts())) return;
    work_.impulse = run_.best();
    split(100 << std::min(round, 4), 0.05, true);
    // Every second round begins anew: what the first guess led to may be far from any solution.
    if (run_.done()) return;
    if (round % 2 == 1)
      work_.impulse.setZero();
    else
      work_.impulse = run_.best();
  }
}

template <class Prepared>
bool MethodRun<Prepared>::contradicts() {
  if (work_.size() <= kFewForProof) contradiction_ = find_contradiction(*problem_, work_.impulse);
  return contradiction_.has_value();
}

template <class Prepared>
bool MethodRun<Prepared>::has_contact_without_solution() const {
  const BlockDelassus& w = work_.store.matrix();
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (w.blocks(i) > 1) continue;
    const Contact& contact = problem_->contacts[i];
    LocalState state;
    if (law_of(contact, w.rows(i))
            .search(contact, w.diagonal(i), part_of<Eigen::Dynamic>(problem_->free_velocity, w.layout(), i), state) ==
        0)
      return true;
  }
  return false;
}

// Modes and the report, from the solution's impulses and velocities; sum(i): what adds up at contact i, which errors
// are over: slip that the tolerance does not tell from none is stick.
template <class Prepared>
template <class Sum>
void MethodRun<Prepared>::finish(const RowLayout& layout, const Sum& sum, std::string_view stop_reason,
                                 ContactSolution& solution) {
  const std::size_t n = layout.contacts();
  solution.modes.resize(n);
  solution.solutions.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto p = part_of<kRows>(solution.impulse, layout, i), u = part_of<kRows>(solution.velocity, layout, i);
    const double negligible = negligible_slip(*options_) * sum(i);
    if constexpr (Prepared::kMixedRows) {
      const Prepared own(problem_->contacts[i], layout.rows(i));
      const ContactVec scaled = own.scaled_impulse(p), velocity = own.scaled_velocity(u);
      solution.modes[i] = own.law().mode_of(scaled, velocity, negligible);
    } else {
      solution.modes[i] = sliding_mode(problem_->contacts[i], p[0], friction_norm(u), negligible);
    }
  }
  ContactReport& report = solution.report;
  report.error = run_.best_measured();
  const bool solved = run_.done();
  report.status = solved ? ContactStatus::solved : ContactStatus::not_reached;
  report.stop_reason = solved ? options_->measure == ContactMeasure::residual ? "residual below the tolerance"
                                                                              : "error below the tolerance"
                       : options_->is_stopped() ? kStopped
                       : run_.must_end()        ? "largest number of iterations"
                       : run_.lacks_solution()  ? "a contact has no solution with the others' impulses held fixed"
                                                : stop_reason;
}

// Of the impulses that are returned. What passed has been measured; on the way methods look at local steps, which may be
// less.
template <class Prepared>
template <class Work>
void MethodRun<Prepared>::report_residual(Work& work, ContactReport& report) {
  const bool by_residual = options_->measure == ContactMeasure::residual;
  report.residual = by_residual && run_.done() ? run_.best_error() : work.exact_residual();
  if (by_residual) report.error = report.residual;
}

template <class Prepared>
void MethodRun<Prepared>::solve_blocks(const ContactProblem& problem, const ContactOptions& options,
                                       ContactSolution& solution) {
  problem_ = &problem;
  options_ = &options;
  report_ = &solution.report;
  factors_ready_ = newton_begun_ = false;
  contradiction_.reset();
  stopped_by_ = "the factors of the matrix would be too large";
  work_.begin(*problem.delassus->as_blocks(), problem, options, solution.impulse);
  run_.begin(work_, options, solution.report);
  switch (options.method) {
    case ContactMethod::gauss_seidel: run_.sweep_until(options.max_iterations); break;
    case ContactMethod::newton: begin_newton(); break;
    case ContactMethod::splitting: split(options.max_iterations, 0.1, false); break;
    default: choose(); break;
  }
  work_.set_proximal(0, work_.impulse);
  work_.write(run_.best(), solution.impulse, solution.velocity);
  finish(
      work_.layout(), [&](std::size_t i) { return work_.sum(i); }, stopped_by_, solution);
  solution.contradiction = contradiction_;
  if (!run_.done() && !options.is_stopped() && has_contact_without_solution()) {
    solution.report.status = ContactStatus::no_solution;
    solution.report.stop_reason = "a contact that no other acts on has no solution";
  }
  report_residual(work_, solution.report);
}

template <class Prepared>
bool MethodRun<Prepared>::solve_bodies(const BodyDelassus& bodies, const ContactProblem& problem,
                                       const ContactOptions& options, ContactSolution& solution) {
  problem_ = &problem;
  options_ = &options;
  report_ = &solution.report;
  if (!bodies_) bodies_ = std::make_unique<BodyWork>();
  bodies_->begin(bodies, problem, options, solution.impulse);
  run_.begin(*bodies_, options, solution.report);
  const bool may_assemble = options.method == ContactMethod::automatic && bodies.contacts() <= kMostAssembled &&
                            bodies.most_blocks() <= BodyDelassus::kMostAssembledBlocks;
  if (options.method == ContactMethod::gauss_seidel) {
    run_.sweep_until(options.max_iterations);
  } else {
    if (bodies_->impulse.isZero(0)) solution.report.load_paths = follow_load_paths(*bodies_);
    run_.sweep_until(options.max_iterations, [] { return 40.0; });
    spots_.begin();
    const auto aside = [&] {
      return spots_.solve(*bodies_, problem, options, run_, solution.report,
                          [&](const ContactProblem& part, const ContactOptions& with, ContactSolution& of) {
                            solve_part(part, with, of);
                          });
    };
    if (!run_.done() && !run_.must_end())
      run_.accelerate(may_assemble ? kPatience : options.max_iterations, is_part_ ? std::function<bool()>() : aside);
  }
  bodies_->write(run_.best(), solution.impulse, solution.velocity);
  if (may_assemble && !run_.done() && !run_.must_end()) return false;
  std::vector<double> sums(bodies.contacts());
  for (std::size_t k = 0; k < sums.size(); ++k) sums[bodies_->store.contact(k)] = bodies_->sum(k);
  finish(
      bodies.layout(), [&](std::size_t i) { return sums[i]; }, "sweeps no longer reduce the error", solution);
  report_residual(*bodies_, solution.report);
  return true;
}

template <class Prepared>
void MethodRun<Prepared>::solve_part(const ContactProblem& part, const ContactOptions& options,
                                     ContactSolution& solution) {
  if (!parts_) {
    parts_ = std::make_unique<MethodRun>();
    parts_->is_part_ = true;
  }
  const auto& bodies = static_cast<const BodyDelassus&>(*part.delassus);
  if (bodies.contacts() >= kManyContacts) {
    parts_->solve_bodies(bodies, part, options, solution);
    return;
  }
  bodies.assemble(part_blocks_);
  ContactProblem in_blocks{kept_elsewhere(part_blocks_), part.free_velocity, part.contacts, {}};
  parts_->solve_blocks(in_blocks, options, solution);
}

template <class Prepared>
void MethodRun<Prepared>::solve_masses(const MassDelassus& masses, const ContactProblem& problem,
                                       const ContactOptions& options, ContactSolution& solution) {
  problem_ = &problem;
  options_ = &options;
  report_ = &solution.report;
  if (!masses_) masses_ = std::make_unique<MassIterate<Prepared>>();
  masses_->begin(masses, problem, options, solution.impulse);
  run_.begin(*masses_, options, solution.report);
  run_.look(ContactMethod::splitting);
  if (!run_.done()) {
    const std::unique_ptr<ShiftedSolver> factors = masses.shifted_solver();
    splitting_.begin(problem, masses_->contacts, masses_->metric, *factors, *masses_, masses_->mobility, kMassRho);
    while (!run_.done() && !run_.must_end() && splitting_.iterate(5)) {
      run_.count(solution.report.splitting, 5);
      run_.look(ContactMethod::splitting);
    }
  }
  solution.impulse = run_.best();
  solution.velocity.resize(solution.impulse.size());
  masses.multiply_add(solution.impulse, problem.free_velocity, solution.velocity);
  finish(
      masses.layout(), [&](std::size_t i) { return masses_->sum(i, solution.velocity); },
      "the matrix M + H S⁻¹Hᵀ could not be factorised", solution);
  masses_->impulse = run_.best();
  solution.report.residual = options.measure == ContactMeasure::residual ? solution.report.error : masses_->residual();
}

template class MethodRun<PreparedPlanar>;
template class MethodRun<PreparedRolling>;
template class MethodRun<PreparedGeneral>;

}  // namespace slipset::internal
