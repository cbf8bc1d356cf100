#include "slipset/contact/many_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "slipset/contact/proximal_newton.hpp"
#include "slipset/contact/splitting.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr double kSweepAccuracy = 1e-3;  // of slip directions at first; later a share of the error
constexpr std::size_t kFar =
    800;  // contacts from which loads may travel far: sweeps are accelerated before Newton's method
constexpr std::size_t kMostFill = 4'000'000;  // blocks of L and U: 300 MB

class Solver {
 public:
  Solver(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution)
      : options_(options), report_(solution.report), work_(problem, options) {
    if (solution.impulse.size() == at(problem.contacts.size()) && solution.impulse.allFinite())
      work_.impulse = solution.impulse;
    best_ = work_.impulse;
  }

  void run() {
    switch (options_.method) {
      case ContactMethod::gauss_seidel: sweep_until(options_.max_iterations, false); break;
      case ContactMethod::newton: begin_newton(); break;
      case ContactMethod::splitting: split(options_.max_iterations, 0.1, false); break;
      default: choose(); break;
    }
  }

  bool done() const { return best_error_ <= options_.tolerance; }
  bool out_of_iterations() const { return report_.iterations >= options_.max_iterations; }
  const Eigen::VectorXd& best() const { return best_; }
  double best_error() const { return best_error_; }
  ContactWork& work() { return work_; }
  bool lacks_solution() const { return unsolved_ > 0; }
  bool too_large() const { return too_large_; }

 private:
  // Looks at the impulses at hand and keeps the best.
  double look(ContactMethod method) {
    const double error = work_.error();
    if (error < best_error_ || !std::isfinite(best_error_)) {
      best_error_ = error;
      best_ = work_.impulse;
      report_.last = method;
      if (best_error_ > 0) work_.map_accuracy = std::clamp(1e-3 * best_error_, 1e-15, 1e-6);
    }
    return error;
  }

  void count(int& of, int iterations = 1) {
    of += iterations;
    report_.iterations += iterations;
  }

  // Until the tolerance, the limit, or, if asked, until something else promises to be cheaper.
  void sweep_until(int most, bool may_leave) {
    std::deque<double> errors;  // every five sweeps
    work_.set_proximal(0, work_.impulse);
    double error = 1;
    for (int k = 1; k <= most && !out_of_iterations(); ++k) {
      unsolved_ = work_.sweep(std::clamp(1e-2 * error, 1e-13, kSweepAccuracy));
      count(report_.sweeps);
      if (k != 1 && k != 2 && k % 5 != 0) continue;
      error = look(ContactMethod::gauss_seidel);
      if (done()) return;
      if (k % 5 != 0) continue;
      errors.push_back(error);
      if (errors.size() > 3) errors.pop_front();
      if (may_leave && errors.size() == 3 && sweeps_left(errors) > worthwhile_sweeps()) return;
    }
  }

  // Sweeps there and back, extrapolated as by Nesterov: where loads travel far, as through a pile, many times fewer of
  // them. The run ends where a pair of sweeps turns back; the error may grow meanwhile. Until the tolerance, or until
  // `patience` sweeps do not bring the error down by a third.
  void accelerate(int patience) {
    work_.set_proximal(0, best_);
    work_.impulse = best_;
    Eigen::VectorXd last = best_, centre = best_;
    double target = 0.7 * best_error_, error = best_error_;
    int run = 0;
    for (int since = 0; since < patience && !out_of_iterations(); since += 2) {
      centre = work_.impulse;
      if (run > 1) centre += (run - 1.0) / (run + 2.0) * (work_.impulse - last);
      std::swap(last, work_.impulse);
      work_.impulse = centre;
      const double accuracy = std::clamp(1e-2 * error, 1e-13, kSweepAccuracy);
      unsolved_ = work_.sweep(accuracy);
      unsolved_ += work_.sweep(accuracy, true);
      count(report_.sweeps, 2);
      run = (work_.impulse - centre).dot(work_.impulse - last) >= 0 ? run + 1 : 0;
      if (report_.sweeps % 10 > 1) continue;
      error = look(ContactMethod::gauss_seidel);
      if (done()) return;
      if (best_error_ > target) continue;
      target = 0.7 * best_error_;
      since = 0;
    }
  }

  // By the rate of the last ten sweeps.
  double sweeps_left(const std::deque<double>& errors) const {
    const double rate = std::log(errors.back() / errors.front()) / 10;
    if (!(rate < 0)) return INFINITY;
    return std::log(options_.tolerance / errors.back()) / rate;
  }

  // As many as cost what Newton's method would, guessed before its pattern is known and counted afterwards.
  double worthwhile_sweeps() {
    const double sweep =
        static_cast<double>(work_.delassus().size()) + 10 * static_cast<double>(work_.size());
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
    double target = 0.1 * best_error_;
    for (int since = 0; since < patience && !out_of_iterations(); ++since) {
      const ProximalNewton::Step step = newton_->step();
      count(report_.newton, step.iterations);
      look(ContactMethod::newton);
      if (done()) return;
      if (best_error_ > target) continue;
      target = 0.1 * best_error_;
      since = -1;
    }
  }

  void begin_newton() {
    for (int k = 0; k < 5; ++k) work_.sweep(kSweepAccuracy);
    count(report_.sweeps, 5);
    look(ContactMethod::gauss_seidel);
    if (!done()) newton(options_.max_iterations);
  }

  void split(int most, double rho, bool may_leave) {
    if (!prepare_factors()) return;
    work_.set_proximal(0, work_.impulse);
    Splitting splitting(work_, *factors_, rho);
    double before = best_error_;
    for (int k = 0; k < most && !out_of_iterations(); k += 5) {
      if (!splitting.iterate(5)) return;
      count(report_.splitting, 5);
      look(ContactMethod::splitting);
      if (done()) return;
      if (k % 40 != 35) continue;
      if (may_leave && !(best_error_ < 0.3 * before)) return;  // forty iterations without much
      before = best_error_;
    }
  }

  void choose() {
    sweep_until(options_.max_iterations, true);
    if (done() || out_of_iterations()) return;
    if (!prepare_factors()) {
      accelerate(options_.max_iterations);
      return;
    }
    if (work_.size() >= kFar) accelerate(static_cast<int>(worthwhile_sweeps()));
    if (done() || out_of_iterations()) return;
    // A factorisation that costs much more than its use asks for the splitting first.
    const double factor = 4 * factors_->factor_work();
    const double use = static_cast<double>(factors_->filled() + work_.delassus().size()) +
                       20 * static_cast<double>(work_.size());
    if (factor > 15 * use) split(options_.max_iterations, 0.02, true);
    for (int round = 0; !done() && !out_of_iterations(); ++round) {
      newton(15 << std::min(round, 5));
      if (done() || out_of_iterations()) return;
      work_.impulse = best_;
      split(100 << std::min(round, 4), 0.05, true);
      // Every second round begins anew: what the first guess led to may be far from any solution.
      if (done()) return;
      if (round % 2 == 1)
        work_.impulse.setZero();
      else
        work_.impulse = best_;
    }
  }

  const ContactOptions& options_;
  ContactReport& report_;
  ContactWork work_;
  std::unique_ptr<BlockLu> factors_;
  std::unique_ptr<ProximalNewton> newton_;
  Eigen::VectorXd best_;
  double best_error_ = std::numeric_limits<double>::quiet_NaN();
  int unsolved_ = 0;
  bool too_large_ = false;
};

}  // namespace

void solve_many(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  ContactReport& report = solution.report;
  if (options.measure == ContactMeasure::full_error && !is_isotropic(problem))
    throw InvalidInput("contact problem: the full error is for isotropic unilateral contacts; choose the residual");
  report = {};
  report.options = options;
  const std::size_t n = problem.contacts.size();
  Solver solver(problem, options, solution);
  if (n > 0) solver.run();
  ContactWork& work = solver.work();
  work.set_proximal(0, work.impulse);
  solution.impulse = solver.best();
  solution.velocity.resize(solution.impulse.size());
  problem.delassus.multiply_add(solution.impulse, problem.free_velocity, solution.velocity);
  solution.modes.resize(n);
  solution.solutions.assign(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 p = solution.impulse.segment<3>(at(i)), u = solution.velocity.segment<3>(at(i));
    const double scale = work.blocks[i].mobility * p.norm() + u.norm();
    solution.modes[i] = !(p[0] > 0)                                                       ? ContactMode::open
                        : u.tail<2>().norm() <= std::max(1e-9, options.tolerance) * scale ? ContactMode::stick
                                                                                          : ContactMode::slip;
  }
  report.error = n > 0 ? solver.best_error() : 0;
  report.residual = contact_residual(problem, solution.impulse);
  report.converged = report.error <= options.tolerance;
  if (report.converged)
    report.why =
        options.measure == ContactMeasure::residual ? "residual below the tolerance" : "error below the tolerance";
  else if (solver.lacks_solution() && !solver.out_of_iterations())
    report.why = "a contact has no solution with the others' impulses held";
  else if (solver.too_large() && !solver.out_of_iterations())
    report.why = "the factors of the matrix would be too large";
  else
    report.why = "largest number of iterations";
}

}  // namespace slipset
