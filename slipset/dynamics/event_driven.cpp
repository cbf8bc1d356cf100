#include "slipset/dynamics/event_driven.hpp"

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>

namespace slipset {
namespace {

using Index = Eigen::Index;

// The system within one phase: which contacts stick, and what follows for the accelerations.
class Phase {
 public:
  explicit Phase(const MechanicalSystem& system)
      : system_(&system),
        at_(sized_for(system)),
        ahead_(sized_for(system)),
        sticks_(system.contacts().size(), false),
        resistance_(system.contacts().size(), Vec2::Zero()) {}

  std::size_t contacts() const { return sticks_.size(); }
  bool sticks(std::size_t i) const { return sticks_[i]; }
  void set_sticks(std::size_t i, bool stick) { sticks_[i] = stick; }
  bool all_stick() const {
    return std::all_of(sticks_.begin(), sticks_.end(), [](bool s) { return s; });
  }
  const ContactLaw& law(std::size_t i) const { return *system_->contacts()[i].law; }
  double normal_force(std::size_t i) const { return at_.contacts[i].normal_force; }
  const Vec2& resistance(std::size_t i) const { return resistance_[i]; }
  double reservoir_at_rest(std::size_t i) const {
    const auto& rate = law(i).law().stribeck();
    return rate ? rate->factor(0) : 1;
  }

  // q̈ at (t, q, u); resistances on the way. The system stays evaluated there.
  VectorX acceleration(double t, const VectorX& q, const VectorX& u) {
    look_at(t, q, u);
    VectorX force = at_.force;
    for (std::size_t i = 0; i < contacts(); ++i)
      if (!sticks_[i]) {
        resistance_[i] = slip_resistance(law(i).law(), slip(i, u));
        force -= at_.contacts[i].tangents * (normal_force(i) * resistance_[i]);
      }
    const VectorX free = mass_.solve(force);
    const std::vector<std::size_t> sticking = stick_set();
    if (sticking.empty()) return free;
    // γ̇ = 0 for all of them at once.
    const MatrixX w = directions(sticking);
    VectorX drift(w.cols());
    for (std::size_t a = 0; a < sticking.size(); ++a)
      drift.segment<2>(static_cast<Index>(2 * a)) = slip_drift(sticking[a], u);
    const MatrixX mw = mass_.solve(w);
    const VectorX lambda =
        (w.transpose() * mw).completeOrthogonalDecomposition().solve(-(w.transpose() * free + drift));
    for (std::size_t a = 0; a < sticking.size(); ++a)
      resistance_[sticking[a]] = -lambda.segment<2>(static_cast<Index>(2 * a)) / normal_force(sticking[a]);
    return free + mw * lambda;
  }

  Vec2 slip(std::size_t i, const VectorX& u) const {
    return Vec2(at_.contacts[i].tangents.transpose() * u) - at_.contacts[i].surface_velocity;
  }
  Vec2 slip_rate(std::size_t i, const VectorX& u, const VectorX& a) const {
    return Vec2(at_.contacts[i].tangents.transpose() * a) + slip_drift(i, u);
  }

  // u without slip at the sticking contacts, changed as little as the masses allow.
  void project(VectorX& u) const {
    const std::vector<std::size_t> sticking = stick_set();
    if (sticking.empty()) return;
    const MatrixX w = directions(sticking);
    VectorX off(w.cols());
    for (std::size_t a = 0; a < sticking.size(); ++a) off.segment<2>(static_cast<Index>(2 * a)) = slip(sticking[a], u);
    const MatrixX mw = mass_.solve(w);
    u -= mw * (w.transpose() * mw).completeOrthogonalDecomposition().solve(off);
  }

  // Gives u the slip `v` at one contact that is at rest.
  void push(std::size_t i, const Vec2& v, VectorX& u) const {
    const MatrixX mw = mass_.solve(MatrixX(at_.contacts[i].tangents));
    u += mw * (at_.contacts[i].tangents.transpose() * mw).completeOrthogonalDecomposition().solve(v);
  }

  // The contact problem of the accelerations for the contacts in `resting`, the others slipping.
  ContactSolution accelerations(double t, const VectorX& q, const VectorX& u, const std::vector<std::size_t>& resting) {
    const std::vector<bool> kept = sticks_;
    for (const std::size_t i : resting) sticks_[i] = true;  // so that they add no slip force
    look_at(t, q, u);
    VectorX force = at_.force;
    for (std::size_t i = 0; i < contacts(); ++i)
      if (!sticks_[i])
        force -= at_.contacts[i].tangents * (normal_force(i) * slip_resistance(law(i).law(), slip(i, u)));
    sticks_ = kept;
    const VectorX free = mass_.solve(force);
    ContactProblem problem;
    problem.delassus.resize(resting.size());
    problem.free_velocity = VectorX::Zero(static_cast<Index>(3 * resting.size()));
    for (std::size_t a = 0; a < resting.size(); ++a) {
      const std::size_t i = resting[a];
      for (std::size_t b = 0; b < resting.size(); ++b)
        problem.delassus.block(a, b).bottomRightCorner<2, 2>() =
            at_.contacts[i].tangents.transpose() * mass_.solve(MatrixX(at_.contacts[resting[b]].tangents));
      problem.free_velocity.segment<2>(static_cast<Index>(3 * a + 1)) = slip_rate(i, u, free);
      ContactPoint point;
      point.law = &law(i);
      point.normal_impulse = normal_force(i);
      point.reservoir_factor = reservoir_at_rest(i);
      problem.contacts.push_back(point);
    }
    return solve_contact(problem);
  }

  std::vector<std::size_t> stick_set() const {
    std::vector<std::size_t> set;
    for (std::size_t i = 0; i < contacts(); ++i)
      if (sticks_[i]) set.push_back(i);
    return set;
  }

  const MatrixX& mass() const { return at_.mass; }
  const SystemAt& at() const { return at_; }
  void look_at(double t, const VectorX& q, const VectorX& u) {
    constexpr double ahead = 1e-7;
    system_->evaluate(t, q, u, at_);
    system_->evaluate(t + ahead, q + ahead * u, u, ahead_);
    ahead_by_ = ahead;
    mass_.compute(at_.mass);
  }

 private:
  // W_T of several contacts side by side.
  MatrixX directions(const std::vector<std::size_t>& of) const {
    MatrixX w(at_.force.size(), static_cast<Index>(2 * of.size()));
    for (std::size_t a = 0; a < of.size(); ++a)
      w.middleCols<2>(static_cast<Index>(2 * a)) = at_.contacts[of[a]].tangents;
    return w;
  }

  // What γ changes by while u does not: Ẇᵀu - χ̇, zero for constant directions.
  Vec2 slip_drift(std::size_t i, const VectorX& u) const {
    const Vec2 now = Vec2(at_.contacts[i].tangents.transpose() * u) - at_.contacts[i].surface_velocity;
    const Vec2 then = Vec2(ahead_.contacts[i].tangents.transpose() * u) - ahead_.contacts[i].surface_velocity;
    return (then - now) / ahead_by_;
  }

  const MechanicalSystem* system_;
  SystemAt at_, ahead_;
  double ahead_by_ = 1;
  Eigen::LLT<MatrixX> mass_;
  std::vector<bool> sticks_;
  std::vector<Vec2> resistance_;
};

// One phase in CVODE: y = (q, u, dissipated energy, input energy).
class Integrator {
 public:
  Integrator(Phase& phase, Index dofs, const EventOptions& options) : phase_(&phase), dofs_(dofs), options_(options) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(2 * dofs + 2, context_);
    matrix_ = SUNDenseMatrix(2 * dofs + 2, 2 * dofs + 2, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    memory_ = CVodeCreate(CV_BDF, context_);
    q_ = u_ = VectorX::Zero(dofs);
  }
  ~Integrator() {
    CVodeFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  Eigen::Map<VectorX> y() { return {N_VGetArrayPointer(y_), 2 * dofs_ + 2}; }

  void restart(double t, double threshold) {
    threshold_ = threshold;
    if (!started_) {
      CVodeInit(memory_, &Integrator::rate, t, y_);
      CVodeSetUserData(memory_, this);
      CVodeSStolerances(memory_, options_.relative_tolerance, options_.absolute_tolerance);
      CVodeSetLinearSolver(memory_, solver_, matrix_);
      CVodeSetMaxNumSteps(memory_, 1000000);
      CVodeSetErrHandlerFn(
          memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
      CVodeRootInit(memory_, static_cast<int>(phase_->contacts()), &Integrator::events);
      started_ = true;
    } else {
      earlier_steps_ += steps_of_phase();
      CVodeReInit(memory_, t, y_);
    }
    std::vector<int> direction(phase_->contacts());
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = phase_->sticks(i) ? 1 : -1;
    CVodeSetRootDirection(memory_, direction.data());
  }

  // To `until` or to an event; the contacts that had one.
  std::vector<std::size_t> advance(double until, double& t) {
    CVodeSetStopTime(memory_, until);
    const int flag = CVode(memory_, until, y_, &t, CV_NORMAL);
    if (flag < 0)
      throw InvalidInput(fmt::format(
          "event-driven: the integrator stopped at t = {:.10g} (CVODE {}); try a larger tolerance", t, flag));
    std::vector<std::size_t> with_event;
    if (flag != CV_ROOT_RETURN) return with_event;
    std::vector<int> roots(phase_->contacts());
    CVodeGetRootInfo(memory_, roots.data());
    for (std::size_t i = 0; i < roots.size(); ++i)
      if (roots[i] != 0) with_event.push_back(i);
    return with_event;
  }

  long steps() const { return earlier_steps_ + steps_of_phase(); }

 private:
  long steps_of_phase() const {
    long count = 0;
    CVodeGetNumSteps(memory_, &count);
    return count;
  }

  static int rate(double t, N_Vector y, N_Vector dy, void* self) {
    auto& me = *static_cast<Integrator*>(self);
    const double* in = N_VGetArrayPointer(y);
    double* out = N_VGetArrayPointer(dy);
    me.q_ = Eigen::Map<const VectorX>(in, me.dofs_);
    me.u_ = Eigen::Map<const VectorX>(in + me.dofs_, me.dofs_);
    const VectorX a = me.phase_->acceleration(t, me.q_, me.u_);
    if (!a.allFinite()) return 1;
    Eigen::Map<VectorX>(out, me.dofs_) = me.u_;
    Eigen::Map<VectorX>(out + me.dofs_, me.dofs_) = a;
    double heat = 0, work = me.u_.dot(me.phase_->at().force - me.phase_->at().potential_force);
    for (std::size_t i = 0; i < me.phase_->contacts(); ++i) {
      const Vec2 force = -me.phase_->normal_force(i) * me.phase_->resistance(i);
      if (!me.phase_->sticks(i)) heat -= force.dot(me.phase_->slip(i, me.u_));
      work += force.dot(me.phase_->at().contacts[i].surface_velocity);
    }
    out[2 * me.dofs_] = heat;
    out[2 * me.dofs_ + 1] = work;
    return 0;
  }

  static int events(double t, N_Vector y, double* g, void* self) {
    auto& me = *static_cast<Integrator*>(self);
    const double* in = N_VGetArrayPointer(y);
    me.q_ = Eigen::Map<const VectorX>(in, me.dofs_);
    me.u_ = Eigen::Map<const VectorX>(in + me.dofs_, me.dofs_);
    me.phase_->acceleration(t, me.q_, me.u_);
    for (std::size_t i = 0; i < me.phase_->contacts(); ++i)
      g[i] = me.phase_->sticks(i) ? me.phase_->law(i).law().reservoir().gauge(me.phase_->resistance(i)) /
                                            me.phase_->reservoir_at_rest(i) -
                                        1
                                  : me.phase_->slip(i, me.u_).norm() - me.threshold_;
    return 0;
  }

  Phase* phase_;
  Index dofs_;
  EventOptions options_;
  double threshold_ = 0;
  bool started_ = false;
  long earlier_steps_ = 0;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  void* memory_ = nullptr;
  VectorX q_, u_;
};

}  // namespace

Simulation simulate_events(const MechanicalSystem& system, const State& start, const EventOptions& options) {
  require_positive(options.duration, "duration");
  require_positive(options.row_step, "step");
  for (const SystemContact& contact : system.contacts()) {
    if (contact.law->direction_has_corners() || contact.law->law().direction().as<Stadium>())
      throw InvalidInput(
          "event-driven: the direction set of contact \"" + contact.name +
          "\" has flat sides, along which it would slip and stick at once; use the moreau integrator for it");
    if (contact.unilateral)
      throw InvalidInput("event-driven: contact \"" + contact.name +
                         "\" opens and closes; use the moreau integrator for it");
  }
  const auto began = std::chrono::steady_clock::now();
  const Index n = system.dofs();
  Phase phase(system);
  State state = start;
  double fastest = 0, dissipated = 0, input = 0;
  long events = 0;

  Simulation run;
  run.trajectory.columns = trajectory_columns(system);
  run.report.why = "duration";

  // Contacts that are at rest stick or start to slip, by the accelerations.
  const auto settle = [&](const std::vector<std::size_t>& resting) {
    if (resting.empty()) return;
    const ContactSolution next = phase.accelerations(state.t, state.q, state.u, resting);
    run.report.ambiguous += next.ambiguous();
    for (std::size_t a = 0; a < resting.size(); ++a) phase.set_sticks(resting[a], next.modes[a] == ContactMode::stick);
    phase.look_at(state.t, state.q, state.u);
    for (std::size_t a = 0; a < resting.size(); ++a) {
      if (phase.sticks(resting[a])) continue;
      const Vec2 rate = next.velocity.segment<2>(static_cast<Index>(3 * a + 1));
      phase.push(resting[a], 1e-2 * options.slip_threshold * std::max(fastest, 1e-3) * rate.normalized(), state.u);
    }
  };

  phase.look_at(state.t, state.q, state.u);
  std::vector<std::size_t> resting;
  for (std::size_t i = 0; i < phase.contacts(); ++i) {
    fastest = std::max(fastest, phase.slip(i, state.u).norm());
    if (phase.slip(i, state.u).isZero(0)) resting.push_back(i);
  }
  settle(resting);

  const double initial = 0.5 * state.u.dot(phase.mass() * state.u) + system.potential_energy(state.q);
  const auto energy = [&] {
    EnergyBalance e;
    e.initial = initial;
    e.kinetic = 0.5 * state.u.dot(phase.mass() * state.u);
    e.potential = system.potential_energy(state.q);
    e.dissipated = dissipated;
    e.input = input;
    return e;
  };
  const auto add_row = [&] {
    phase.acceleration(state.t, state.q, state.u);
    std::vector<ContactStep> contacts(phase.contacts());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      contacts[i].mode = phase.sticks(i) ? ContactMode::stick : ContactMode::slip;
      contacts[i].impulse << phase.normal_force(i), -phase.normal_force(i) * phase.resistance(i);
      contacts[i].slip = phase.sticks(i) ? Vec2(0, 0) : phase.slip(i, state.u);
    }
    add_trajectory_row(state, contacts, 1, energy(), run.trajectory);
  };
  add_row();

  Integrator integrator(phase, n, options);
  const auto load = [&] {
    integrator.y() << state.q, state.u, dissipated, input;
    integrator.restart(state.t, options.slip_threshold * std::max(fastest, 1e-3));
  };
  load();
  const double end = start.t + options.duration;
  double next_row = start.t + options.row_step;
  bool stuck = phase.all_stick();
  if (stuck) run.stop_time = state.t;
  while (state.t < end - 1e-14 * std::abs(end) && !(stuck && options.until_stick)) {
    const Vec2 before = n >= 2 ? Vec2(state.q.head<2>()) : Vec2(0, 0);
    const double t_before = state.t;
    const std::vector<std::size_t> with_event = integrator.advance(std::min(next_row, end), state.t);
    state.q = integrator.y().head(n);
    state.u = integrator.y().segment(n, n);
    dissipated = integrator.y()[2 * n];
    input = integrator.y()[2 * n + 1];
    for (std::size_t i = 0; i < phase.contacts(); ++i)
      if (!phase.sticks(i)) fastest = std::max(fastest, phase.slip(i, state.u).norm());

    if (!with_event.empty()) {
      if (++events > options.max_events) {
        run.report.why = "largest number of events";
        break;
      }
      std::vector<std::size_t> at_rest;
      for (const std::size_t i : with_event) {
        if (phase.sticks(i)) {  // the force has reached the boundary: it starts along D's normal there
          phase.acceleration(state.t, state.q, state.u);
          const AngleInterval normals = phase.law(i).law().direction().normal_cone(phase.resistance(i));
          phase.set_sticks(i, false);
          phase.push(i,
                     1e-2 * options.slip_threshold * std::max(fastest, 1e-3) * unit(normals.from + normals.width() / 2),
                     state.u);
        } else {  // extrapolated to rest
          const VectorX a = phase.acceleration(state.t, state.q, state.u);
          const Vec2 v = phase.slip(i, state.u), rate = phase.slip_rate(i, state.u, a);
          const double rest = -v.squaredNorm() / v.dot(rate);
          if (rest > 0 && rest < 1) {
            state.q += rest * state.u + (rest * rest / 2) * a;
            state.u += rest * a;
            state.t += rest;
          }
          at_rest.push_back(i);
          phase.set_sticks(i, true);
        }
      }
      phase.look_at(state.t, state.q, state.u);
      phase.project(state.u);
      if (!at_rest.empty()) settle(at_rest);
      load();
    }
    if (n >= 2) run.path_length += (state.q.head<2>() - before).norm();
    const bool now = phase.all_stick();
    if (now && stuck) run.stick_time += state.t - t_before;
    if (now && !stuck) run.stop_time = state.t;
    if (!now) run.stop_time.reset();
    stuck = now;
    if (state.t >= next_row - 1e-12 || stuck) {
      add_row();
      while (next_row <= state.t + 1e-12) next_row += options.row_step;
    }
  }
  if (stuck && options.until_stick) run.report.why = "every contact sticks";
  run.end = state;
  run.energy = energy();
  run.report.steps = integrator.steps();
  run.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

}  // namespace slipset
