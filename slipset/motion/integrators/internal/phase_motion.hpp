// Event-driven integration of a system with rigid contacts: the reference for the time-stepping.
//                                                                                            docs/theory/dynamics.md
// Between events every contact keeps its mode (contact_phase.hpp: open, stick, slip, slip along a flat side of D), and
// SUNDIALS (CVODE, BDF) integrates and finds the phase's end. Each mode watches only its own functions:
//   slip ends when |γ_T| has fallen to a threshold, from which it is extrapolated to zero, or when its direction
//   reaches the normal of a flat side of D; stick ends when the gauge of the force reaches the reservoir's boundary.
// What follows an event is the contact problem of the accelerations (C.1 with forces and accelerations); a contact that
// closes makes an impact (C.1 with Newton's restitution).
// Where the motion is not unique (a law that can destabilise, at a slip velocity of zero) the acceleration next to rest
// is taken, and the report counts it; of contacts along a line, each stick during which slip solves, too.
#pragma once

#include "slipset/motion/integrators/internal/event_motion.hpp"
#include "slipset/motion/integrators/internal/phase_integrator.hpp"

namespace slipset::internal {

class PhaseMotion final : public EventMotion {
 public:
  PhaseMotion(const System& system, const State& start, const EventDriven& options, const RunOptions& with, Run& run)
      : system_(system),
        options_(options),
        state_(start),
        phase_(system),
        integrator_(phase_, system.dofs(), options),
        told_(phase_.size(), false),
        run_(run) {
    set_time_scale(with.duration);
    scales_.speed = options.speed_scale;
    if (with.progress)
      integrator_.set_watch([&with, begin = start.t](double t) { return with.progress(t - begin, with.duration); });
  }

  std::vector<std::string> columns() const override { return run_columns(system_); }
  long default_max_events() const override { return 100000; }
  bool rows_inside_pieces() const override { return false; }
  bool begin() override;
  const State& state() const override { return state_; }
  bool all_stick() const override { return at_rest(); }
  Piece next_piece(double until) override;
  void add_row(double t, Run& run) override;
  double dissipated(double) override { return dissipated_; }
  void finish_piece() override {}
  bool change_modes() override;
  EnergyBalance energy() override;
  bool integrates_input() const override { return system_.has_constant_mass(); }
  void complete(RunReport& report) const override;

 private:
  using Contacts = std::vector<std::size_t>;

  void set_time_scale(double longest);
  void begin_phase();
  void count_other_slips();
  void classify();
  void handle(const std::vector<ContactEvent>& events);
  void stop_slip(std::size_t i);
  void yield(std::size_t i);
  void collide(const Contacts& closing);
  void settle(Contacts resting);
  void make_consistent();
  [[noreturn]] void throw_unsettled() const;
  void leap(const VectorX& acceleration, double dt);
  double kinetic() const;
  EnergyBalance energy_now() const;
  bool at_rest() const;
  double threshold() const { return options_.slip_threshold * scales_.speed; }
  double closing_speed(std::size_t i) const;

  const System& system_;
  const EventDriven options_;
  State state_;
  Phase phase_;
  PhaseIntegrator integrator_;
  PhaseScales scales_;
  double slowest_ = 0;  // time scale of what does not turn [s]
  double dissipated_ = 0, by_impacts_ = 0, input_ = 0, initial_ = 0;
  int settling_ = 0;  // how often at this event
  std::vector<ContactEvent> happened_;
  std::vector<bool> told_;  // of contacts that stick: that slip solves, too
  Run& run_;
};

}  // namespace slipset::internal
