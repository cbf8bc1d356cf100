#include "slipset/contact/internal/sweep_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slipset::internal {
namespace {

constexpr double kFirstSweepAccuracy = 1e-3;  // of slip directions at first; later a share of the error

constexpr int kIdleLooks = 5;  // of ten sweeps each

double accuracy_at(double error) { return std::clamp(1e-2 * error, 1e-13, kFirstSweepAccuracy); }
double map_accuracy_at(double error) { return std::clamp(1e-3 * error, 1e-15, 1e-6); }

}  // namespace

void SweepRun::begin(ContactIterate& iterate, const ContactOptions& options, ContactReport& report) {
  iterate_ = &iterate;
  options_ = &options;
  report_ = &report;
  best_ = iterate.impulse;
  best_error_ = best_measured_ = std::numeric_limits<double>::quiet_NaN();
  unsolved_ = 0;
}

double SweepRun::look(ContactMethod method) {
  const double error = iterate_->error();
  if (error < best_error_ || (!std::isfinite(best_error_) && !std::isnan(error))) {
    best_error_ = error;
    best_measured_ = iterate_->measured;
    best_ = iterate_->impulse;
    report_->finished_by = method;
    if (best_error_ > 0) iterate_->map_accuracy = map_accuracy_at(best_error_);
  }
  return error;
}

void SweepRun::count(int& of, int iterations) {
  of += iterations;
  report_->iterations += iterations;
}

void SweepRun::restart_from_best() {
  iterate_->impulse = best_;
  iterate_->impulse_changed();
}

void SweepRun::sweep_until(int most, const std::function<double()>& worthwhile) {
  std::array<double, 2> errors;  // the last, every five sweeps
  int known = 0;
  double error = 1;
  if (!iterate_->impulse.isZero(0)) {  // a guess: it may do
    iterate_->map_accuracy = map_accuracy_at(options_->tolerance);
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
  }
  for (int k = 1; k <= most && !must_end(); ++k) {
    unsolved_ = iterate_->sweep(accuracy_at(error));
    count(report_->sweeps);
    if (k != 1 && k != 2 && k % 5 != 0) continue;
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
    if (k % 5 != 0) continue;
    std::rotate(errors.begin(), errors.begin() + 1, errors.end());
    errors.back() = error;
    if (++known >= 2 && worthwhile && sweeps_left(errors) > worthwhile()) return;
  }
}

void SweepRun::accelerate(int patience, const std::function<bool()>& aside) {
  restart_from_best();
  last_ = centre_ = best_;
  double target = 0.7 * best_error_, error = best_error_, least = best_error_;
  int run = 0, idle = 0;  // idle: looks without an error that is less by a tenth
  for (int since = 0; since < patience && !must_end(); since += 2) {
    centre_ = iterate_->impulse;
    if (run > 1) centre_ += (run - 1.0) / (run + 2.0) * (iterate_->impulse - last_);
    std::swap(last_, iterate_->impulse);
    iterate_->impulse = centre_;
    iterate_->impulse_changed();
    unsolved_ = iterate_->sweep(accuracy_at(error));
    unsolved_ += iterate_->sweep(accuracy_at(error), true);
    count(report_->sweeps, 2);
    run = (iterate_->impulse - centre_).dot(iterate_->impulse - last_) >= 0 ? run + 1 : 0;
    if (report_->sweeps % 10 > 1) continue;
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
    if (aside && aside()) {
      if (done()) return;
      last_ = iterate_->impulse;
      run = 0;
    }
    idle = error < 0.9 * least ? 0 : idle + 1;
    least = std::min(least, error);
    if (idle >= kIdleLooks && error > 2 * least) run = idle = 0;
    if (!(best_error_ < target)) continue;  // an infinite error, too
    target = 0.7 * best_error_;
    since = 0;
  }
}

void SweepRun::accelerate_few(int patience) {
  restart_from_best();
  anderson_.resize(best_.size());
  double target = 0.5 * best_error_, error = best_error_;
  for (int since = 0; since < patience && !must_end(); ++since) {
    centre_ = iterate_->impulse;
    unsolved_ = iterate_->sweep(accuracy_at(error));
    count(report_->sweeps);
    error = look(ContactMethod::gauss_seidel);
    if (done()) return;
    if (best_error_ < target) {
      target = 0.5 * best_error_;
      since = 0;
    }
    step_ = iterate_->impulse - centre_;
    anderson_.next(centre_, step_);
    iterate_->impulse = centre_;
    iterate_->impulse_changed();
  }
}

// By the rate of the last five sweeps.
double SweepRun::sweeps_left(std::span<const double> errors) const {
  const double rate = std::log(errors.back() / errors.front()) / 5;
  if (!(rate < 0)) return INFINITY;
  return std::log(options_->tolerance / errors.back()) / rate;
}

}  // namespace slipset::internal
