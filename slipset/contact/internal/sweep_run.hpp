// Sweeps over many contacts until they have solved them, plain and extrapolated, and the best impulses on the way.
// docs/theory/contact.md
#pragma once

#include <functional>
#include <limits>
#include <span>

#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/internal/anderson.hpp"

namespace slipset::internal {

// Impulses that a method improves: swept where the operator has blocks or bodies, measured for all.
class ContactIterate {
 public:
  virtual ~ContactIterate() = default;

  // One sweep of Gauss-Seidel over `impulse`, slip directions solved to `accuracy` [rad]. Contacts without a solution
  // keep their impulse; how many is returned. `backward`: in the opposite order.
  virtual int sweep(double accuracy, bool backward = false) = 0;
  // How far `impulse` is from what the options ask for: up to their tolerance will do.
  virtual double error() = 0;
  // To be called where `impulse` was set from outside.
  virtual void impulse_changed() {}

  Eigen::VectorXd impulse;
  double map_accuracy = 1e-6;                                  // of slip directions where errors are measured [rad]
  double measured = std::numeric_limits<double>::quiet_NaN();  // by error(): in the options' measure alone
};

class SweepRun {
 public:
  // `report` counts what is done here.
  void begin(ContactIterate& iterate, const ContactOptions& options, ContactReport& report);

  // Looks at the impulses at hand, which are `method`'s, and keeps the best.
  double look(ContactMethod method);
  void count(int& of, int iterations = 1);
  void restart_from_best();

  // None if the impulses that it begins with will do. Until the tolerance, `most` sweeps, the limit, or until more
  // sweeps seem to be left than are worthwhile, if that is asked.
  void sweep_until(int most, const std::function<double()>& worthwhile = {});
  // Sweeps there and back, extrapolated as by Nesterov: where loads travel far, as through a pile, many times fewer of
  // them. A run of extrapolations ends where a pair of sweeps turns back, or where fifty sweeps have led to twice the
  // least error; it may grow meanwhile. Until the tolerance, or until `patience` sweeps do not bring the error down by
  // a third. `aside` is asked where sweeps were looked at; true where it has changed the impulses: a run begins anew.
  void accelerate(int patience, const std::function<bool()>& aside = {});

  // Sweeps with Anderson's acceleration (C.14), for few contacts. Until the tolerance, or until `patience` sweeps do
  // not halve the error.
  void accelerate_few(int patience);

  bool done() const { return best_error_ <= options_->tolerance; }
  // By the number of iterations, or by the caller.
  bool must_end() const { return report_->iterations >= options_->max_iterations || options_->is_stopped(); }
  bool lacks_solution() const { return unsolved_ > 0; }
  const Eigen::VectorXd& best() const { return best_; }
  double best_error() const { return best_error_; }
  double best_measured() const { return best_measured_; }

 private:
  double sweeps_left(std::span<const double> errors) const;

  ContactIterate* iterate_ = nullptr;
  const ContactOptions* options_ = nullptr;
  ContactReport* report_ = nullptr;
  Eigen::VectorXd best_, last_, centre_, step_;
  Anderson anderson_{0};
  double best_error_ = std::numeric_limits<double>::quiet_NaN(), best_measured_ = best_error_;
  int unsolved_ = 0;
};

}  // namespace slipset::internal
