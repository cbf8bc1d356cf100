#include "slipset/motion/integrators/internal/phase_integrator.hpp"

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace slipset::internal {

using Index = Eigen::Index;

struct PhaseIntegrator::Cvode {
  Phase* phase;
  Index dofs;
  EventDriven options;
  double threshold = 0;  // slip below it has stopped [m/s]
  std::vector<ContactEvent> watched;
  long earlier_steps = 0;
  double loosest;
  std::optional<double> loosened_at;
  std::function<bool(double)> goes_on;
  long evaluations = 0;
  bool stopped = false;
  SUNContext context = nullptr;
  N_Vector y = nullptr, smallest = nullptr;  // state, absolute tolerances
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* memory = nullptr;
  VectorX q, v, scale;

  Cvode(Phase& p, Index n, const EventDriven& o)
      : phase(&p), dofs(n), options(o), loosest(o.relative_tolerance), q(n), v(n) {
    const Index size = 2 * n + 2;
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(size, context);
    smallest = N_VNew_Serial(size, context);
    matrix = SUNDenseMatrix(size, size, context);
    solver = SUNLinSol_Dense(y, matrix, context);
    memory = CVodeCreate(CV_BDF, context);
    N_VConst(0, y);
    CVodeInit(memory, &Cvode::rate, 0, y);
    CVodeSetUserData(memory, this);
    scale = VectorX::Ones(size);
    set_tolerances(options.relative_tolerance, options.absolute_tolerance);
    CVodeSetLinearSolver(memory, solver, matrix);
    // The direction of a small slip is drawn to its place at a rate that changes as 1/|γ|: with a Jacobian of some steps
    // ago Newton's method would seem to have converged where it has not.
    CVodeSetJacEvalFrequency(memory, 1);
    CVodeSetLSetupFrequency(memory, 1);
    CVodeSetMaxNumSteps(memory, 100000);
    CVodeSetErrHandlerFn(
        memory, [](int, const char*, const char*, char*, void*) {}, nullptr);
  }
  ~Cvode() {
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(smallest);
    SUNContext_Free(&context);
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  void set_tolerances(double relative, double absolute) {
    Eigen::Map<VectorX>(N_VGetArrayPointer(smallest), scale.size()) = absolute * scale;
    if (const int flag = CVodeSVtolerances(memory, relative, smallest); flag != CV_SUCCESS)
      throw CannotGoOn(RunStatus::solver_failed,
                       fmt::format("event-driven: the integrator does not take tolerances of {:g} and {:g} over the "
                                   "scales of the motion (CVODE {})",
                                   relative, absolute, flag));
  }

  long steps_of_phase() const {
    long count = 0;
    CVodeGetNumSteps(memory, &count);
    return count;
  }

  void watch_events() {
    watched.clear();
    std::vector<int> direction;
    const auto watch = [&](std::size_t i, PhaseEvent event, int way) {
      watched.push_back({i, event});
      direction.push_back(way);
    };
    for (std::size_t i = 0; i < phase->size(); ++i) {
      const PhaseMode mode = phase->contact(i).mode;
      if (mode == PhaseMode::open) watch(i, PhaseEvent::closes, -1);
      if (mode != PhaseMode::open && phase->unilateral(i)) watch(i, PhaseEvent::opens, -1);
      if (mode == PhaseMode::stick) watch(i, PhaseEvent::yields, 1);
      if (mode == PhaseMode::slip || mode == PhaseMode::side) watch(i, PhaseEvent::stops, -1);
      if (mode == PhaseMode::slip && !phase->sides(i).empty() && !phase->contact(i).line) {
        watch(i, PhaseEvent::sector_start, -1);
        watch(i, PhaseEvent::sector_end, -1);
      }
      if (mode == PhaseMode::side) {
        watch(i, PhaseEvent::side_start, -1);
        watch(i, PhaseEvent::side_end, 1);
        watch(i, PhaseEvent::side_lost, 1);
      }
    }
    CVodeRootInit(memory, static_cast<int>(watched.size()), &Cvode::events);
    if (watched.empty()) return;  // CVODE would write to the standard error
    CVodeSetRootDirection(memory, direction.data());
    CVodeSetNoInactiveRootWarn(memory);
  }

  double value_of(const ContactEvent& e) const {
    const ContactPhase& c = phase->contact(e.contact);
    switch (e.event) {
      case PhaseEvent::closes: return c.gap;
      case PhaseEvent::opens: return c.normal_force;
      case PhaseEvent::yields: return phase->stick_excess(e.contact);
      case PhaseEvent::stops:  // along the resistance, so that it changes sign where the resistance does not
        if (c.line) return c.way * c.along.dot(c.slip) + 1e-2 * threshold;  // a slip that begins is zero
        return c.slip.dot(c.resistance.normalized()) - threshold;
      case PhaseEvent::sector_start: return phase->inside_sector(e.contact).first;
      case PhaseEvent::sector_end: return phase->inside_sector(e.contact).second;
      case PhaseEvent::side_start: return c.place;
      case PhaseEvent::side_end: return c.place - 1;
      default: return c.turning_slope;
    }
  }

  const VectorX& look(double t, N_Vector at) {
    const double* in = N_VGetArrayPointer(at);
    q = Eigen::Map<const VectorX>(in, dofs);
    v = Eigen::Map<const VectorX>(in + dofs, dofs);
    return phase->acceleration_beside_rest(t, q, v);
  }

  static int rate(double t, N_Vector y, N_Vector dy, void* self) {
    constexpr long kBetweenLooks = 1024;  // some milliseconds
    auto& me = *static_cast<Cvode*>(self);
    if (++me.evaluations % kBetweenLooks == 0 && me.goes_on && !me.goes_on(t)) me.stopped = true;
    if (me.stopped) return -1;
    const VectorX& a = me.look(t, y);
    if (!a.allFinite()) return 1;
    double* out = N_VGetArrayPointer(dy);
    me.v += me.phase->rest();
    Eigen::Map<VectorX>(out, me.dofs) = me.v;
    Eigen::Map<VectorX>(out + me.dofs, me.dofs) = a;
    const SystemAt& at = me.phase->at();
    double heat = 0, work = me.v.dot(at.force - at.potential_force);
    for (std::size_t i = 0; i < me.phase->size(); ++i) {
      const ContactPhase& c = me.phase->contact(i);
      const Vec2 force = -c.normal_force * c.resistance;
      if (c.mode == PhaseMode::slip || c.mode == PhaseMode::side) heat -= force.dot(c.slip);
      work += force.dot(at.contacts[i].surface_velocity);
      if (me.phase->unilateral(i)) work += c.normal_force * at.contacts[i].surface_normal_velocity;
    }
    out[2 * me.dofs] = heat;
    out[2 * me.dofs + 1] = work;
    return 0;
  }

  static int events(double t, N_Vector y, double* g, void* self) {
    auto& me = *static_cast<Cvode*>(self);
    if (!me.look(t, y).allFinite()) return 1;
    for (std::size_t k = 0; k < me.watched.size(); ++k) g[k] = me.value_of(me.watched[k]);
    return 0;
  }
};

PhaseIntegrator::PhaseIntegrator(Phase& phase, Index dofs, const EventDriven& options)
    : cvode_(std::make_unique<Cvode>(phase, dofs, options)) {}
PhaseIntegrator::~PhaseIntegrator() = default;

void PhaseIntegrator::set_watch(std::function<bool(double)> watch) { cvode_->goes_on = std::move(watch); }

void PhaseIntegrator::restart(const State& state, double dissipated, double input, const PhaseScales& scales) {
  Eigen::Map<VectorX>(N_VGetArrayPointer(cvode_->y), 2 * cvode_->dofs + 2) << state.q, state.u - cvode_->phase->rest(),
      dissipated, input;
  cvode_->threshold = cvode_->options.slip_threshold * scales.speed;
  cvode_->scale << scales.time * scales.velocity, scales.velocity, scales.energy, scales.energy;
  cvode_->earlier_steps += cvode_->steps_of_phase();
  CVodeReInit(cvode_->memory, state.t, cvode_->y);
  cvode_->set_tolerances(cvode_->options.relative_tolerance, cvode_->options.absolute_tolerance);
  cvode_->watch_events();
}

std::vector<ContactEvent> PhaseIntegrator::advance(double until, State& state, double& dissipated, double& input) {
  CVodeSetStopTime(cvode_->memory, until);
  int flag = CVode(cvode_->memory, until, cvode_->y, &state.t, CV_NORMAL);
  // From rounding on: some ten tries.
  for (double tolerance = std::max(10 * cvode_->options.relative_tolerance, 1e-15); flag < 0; tolerance *= 10) {
    if (cvode_->stopped) throw CannotGoOn(RunStatus::stopped, "ended by the caller");
    if (!(tolerance <= 1e-6))
      throw CannotGoOn(
          RunStatus::solver_failed,
          fmt::format(
              "event-driven: the integrator cannot continue at t = {:.10g} (CVODE {}); use the moreau integrator",
              state.t, flag));
    cvode_->earlier_steps += cvode_->steps_of_phase();
    CVodeReInit(cvode_->memory, state.t, cvode_->y);
    cvode_->set_tolerances(tolerance, tolerance / 100);
    CVodeSetStopTime(cvode_->memory, until);
    cvode_->loosest = std::max(cvode_->loosest, tolerance);
    if (!cvode_->loosened_at) cvode_->loosened_at = state.t;
    flag = CVode(cvode_->memory, until, cvode_->y, &state.t, CV_NORMAL);
  }
  const Index n = cvode_->dofs;
  const Eigen::Map<VectorX> y(N_VGetArrayPointer(cvode_->y), 2 * n + 2);
  state.q = y.head(n);
  state.u = cvode_->phase->rest() + y.segment(n, n);
  dissipated = y[2 * n];
  input = y[2 * n + 1];
  std::vector<ContactEvent> happened;
  if (flag != CV_ROOT_RETURN) return happened;
  std::vector<int> roots(cvode_->watched.size());
  CVodeGetRootInfo(cvode_->memory, roots.data());
  for (std::size_t k = 0; k < roots.size(); ++k)
    if (roots[k] != 0) happened.push_back(cvode_->watched[k]);
  return happened;
}

double PhaseIntegrator::loosest_tolerance() const { return cvode_->loosest; }

std::optional<double> PhaseIntegrator::loosened_at() const { return cvode_->loosened_at; }

long PhaseIntegrator::steps() const { return cvode_->earlier_steps + cvode_->steps_of_phase(); }

}  // namespace slipset::internal
