#include "slipset/motion/integrators/internal/ode_solver.hpp"

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
#include <vector>

namespace slipset::internal {
namespace {

constexpr Eigen::Index kDenseUpTo = 300;  // unknowns
constexpr long kMostSteps = 300000;       // of one advance

struct User {
  OdeRate* rate;
  OdeEvents* events;
};

int rate_of(double t, N_Vector y, N_Vector dy, void* user) {
  double* out = N_VGetArrayPointer(dy);
  (*static_cast<User*>(user)->rate)(t, N_VGetArrayPointer(y), out);
  const sunindextype n = N_VGetLength(dy);
  return std::isfinite(out[n - 2]) ? 0 : 1;
}

int events_of(double t, N_Vector y, double* g, void* user) {
  static_cast<User*>(user)->events->watch(t, N_VGetArrayPointer(y), g);
  return 0;
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
  AdaptiveMethod method;
  User user;
  double start;
  OdeStatistics before{};  // of the parts up to the last restart
  bool limited = false;
  SUNContext context = nullptr;
  N_Vector vector = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver nonlinear = nullptr;
  void* memory = nullptr;

  Handles(OdeRate& rate, Eigen::VectorXd& y, double t, AdaptiveMethod m, double rtol, double atol, OdeEvents* events)
      : method(m), user{&rate, events}, start(t) {
    SUNContext_Create(nullptr, &context);
    vector = N_VMake_Serial(y.size(), y.data(), context);
    if (method == AdaptiveMethod::bdf || method == AdaptiveMethod::dirk) {
      if (y.size() <= kDenseUpTo) {
        matrix = SUNDenseMatrix(y.size(), y.size(), context);
        linear = SUNLinSol_Dense(vector, matrix, context);
      } else {
        linear = SUNLinSol_SPGMR(vector, SUN_PREC_NONE, 30, context);
      }
    }
    if (is_cvode()) {
      memory = CVodeCreate(method == AdaptiveMethod::bdf ? CV_BDF : CV_ADAMS, context);
      CVodeInit(memory, rate_of, t, vector);
      CVodeSetUserData(memory, &user);
      CVodeSStolerances(memory, rtol, atol);
      CVodeSetMaxNumSteps(memory, kMostSteps);
      CVodeSetErrHandlerFn(memory, be_quiet, nullptr);
      if (linear) CVodeSetLinearSolver(memory, linear, matrix);
      if (!linear) {
        nonlinear = SUNNonlinSol_FixedPoint(vector, 0, context);
        CVodeSetNonlinearSolver(memory, nonlinear);
      }
    } else if (method == AdaptiveMethod::erk) {
      memory = ERKStepCreate(rate_of, t, vector, context);
      ERKStepSetUserData(memory, &user);
      ERKStepSStolerances(memory, rtol, atol);
      ERKStepSetMaxNumSteps(memory, kMostSteps);
      ERKStepSetErrHandlerFn(memory, be_quiet, nullptr);
    } else {
      memory = ARKStepCreate(nullptr, rate_of, t, vector, context);
      ARKStepSetUserData(memory, &user);
      ARKStepSStolerances(memory, rtol, atol);
      ARKStepSetMaxNumSteps(memory, kMostSteps);
      ARKStepSetErrHandlerFn(memory, be_quiet, nullptr);
      ARKStepSetLinearSolver(memory, linear, matrix);
    }
    if (events && events->watched() > 0) watch(events->watched());
  }
  ~Handles() {
    if (is_cvode())
      CVodeFree(&memory);
    else if (method == AdaptiveMethod::erk)
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

  void watch(int count) {
    if (count == 0) return;
    std::vector<int> rising(static_cast<std::size_t>(count), 1);
    if (is_cvode()) {
      CVodeRootInit(memory, count, events_of);
      CVodeSetRootDirection(memory, rising.data());
      CVodeSetNoInactiveRootWarn(memory);
    } else if (method == AdaptiveMethod::erk) {
      ERKStepRootInit(memory, count, events_of);
      ERKStepSetRootDirection(memory, rising.data());
      ERKStepSetNoInactiveRootWarn(memory);
    } else {
      ARKStepRootInit(memory, count, events_of);
      ARKStepSetRootDirection(memory, rising.data());
      ARKStepSetNoInactiveRootWarn(memory);
    }
  }

  void restart(double t) {
    before = statistics();
    if (is_cvode())
      CVodeReInit(memory, t, vector);
    else if (method == AdaptiveMethod::erk)
      ERKStepReInit(memory, rate_of, t, vector);
    else
      ARKStepReInit(memory, nullptr, rate_of, t, vector);
  }

  OdeStatistics statistics() const {
    OdeStatistics s;
    if (is_cvode()) {
      CVodeGetNumSteps(memory, &s.steps);
      CVodeGetNumErrTestFails(memory, &s.error_test_failures);
      CVodeGetNumNonlinSolvIters(memory, &s.nonlinear_iterations);
    } else if (method == AdaptiveMethod::erk) {
      ERKStepGetNumSteps(memory, &s.steps);
      ERKStepGetNumErrTestFails(memory, &s.error_test_failures);
    } else {
      ARKStepGetNumSteps(memory, &s.steps);
      ARKStepGetNumErrTestFails(memory, &s.error_test_failures);
      ARKStepGetNumNonlinSolvIters(memory, &s.nonlinear_iterations);
    }
    s.steps += before.steps;
    s.error_test_failures += before.error_test_failures;
    s.nonlinear_iterations += before.nonlinear_iterations;
    return s;
  }

  void limit_step(double longest) {
    if (is_cvode())
      CVodeSetMaxStep(memory, longest);
    else if (method == AdaptiveMethod::erk)
      ERKStepSetMaxStep(memory, longest);
    else
      ARKStepSetMaxStep(memory, longest);
    limited = true;
  }
  bool is_cvode() const { return method == AdaptiveMethod::bdf || method == AdaptiveMethod::adams; }
};

SundialsSolver::SundialsSolver(OdeRate& rate, Eigen::VectorXd& y, double t, AdaptiveMethod method,
                               double relative_tolerance, double absolute_tolerance, OdeEvents* events)
    : handles_(std::make_unique<Handles>(rate, y, t, method, relative_tolerance, absolute_tolerance, events)),
      reached_(t) {}
SundialsSolver::~SundialsSolver() = default;

bool SundialsSolver::advance(double to) {
  Handles& h = *handles_;
  // At rest, where nothing changes, steps would grow without limit and pass over what ends it.
  if (!h.limited && to > h.start) h.limit_step(to - h.start);
  const int flag = h.is_cvode()                      ? CVode(h.memory, to, h.vector, &reached_, CV_NORMAL)
                   : h.method == AdaptiveMethod::erk ? ERKStepEvolve(h.memory, to, h.vector, &reached_, ARK_NORMAL)
                                                     : ARKStepEvolve(h.memory, to, h.vector, &reached_, ARK_NORMAL);
  at_event_ = flag == (h.is_cvode() ? CV_ROOT_RETURN : ARK_ROOT_RETURN);
  if (flag >= 0) return true;
  problem_ = fmt::format(
      "the solver gave up at t = {:.10g} ({} {}): try a larger tolerance, shorter rows, or a continuous law", reached_,
      h.is_cvode() ? "CVODE" : "ARKODE", flag);
  return false;
}

const std::vector<char>& SundialsSolver::risen() {
  std::vector<int> found(static_cast<std::size_t>(handles_->user.events->watched()), 0);
  if (handles_->is_cvode())
    CVodeGetRootInfo(handles_->memory, found.data());
  else if (handles_->method == AdaptiveMethod::erk)
    ERKStepGetRootInfo(handles_->memory, found.data());
  else
    ARKStepGetRootInfo(handles_->memory, found.data());
  risen_.assign(found.begin(), found.end());
  return risen_;
}

void SundialsSolver::restart() { handles_->restart(reached_); }

OdeStatistics SundialsSolver::statistics() const { return handles_->statistics(); }

}  // namespace slipset::internal
