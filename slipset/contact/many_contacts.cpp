#include "slipset/contact/many_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "slipset/contact/proximal_newton.hpp"
#include "slipset/contact/splitting.hpp"

namespace slipset {
namespace {

// Contacts from which loads may travel far: sweeps are accelerated before Newton's method.
constexpr std::size_t kFar = 800;
constexpr std::size_t kMostFill = 4'000'000;  // blocks of L and U: 300 MB

constexpr double kFirstAccuracy = 1e-3;  // of slip directions [rad]

class Solver {
 public:
  Solver(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution)
      : options_(options),
        report_(solution.report),
        work_(problem, options, solution.impulse),
        run_(work_, options, report_) {}

  void solve() {
    switch (options_.method) {
      case ContactMethod::gauss_seidel: run_.sweep_until(options_.max_iterations); break;
      case ContactMethod::newton: begin_newton(); break;
      case ContactMethod::splitting: split(options_.max_iterations, 0.1, false); break;
      default: choose(); break;
    }
    work_.set_proximal(0, work_.impulse);
  }

  const SweepRun& run() const { return run_; }
  const ContactWork& work() const { return work_; }

 private:
  // As many as cost what Newton's method would, guessed before its pattern is known and counted afterwards.
  double worthwhile_sweeps() {
    const double sweep = static_cast<double>(work_.delassus().size()) + 10 * static_cast<double>(work_.size());
    if (!factors_) {
      if (work_.size() > 5000)
        prepare_factors();
      else
        return 40;
    }
    if (too_large_) return INFINITY;
    return std::max(40.0, 15 * (4 * factors_->factor_work() / sweep + 4));
  }

  bool prepare_factors() {
    if (!factors_ && !too_large_) {
      factors_ = std::make_unique<BlockLu>(work_.delassus(), kMostFill);
      if (!factors_->usable()) {
        too_large_ = true;
        factors_.reset();
      }
    }
    return factors_ != nullptr;
  }

  // Proximal steps until the tolerance, the limit, or `patience` steps that do not make the error ten times smaller.
  void newton(int patience) {
    if (!prepare_factors()) return;
    if (!newton_) newton_ = std::make_unique<ProximalNewton>(work_, *factors_);
    double target = 0.1 * run_.best_error();
    for (int since = 0; since < patience && !run_.out_of_iterations(); ++since) {
      const ProximalNewton::Step step = newton_->step();
      run_.count(report_.newton, step.iterations);
      run_.look(ContactMethod::newton);
      if (run_.done()) return;
      if (!(run_.best_error() < target)) continue;  // an infinite error, too
      target = 0.1 * run_.best_error();
      since = -1;
    }
  }

  void begin_newton() {
    for (int k = 0; k < 5; ++k) work_.sweep(kFirstAccuracy);
    run_.count(report_.sweeps, 5);
    run_.look(ContactMethod::gauss_seidel);
    if (!run_.done()) newton(options_.max_iterations);
  }

  void split(int most, double rho, bool may_leave) {
    if (!prepare_factors()) return;
    work_.set_proximal(0, work_.impulse);
    Splitting splitting(work_, *factors_, rho);
    double before = run_.best_error();
    for (int k = 0; k < most && !run_.out_of_iterations(); k += 5) {
      if (!splitting.iterate(5)) return;
      run_.count(report_.splitting, 5);
      run_.look(ContactMethod::splitting);
      if (run_.done()) return;
      if (k % 40 != 35) continue;
      if (may_leave && !(run_.best_error() < 0.3 * before)) return;  // forty iterations without much
      before = run_.best_error();
    }
  }

  void choose() {
    run_.sweep_until(options_.max_iterations, [&] { return worthwhile_sweeps(); });
    if (run_.done() || run_.out_of_iterations()) return;
    if (!prepare_factors()) {
      run_.accelerate(options_.max_iterations);
      return;
    }
    if (work_.size() >= kFar) run_.accelerate(static_cast<int>(worthwhile_sweeps()));
    if (run_.done() || run_.out_of_iterations()) return;
    // A factorisation that costs much more than its use asks for the splitting first.
    const double factor = 4 * factors_->factor_work();
    const double use =
        static_cast<double>(factors_->filled() + work_.delassus().size()) + 20 * static_cast<double>(work_.size());
    if (factor > 15 * use) split(options_.max_iterations, 0.02, true);
    for (int round = 0; !run_.done() && !run_.out_of_iterations(); ++round) {
      newton(15 << std::min(round, 5));
      if (run_.done() || run_.out_of_iterations()) return;
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

  const ContactOptions& options_;
  ContactReport& report_;
  ContactWork work_;
  SweepRun run_;
  std::unique_ptr<BlockLu> factors_;
  std::unique_ptr<ProximalNewton> newton_;
  bool too_large_ = false;
};

}  // namespace

void solve_many(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  ContactReport& report = solution.report;
  require_measurable(problem.contacts, options.measure);
  report = {};
  report.options = options;
  const std::size_t n = problem.contacts.size();
  Solver solver(problem, options, solution);
  if (n > 0) solver.solve();
  solution.impulse = solver.run().best();
  solution.velocity.resize(solution.impulse.size());
  problem.delassus.multiply_add(solution.impulse, problem.free_velocity, solution.velocity);
  tell_result(
      solver.run(), options, [&](std::size_t i) { return solver.work().blocks[i].mobility; },
      "the factors of the matrix would be too large", solution);
  report.residual = contact_residual(problem, solution.impulse);
}

}  // namespace slipset
