// The stick-slip cycle of a mass on a belt, without time steps.
// While it sticks the mass moves with the belt and friction balances the springs, λ = K q, so that stick from q ends at
// the τ with k_C(-K(q + χτ)/λ_N) = 1; the slip from there to the next stick is the event-driven integrator's. A line
// along the belt holds all starts with the same slip, so one number decides the next cycle: the offset w across the
// belt. A periodic motion is a fixed point of w ↦ w', found by Newton's method. Its slope is that of the variation δq
// of the motion, from the jump at the end of stick (δq along the boundary of C) through the slip to the next stick,
// which forgets all of δq but the part across the belt (saltation):
//   m δq̈ = -K δq - λ_N ∂s/∂γ δq̇,   δq(0) = e_w - χ (∇k·e_w)/(∇k·χ),   dw'/dw = e_w·δq                          (B.9)
#pragma once

#include <functional>
#include <optional>

#include "slipset/motion/time_stepping.hpp"

namespace slipset {

struct BeltCycle {
  double stick_time = 0, slip_time = 0;                  // [s]
  Vec2 slip_start = Vec2::Zero();                        // where stick ends, and ...
  Vec2 stick_start = Vec2::Zero();                       // where it begins [m]
  Vec2 smallest = Vec2::Zero(), largest = Vec2::Zero();  // of the position over the cycle [m]
  double offset = 0;                                     // w at the start and at the end of ...
  double next_offset = 0;                                // ... this cycle [m]
  Run slip;                                              // the slip phase

  double period() const { return stick_time + slip_time; }
};

struct BeltMotion {
  const System* system;  // MassOnBelt, without dampers
  Vec2 belt_velocity;
  double mass;
  Mat2 stiffness;
  double normal_force;
  std::function<bool()> go_on{};  // asked now and then; false: what is being computed throws InvalidInput

  double time_scale()
      const;  // of its fastest vibration, 1/ω; without springs, of friction against the belt's speed [s]
};
// Throws InvalidInput unless the system is a mass m·I on springs, without dampers, with one contact, W_T = I, that is
// rigid, always closed and on a surface that moves, and whose reservoir is the same at rest and in slip.
BeltMotion belt_motion_of(const System& system);
// k_C(-K q/λ_N): below 1 where the reservoir holds the mass.
double stick_gauge(const BeltMotion& motion, const Vec2& q);

// Where on the line along the belt through `q` the reservoir holds the mass best.
Vec2 best_held(const BeltMotion& motion, const Vec2& q);

// One cycle that begins sticking at `q`, which the reservoir must hold. Throws InvalidInput where the slip does not
// end.
BeltCycle belt_cycle_from(const BeltMotion& motion, const Vec2& q);

// The same without rows, with the slope of the return map.
struct BeltReturn {
  double stick_time = 0, slip_time = 0;
  Vec2 slip_start = Vec2::Zero(), stick_start = Vec2::Zero();
  double offset = 0, next_offset = 0;
  double slope = 0;  // dw'/dw; by differences where the slip passes zero on its way, and its direction jumps
};
// `longest`: slip that lasts longer does not count as one that ends [s]; 0: 100 time scales.
BeltReturn belt_return(const BeltMotion& motion, const Vec2& q, double longest = 0);

struct PeriodicCycle {
  BeltCycle cycle;
  double multiplier = 0;  // dw'/dw: stable below 1 in size
  int cycles = 0;         // that were computed
};
// The periodic one near the cycle from the line along the belt through `q`; empty if Newton's method does not settle.
std::optional<PeriodicCycle> periodic_belt_cycle(const BeltMotion& motion, const Vec2& q);

// The same cycle by Moreau's scheme, as means over several cycles.
struct MoreauCycle {
  double step = 0;
  double period = 0, stick_time = 0;  // [s]
  long ambiguous = 0;                 // steps with several solutions
  Table last;                         // one more cycle, every step
};
// Runs from `start`, leaves out the first 30 cycles, and measures the next `cycles`, each from one passage of `section`
// (a place where the mass sticks) to the next. One cycle is known to a part of a step, the mean of many better. Throws
// InvalidInput if the mass does not go on sticking there.
MoreauCycle moreau_cycle(const BeltMotion& motion, const State& start, double step, const Vec2& section, int cycles);

}  // namespace slipset
