#include "slipset/dynamics/line_stepper.hpp"
#include "slipset/dynamics/ode_solver.hpp"

namespace slipset {
namespace {

OdeMethod ode_method(LineMethod method) {
  switch (method) {
    case LineMethod::bdf: return OdeMethod::bdf;
    case LineMethod::adams: return OdeMethod::adams;
    case LineMethod::erk: return OdeMethod::erk;
    default: return OdeMethod::dirk;
  }
}

class SundialsStepper final : public LineStepper {
 public:
  SundialsStepper(LineRate& rate, const VectorX& y, double t, const LineOptions& options) : rate_(&rate), k_(y) {
    y_ = y;
    solver_ = std::make_unique<SundialsSolver>(rate, y_, t, ode_method(options.method), options.relative_tolerance,
                                               options.absolute_tolerance);
  }

  bool advance(double, double to) override {
    const bool done = solver_->advance(to);
    problem_ = solver_->problem();
    return done;
  }
  // Goes there: the run goes on from it.
  double dissipated_at(double t, double to) override {
    advance(t, to);
    return y_[y_.size() - 2];
  }
  void look(double t) override { (*rate_)(t, y_.data(), k_.data()); }
  double friction(Eigen::Index i) const override { return rate_->friction()[i]; }
  double slip(Eigen::Index i) const override { return rate_->slip(i); }

  void add_statistics(LineReport& report) const override {
    const OdeStatistics s = solver_->statistics();
    report.steps = s.steps;
    report.error_test_failures = s.error_test_failures;
    report.nonlinear_iterations = s.nonlinear_iterations;
  }

 private:
  LineRate* rate_;
  VectorX k_;
  std::unique_ptr<SundialsSolver> solver_;
};

}  // namespace

std::unique_ptr<LineStepper> make_sundials_stepper(LineRate& rate, const VectorX& y, double t,
                                                   const LineOptions& options) {
  return std::make_unique<SundialsStepper>(rate, y, t, options);
}

}  // namespace slipset
