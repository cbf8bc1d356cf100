// One phase after another through CVODE (BDF), with root finding for the phase's end.   docs/theory/dynamics.md
// The state is y = (q, u - rest, dissipated energy, input energy), with the phase's velocities of rest.
#pragma once

#include <functional>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/integrators/internal/phase_scales.hpp"

namespace slipset::internal {

// What can end a phase at one contact. Each mode watches only its own functions.
enum class PhaseEvent {
  closes,        // open: the gap falls to zero
  opens,         // closed and unilateral: λ_N falls to zero
  yields,        // stick: the resistance reaches the boundary of C
  stops,         // slip or side: the slip velocity along the resistance falls to the threshold; of lines, to zero
  sector_start,  // slip: the direction turns back to the side where its sector begins
  sector_end,    // slip: the direction turns to the side where its sector ends
  side_start,    // side: the resistance reaches the side's first end
  side_end,      // side: the resistance reaches the side's other end
  side_lost,     // side: the slip direction would run away
};

struct ContactEvent {
  std::size_t contact;
  PhaseEvent event;
};

class PhaseIntegrator {
 public:
  PhaseIntegrator(Phase& phase, Eigen::Index dofs, const EventDriven& options);
  ~PhaseIntegrator();
  PhaseIntegrator(const PhaseIntegrator&) = delete;
  PhaseIntegrator& operator=(const PhaseIntegrator&) = delete;

  // Called with the time now and then; false: advance() throws CannotGoOn, stopped.
  void set_watch(std::function<bool(double)> watch);
  // Begins a phase with the modes as they are now in `phase`, and its velocities of rest.
  void restart(const State& state, double dissipated, double input, const PhaseScales& scales);
  // To `until` or to an event, whichever comes first; what happened. Where CVODE cannot go on, its tolerance is
  // loosened by ten from there on; throws CannotGoOn if 1e-6 does not help either.
  std::vector<ContactEvent> advance(double until, State& state, double& dissipated, double& input);
  long steps() const;
  double loosest_tolerance() const;           // that was needed
  std::optional<double> loosened_at() const;  // when first [s]

 private:
  struct Cvode;
  std::unique_ptr<Cvode> cvode_;
};

}  // namespace slipset::internal
