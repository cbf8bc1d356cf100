#include "slipset/contact/sweeps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slipset {
namespace {

constexpr double kSweepAccuracy = 1e-3;  // of slip directions at first; later a share of the error

constexpr int kIdleLooks = 5;  // of ten sweeps each

double accuracy_at(double error) { return std::clamp(1e-2 * error, 1e-13, kSweepAccuracy); }
double map_accuracy_at(double error) { return std::clamp(1e-3 * error, 1e-15, 1e-6); }

}  // namespace

SweepRun::SweepRun(Sweeps& sweeps, const ContactOptions& options, ContactReport& report)
    : sweeps_(sweeps), options_(options), report_(report), best_(sweeps.impulse) {}

double SweepRun::look(ContactMethod method) {
  const double error = sweeps_.error();
  if (error < best_error_ || (!std::isfinite(best_error_) && !std::isnan(error))) {
    best_error_ = error;
    best_ = sweeps_.impulse;
    report_.last = method;
    if (best_error_ > 0) sweeps_.map_accuracy = map_accuracy_at(best_error_);
  }
  return error;
}

void SweepRun::count(int& of, int iterations) {
  of += iterations;
  report_.iterations += iterations;
}

void SweepRun::restart_from_best() {
  sweeps_.impulse = best_;
  sweeps_.impulse_changed();
}

void SweepRun::sweep_until(int most, const std::function<double()>& worthwhile) {
  std::array<double, 3> errors;  // the last, every five sweeps
  int known = 0;
  double error = 1;
  if (!sweeps_.impulse.isZero(0)) {  // a guess: it may do
    sweeps_.map_accuracy = map_accuracy_at(options_.tolerance);
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
  }
  for (int k = 1; k <= most && !out_of_iterations(); ++k) {
    unsolved_ = sweeps_.sweep(accuracy_at(error));
    count(report_.sweeps);
    if (k != 1 && k != 2 && k % 5 != 0) continue;
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
    if (k % 5 != 0) continue;
    std::rotate(errors.begin(), errors.begin() + 1, errors.end());
    errors.back() = error;
    if (++known >= 3 && worthwhile && sweeps_left(errors) > worthwhile()) return;
  }
}

void SweepRun::accelerate(int patience) {
  restart_from_best();
  Eigen::VectorXd last = best_, centre = best_;
  double target = 0.7 * best_error_, error = best_error_, least = best_error_;
  int run = 0, idle = 0;  // idle: looks without an error that is less by a tenth
  for (int since = 0; since < patience && !out_of_iterations(); since += 2) {
    centre = sweeps_.impulse;
    if (run > 1) centre += (run - 1.0) / (run + 2.0) * (sweeps_.impulse - last);
    std::swap(last, sweeps_.impulse);
    sweeps_.impulse = centre;
    sweeps_.impulse_changed();
    unsolved_ = sweeps_.sweep(accuracy_at(error));
    unsolved_ += sweeps_.sweep(accuracy_at(error), true);
    count(report_.sweeps, 2);
    run = (sweeps_.impulse - centre).dot(sweeps_.impulse - last) >= 0 ? run + 1 : 0;
    if (report_.sweeps % 10 > 1) continue;
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
    idle = error < 0.9 * least ? 0 : idle + 1;
    least = std::min(least, error);
    if (idle >= kIdleLooks && error > 2 * least) run = idle = 0;
    if (!(best_error_ < target)) continue;  // an infinite error, too
    target = 0.7 * best_error_;
    since = 0;
  }
}

// By the rate of the last ten sweeps.
double SweepRun::sweeps_left(std::span<const double> errors) const {
  const double rate = std::log(errors.back() / errors.front()) / 10;
  if (!(rate < 0)) return INFINITY;
  return std::log(options_.tolerance / errors.back()) / rate;
}

void tell_result(const SweepRun& run, const ContactOptions& options, const std::function<double(std::size_t)>& mobility,
                 std::string_view why_not, ContactSolution& solution) {
  const auto n = static_cast<std::size_t>(solution.impulse.size() / 3);
  solution.modes.resize(n);
  solution.solutions.assign(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    const Vec3 p = solution.impulse.segment<3>(at), u = solution.velocity.segment<3>(at);
    const double scale = mobility(i) * p.norm() + u.norm();
    solution.modes[i] = !(p[0] > 0)                                                       ? ContactMode::open
                        : u.tail<2>().norm() <= std::max(1e-9, options.tolerance) * scale ? ContactMode::stick
                                                                                          : ContactMode::slip;
  }
  ContactReport& report = solution.report;
  report.error = n > 0 ? run.best_error() : 0;
  report.converged = report.error <= options.tolerance;
  if (report.converged)
    report.why =
        options.measure == ContactMeasure::residual ? "residual below the tolerance" : "error below the tolerance";
  else if (run.out_of_iterations())
    report.why = "largest number of iterations";
  else if (run.lacks_solution())
    report.why = "a contact has no solution with the others' impulses held";
  else
    report.why = why_not;
}

}  // namespace slipset
