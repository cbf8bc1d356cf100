#include <algorithm>
#include <cmath>

#include "slipset/dynamics/line_stepper.hpp"
#include "slipset/dynamics/ode_solver.hpp"

namespace slipset {
namespace {

class SundialsStepper final : public LineStepper {
 public:
  SundialsStepper(const LineSystem& system, LineRate& rate, const VectorX& y, double t, const LineOptions& options)
      : rate_(&rate), k_(y), longest_(options.step), reached_(t) {
    if (system.rate_bound() > 0) longest_ = std::min(longest_, 1 / system.rate_bound());
    if (system.period() > 0) longest_ = std::min(longest_, system.period() / 20);
    y_ = y;
    solver_ = std::make_unique<SundialsSolver>(rate, y_, t, static_cast<OdeMethod>(options.method),
                                               options.relative_tolerance, options.absolute_tolerance);
  }

  // In parts that no slip fits between: a contact that sticks exactly has a rate of zero, and a solver left alone would
  // take one step over all that follows.
  bool advance(double, double to) override {
    const double from = reached_, parts = std::max(1.0, std::ceil((to - from) / longest_ * (1 - 1e-12)));
    for (double k = 1; k <= parts; ++k) {
      reached_ = k == parts ? to : from + (to - from) * (k / parts);
      if (solver_->advance(reached_)) continue;
      problem_ = solver_->problem();
      return false;
    }
    return true;
  }
  std::optional<double> dissipated_at(double t, double to) override {
    return advance(t, to) ? std::optional(y_[y_.size() - 2]) : std::nullopt;
  }
  void look(double t) override { (*rate_)(t, y_.data(), k_.data()); }
  double friction(Eigen::Index i) const override { return rate_->friction()[i]; }
  double slip(Eigen::Index i) const override { return rate_->slip(i, y_); }

  void add_statistics(LineReport& report) const override {
    const OdeStatistics s = solver_->statistics();
    report.steps = s.steps;
    report.error_test_failures = s.error_test_failures;
    report.nonlinear_iterations = s.nonlinear_iterations;
  }

 private:
  LineRate* rate_;
  VectorX k_;
  double longest_;  // step [s]
  double reached_;  // time [s]
  std::unique_ptr<SundialsSolver> solver_;
};

}  // namespace

std::unique_ptr<LineStepper> make_sundials_stepper(const LineSystem& system, LineRate& rate, const VectorX& y, double t,
                                                   const LineOptions& options) {
  return std::make_unique<SundialsStepper>(system, rate, y, t, options);
}

}  // namespace slipset
