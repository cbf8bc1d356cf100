// Proximal steps of RollingSolver, each by Newton's method for all contacts at once.      docs/theory/rolling.md
//   p_{k+1} solves the problem with W + ρD and q − ρD p_k, D the contacts' own mobilities (T.16)
// That is regular where W is not.
// Fixed points are solutions for any ρ > 0.
#include <algorithm>

#include "slipset/contact/rolling_newton.hpp"

namespace slipset {
namespace {

constexpr int kMaxNewton = 12;    // iterations in one proximal step
constexpr int kHalvings = 4;      // of one Newton step
constexpr double kEnough = 0.05;  // of the first residual ends a proximal step
constexpr double kFirstRho = 0.1, kLeastRho = 1e-8, kMostRho = 10;
// Whole steps while the residual stays below a multiple of its smallest: contacts change first, then it falls.
constexpr double kBoldSlack = 1000;
constexpr int kBoldSteps = 6;                // without a smaller residual
constexpr double kAbove = 3, kForget = 0.8;  // how far ρ stays above one that failed, and how that fades
constexpr int kRepairs = 2, kRepairSweeps = 5;

}  // namespace

// W + ρD and q − ρD p_k in the place of W and q; ρ = 0 puts them back.
void RollingSolver::regularise(const RollingProblem& problem, double rho, const Eigen::VectorXd& centre) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const RollingBlock& own = plain_blocks_[i];
    RollingContactMat& diagonal = delassus_.diagonal(i);
    diagonal = own.g;
    for (Eigen::Index k = 0; k < own.g.rows(); ++k) {
      const double mobility = k == 0 ? own.g(0, 0) : 1 / own.step[k - 1];
      const Eigen::Index at = delassus_.offset(i) + k;
      q_[at] = plain_q_[at];
      if (rho == 0) continue;
      diagonal(k, k) += rho * mobility;
      q_[at] -= rho * mobility * centre[at];
    }
    blocks_[i] = RollingBlock(problem.contacts[i].law, diagonal);
  }
}

// Newton's method for the problem as it stands in delassus_ and q_. True if it took the residual below `enough` and a
// share of what it was.
bool RollingSolver::newton(const RollingProblem& problem, double enough, RollingReport& report, int& iterations) {
  double least = measure(problem);
  const double first = least, target = std::min(enough, kEnough * first);
  Eigen::VectorXd best = p_;
  const double accuracy = std::clamp(0.01 * target, 1e-15, 1e-6);  // of the sweeps behind each step
  int since = 0, repairs = 0;
  const auto note = [&](double error) {
    ++since;
    if (!(error < least)) return;
    if (error < 0.9 * least) since = 0;
    least = error;
    best = p_;
  };
  for (iterations = 0; iterations < kMaxNewton && least > target && report.sweeps < report.options.max_sweeps;) {
    ++iterations;
    ++report.newton;
    const Eigen::VectorXd start = p_, direction = rolling_newton_step(problem, delassus_, blocks_, q_, p_);
    bool accepted = false;
    double share = 1;
    for (int k = 0; k < kHalvings && !accepted && direction.size() > 0; ++k, share /= 2) {
      p_ = start + share * direction;
      sweep(problem, accuracy, report);
      ++report.sweeps;
      const double error = measure(problem);
      accepted = error < (since < kBoldSteps ? kBoldSlack * least : least * (1 - 0.2 * share));
      if (accepted) note(error);
    }
    if (accepted) continue;
    if (++repairs > kRepairs) break;
    p_ = best;
    for (int k = 0; k < kRepairSweeps; ++k) sweep(problem, accuracy, report);
    report.sweeps += kRepairSweeps;
    note(measure(problem));
  }
  p_ = best;
  return least <= target;
}

// One proximal step from p_, which it replaces; the next step's ρ follows from how hard this one was.
void RollingSolver::proximal_step(const RollingProblem& problem, double enough, RollingReport& report) {
  Eigen::VectorXd centre = p_;
  if (run_ > 1) centre += (run_ - 1.0) / (run_ + 2.0) * (p_ - last_);
  last_ = p_;
  p_ = centre;
  regularise(problem, rho_, centre);
  int iterations = 0;
  const bool solved = newton(problem, enough, report, iterations);
  regularise(problem, 0, centre);
  const bool ahead = (p_ - centre).dot(p_ - last_) >= 0;
  run_ = solved && ahead ? run_ + 1 : 0;
  // A failure is dear: ρ stays above it for some steps.
  least_rho_ = solved ? std::max(kForget * least_rho_, kLeastRho) : kAbove * rho_;
  rho_ = std::clamp(rho_ * (!solved           ? 10
                            : iterations <= 3 ? 0.2
                            : iterations <= 6 ? 0.5
                                              : 1),
                    std::min(least_rho_, kMostRho), kMostRho);
}

// Proximal steps while they lower the residual; ends with the best impulses. False if nothing was gained.
bool RollingSolver::proximal(const RollingProblem& problem, RollingReport& report) {
  const double first = measure(problem);
  double least = first;
  Eigen::VectorXd best = p_;
  plain_q_ = q_;
  plain_blocks_ = blocks_;
  run_ = 0;
  rho_ = kFirstRho;
  least_rho_ = kLeastRho;
  for (int since = 0;
       since < kPatience && report.sweeps < report.options.max_sweeps && least > report.options.tolerance; ++since) {
    proximal_step(problem, std::max(0.3 * least, 0.1 * report.options.tolerance), report);
    const double error = measure(problem);
    if (!(error < least)) continue;
    if (error < 0.5 * least) since = -1;
    least = error;
    best = p_;
  }
  p_ = best;
  if (least < kept_error_) {
    kept_error_ = least;
    kept_ = p_;
  }
  return least < 0.5 * first;
}

}  // namespace slipset
