#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "slipset/dynamics/line_stepper.hpp"

namespace slipset {
namespace {

constexpr Eigen::Index kDenseUpTo = 300;  // unknowns; above, implicit methods solve by GMRES without a matrix
constexpr long kMostSteps = 100000000;

int rate_of(double t, N_Vector y, N_Vector dy, void* rate) {
  double* out = N_VGetArrayPointer(dy);
  (*static_cast<LineRate*>(rate))(t, N_VGetArrayPointer(y), out);
  const sunindextype n = N_VGetLength(dy);
  return std::isfinite(out[n - 2]) ? 0 : 1;
}

void be_quiet(int, const char*, const char*, char*, void*) {}

class SundialsStepper final : public LineStepper {
 public:
  SundialsStepper(LineRate& rate, const VectorX& y, double t, const LineOptions& options)
      : rate_(&rate), method_(options.method), k_(y) {
    y_ = y;
    SUNContext_Create(nullptr, &context_);
    vector_ = N_VMake_Serial(y_.size(), y_.data(), context_);
    if (method_ == LineMethod::bdf || method_ == LineMethod::dirk) {
      if (y.size() <= kDenseUpTo) {
        matrix_ = SUNDenseMatrix(y.size(), y.size(), context_);
        linear_ = SUNLinSol_Dense(vector_, matrix_, context_);
      } else {
        linear_ = SUNLinSol_SPGMR(vector_, SUN_PREC_NONE, 30, context_);
      }
    }
    const double rtol = options.relative_tolerance, atol = options.absolute_tolerance;
    if (is_cvode()) {
      memory_ = CVodeCreate(method_ == LineMethod::bdf ? CV_BDF : CV_ADAMS, context_);
      CVodeInit(memory_, rate_of, t, vector_);
      CVodeSetUserData(memory_, rate_);
      CVodeSStolerances(memory_, rtol, atol);
      CVodeSetMaxNumSteps(memory_, kMostSteps);
      CVodeSetErrHandlerFn(memory_, be_quiet, nullptr);
      if (linear_) CVodeSetLinearSolver(memory_, linear_, matrix_);
      if (!linear_) {
        nonlinear_ = SUNNonlinSol_FixedPoint(vector_, 0, context_);
        CVodeSetNonlinearSolver(memory_, nonlinear_);
      }
    } else if (method_ == LineMethod::erk) {
      memory_ = ERKStepCreate(rate_of, t, vector_, context_);
      ERKStepSetUserData(memory_, rate_);
      ERKStepSStolerances(memory_, rtol, atol);
      ERKStepSetMaxNumSteps(memory_, kMostSteps);
      ERKStepSetErrHandlerFn(memory_, be_quiet, nullptr);
    } else {
      memory_ = ARKStepCreate(nullptr, rate_of, t, vector_, context_);
      ARKStepSetUserData(memory_, rate_);
      ARKStepSStolerances(memory_, rtol, atol);
      ARKStepSetMaxNumSteps(memory_, kMostSteps);
      ARKStepSetErrHandlerFn(memory_, be_quiet, nullptr);
      ARKStepSetLinearSolver(memory_, linear_, matrix_);
    }
  }
  ~SundialsStepper() override {
    if (is_cvode())
      CVodeFree(&memory_);
    else if (method_ == LineMethod::erk)
      ERKStepFree(&memory_);
    else
      ARKStepFree(&memory_);
    if (nonlinear_) SUNNonlinSolFree(nonlinear_);
    if (linear_) SUNLinSolFree(linear_);
    if (matrix_) SUNMatDestroy(matrix_);
    N_VDestroy(vector_);
    SUNContext_Free(&context_);
  }
  SundialsStepper(const SundialsStepper&) = delete;
  SundialsStepper& operator=(const SundialsStepper&) = delete;

  bool advance(double, double to) override {
    double reached = 0;
    const int flag = is_cvode()                   ? CVode(memory_, to, vector_, &reached, CV_NORMAL)
                     : method_ == LineMethod::erk ? ERKStepEvolve(memory_, to, vector_, &reached, ARK_NORMAL)
                                                  : ARKStepEvolve(memory_, to, vector_, &reached, ARK_NORMAL);
    if (flag >= 0) return true;
    problem_ = fmt::format("the solver gave up at t = {:.10g} ({} {}): try a larger tolerance, or a continuous law",
                           reached, is_cvode() ? "CVODE" : "ARKODE", flag);
    return false;
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
    if (is_cvode()) {
      CVodeGetNumSteps(memory_, &report.steps);
      CVodeGetNumErrTestFails(memory_, &report.error_test_failures);
      CVodeGetNumNonlinSolvIters(memory_, &report.nonlinear_iterations);
    } else if (method_ == LineMethod::erk) {
      ERKStepGetNumSteps(memory_, &report.steps);
      ERKStepGetNumErrTestFails(memory_, &report.error_test_failures);
    } else {
      ARKStepGetNumSteps(memory_, &report.steps);
      ARKStepGetNumErrTestFails(memory_, &report.error_test_failures);
      ARKStepGetNumNonlinSolvIters(memory_, &report.nonlinear_iterations);
    }
  }

 private:
  bool is_cvode() const { return method_ == LineMethod::bdf || method_ == LineMethod::adams; }

  LineRate* rate_;
  LineMethod method_;
  VectorX k_;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  void* memory_ = nullptr;
};

}  // namespace

std::unique_ptr<LineStepper> make_sundials_stepper(LineRate& rate, const VectorX& y, double t,
                                                   const LineOptions& options) {
  return std::make_unique<SundialsStepper>(rate, y, t, options);
}

}  // namespace slipset
