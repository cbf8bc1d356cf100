#include "slipset/dynamics/ode_solver.hpp"

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>

namespace slipset {
namespace {

constexpr Eigen::Index kDenseUpTo = 300;  // unknowns
constexpr long kMostSteps = 300000;       // of one advance

int rate_of(double t, N_Vector y, N_Vector dy, void* rate) {
  double* out = N_VGetArrayPointer(dy);
  (*static_cast<OdeRate*>(rate))(t, N_VGetArrayPointer(y), out);
  const sunindextype n = N_VGetLength(dy);
  return std::isfinite(out[n - 2]) ? 0 : 1;
}

void be_quiet(int, const char*, const char*, char*, void*) {}

}  // namespace

Eigen::VectorXd& Rk4::step(OdeRate& rate, double t, double h, const Eigen::VectorXd& y) {
  sum_ = y;
  rate(t, y.data(), k_.data());
  stage(y, h / 6, h / 2);
  rate(t + h / 2, at_.data(), k_.data());
  stage(y, h / 3, h / 2);
  rate(t + h / 2, at_.data(), k_.data());
  stage(y, h / 3, h);
  rate(t + h, at_.data(), k_.data());
  sum_ += h / 6 * k_;
  return sum_;
}

// One pass over memory for both.
void Rk4::stage(const Eigen::VectorXd& from, double weight, double ahead) {
  const double* __restrict__ y = from.data(), * __restrict__ k = k_.data();
  double* __restrict__ sum = sum_.data(), * __restrict__ at = at_.data();
  for (Eigen::Index i = 0; i < from.size(); ++i) {
    sum[i] += weight * k[i];
    at[i] = y[i] + ahead * k[i];
  }
}

struct SundialsSolver::Handles {
  OdeMethod method;
  double start;
  bool limited = false;
  SUNContext context = nullptr;
  N_Vector vector = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver nonlinear = nullptr;
  void* memory = nullptr;

  Handles(OdeRate& rate, Eigen::VectorXd& y, double t, OdeMethod m, double rtol, double atol) : method(m), start(t) {
    SUNContext_Create(nullptr, &context);
    vector = N_VMake_Serial(y.size(), y.data(), context);
    if (method == OdeMethod::bdf || method == OdeMethod::dirk) {
      if (y.size() <= kDenseUpTo) {
        matrix = SUNDenseMatrix(y.size(), y.size(), context);
        linear = SUNLinSol_Dense(vector, matrix, context);
      } else {
        linear = SUNLinSol_SPGMR(vector, SUN_PREC_NONE, 30, context);
      }
    }
    if (is_cvode()) {
      memory = CVodeCreate(method == OdeMethod::bdf ? CV_BDF : CV_ADAMS, context);
      CVodeInit(memory, rate_of, t, vector);
      CVodeSetUserData(memory, &rate);
      CVodeSStolerances(memory, rtol, atol);
      CVodeSetMaxNumSteps(memory, kMostSteps);
      CVodeSetErrHandlerFn(memory, be_quiet, nullptr);
      if (linear) CVodeSetLinearSolver(memory, linear, matrix);
      if (!linear) {
        nonlinear = SUNNonlinSol_FixedPoint(vector, 0, context);
        CVodeSetNonlinearSolver(memory, nonlinear);
      }
    } else if (method == OdeMethod::erk) {
      memory = ERKStepCreate(rate_of, t, vector, context);
      ERKStepSetUserData(memory, &rate);
      ERKStepSStolerances(memory, rtol, atol);
      ERKStepSetMaxNumSteps(memory, kMostSteps);
      ERKStepSetErrHandlerFn(memory, be_quiet, nullptr);
    } else {
      memory = ARKStepCreate(nullptr, rate_of, t, vector, context);
      ARKStepSetUserData(memory, &rate);
      ARKStepSStolerances(memory, rtol, atol);
      ARKStepSetMaxNumSteps(memory, kMostSteps);
      ARKStepSetErrHandlerFn(memory, be_quiet, nullptr);
      ARKStepSetLinearSolver(memory, linear, matrix);
    }
  }
  ~Handles() {
    if (is_cvode())
      CVodeFree(&memory);
    else if (method == OdeMethod::erk)
      ERKStepFree(&memory);
    else
      ARKStepFree(&memory);
    if (nonlinear) SUNNonlinSolFree(nonlinear);
    if (linear) SUNLinSolFree(linear);
    if (matrix) SUNMatDestroy(matrix);
    N_VDestroy(vector);
    SUNContext_Free(&context);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  void limit_step(double longest) {
    if (is_cvode())
      CVodeSetMaxStep(memory, longest);
    else if (method == OdeMethod::erk)
      ERKStepSetMaxStep(memory, longest);
    else
      ARKStepSetMaxStep(memory, longest);
    limited = true;
  }
  bool is_cvode() const { return method == OdeMethod::bdf || method == OdeMethod::adams; }
};

SundialsSolver::SundialsSolver(OdeRate& rate, Eigen::VectorXd& y, double t, OdeMethod method, double relative_tolerance,
                               double absolute_tolerance)
    : handles_(std::make_unique<Handles>(rate, y, t, method, relative_tolerance, absolute_tolerance)) {}
SundialsSolver::~SundialsSolver() = default;

bool SundialsSolver::advance(double to) {
  Handles& h = *handles_;
  double reached = 0;
  // At rest, where nothing changes, steps would grow without limit and pass over what ends it.
  if (!h.limited && to > h.start) h.limit_step(to - h.start);
  const int flag = h.is_cvode()                 ? CVode(h.memory, to, h.vector, &reached, CV_NORMAL)
                   : h.method == OdeMethod::erk ? ERKStepEvolve(h.memory, to, h.vector, &reached, ARK_NORMAL)
                                                : ARKStepEvolve(h.memory, to, h.vector, &reached, ARK_NORMAL);
  if (flag >= 0) return true;
  problem_ = fmt::format(
      "the solver gave up at t = {:.10g} ({} {}): try a larger tolerance, shorter rows, or a continuous law", reached,
      h.is_cvode() ? "CVODE" : "ARKODE", flag);
  return false;
}

OdeStatistics SundialsSolver::statistics() const {
  OdeStatistics s;
  if (handles_->is_cvode()) {
    CVodeGetNumSteps(handles_->memory, &s.steps);
    CVodeGetNumErrTestFails(handles_->memory, &s.error_test_failures);
    CVodeGetNumNonlinSolvIters(handles_->memory, &s.nonlinear_iterations);
  } else if (handles_->method == OdeMethod::erk) {
    ERKStepGetNumSteps(handles_->memory, &s.steps);
    ERKStepGetNumErrTestFails(handles_->memory, &s.error_test_failures);
  } else {
    ARKStepGetNumSteps(handles_->memory, &s.steps);
    ARKStepGetNumErrTestFails(handles_->memory, &s.error_test_failures);
    ARKStepGetNumNonlinSolvIters(handles_->memory, &s.nonlinear_iterations);
  }
  return s;
}

}  // namespace slipset
