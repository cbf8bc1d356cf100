// A mechanical system with contacts.                                  docs/theory/dynamics.md
//   M(q) du = h(t, q, u) dt + Σ ( w_N dP_N + W_T dP_T ),   q̇ = u                               [WL19 16, 17]
//   γ_N = w_Nᵀu - χ_N,   γ_T = W_Tᵀu - χ_T                                                     [WL19 73]
// W_T has one column along each axis of the contact's surface, so that its law needs no turning: a surface that turns
// with a body has its axes in W_T.
// A system of few degrees of freedom is a class with dofs(), contacts() and evaluate(); the rest has defaults. Those
// with a structure of their own, chains (axial_system.hpp) and rigid bodies (bodies/body_world.hpp), bring the step of
// the time-stepping along: make_step().
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/dense.hpp"
#include "slipset/core/error.hpp"

namespace slipset {

struct ContactOptions;

// What does not change during a run.
struct SystemContact {
  std::string name;
  std::shared_ptr<const PlanarContactLaw> law;            // sliding; null: no friction, or `other_law`
  bool unilateral = false;                                // else always closed, with the normal force given
  double restitution = 0;                                 // Newton's coefficient, 0 to 1; unilateral only
  std::shared_ptr<const ContactLaw> other_law = nullptr;  // of other rows: drilling, rolling, your own
};

// One contact at (t, q, u).
struct ContactAt {
  double gap = 0;             // g_N [m]; closed at or below 0, within a stated length; unilateral only
  double normal_force = 0;    // given [N]; bilateral only
  VectorX normal;             // w_N; unilateral only
  Eigen::MatrixX2d tangents;  // W_T
  MatrixX other_directions;   // of `other_law`, one column per row behind the normal one
  // χ_T [m/s], along the same axes; `other_law`: its rows 1 and 2, as far as it has them.
  Vec2 surface_velocity = Vec2::Zero();
  // χ_N = -∂g_N/∂t [m/s]; unilateral only. Left at NaN: Moreau takes it from the gaps at other times.
  double surface_normal_velocity = std::numeric_limits<double>::quiet_NaN();
};

// The system at (t, q, u). Sized once; evaluate() writes into it.
struct SystemAt {
  MatrixX mass;
  VectorX force;            // h
  VectorX potential_force;  // the part -∂V/∂q of h
  std::vector<ContactAt> contacts;
};

class SystemStep;

struct State {
  double t = 0;
  VectorX q;
  VectorX u;
};

class System {
 public:
  virtual ~System() = default;

  virtual Eigen::Index dofs() const = 0;                     // numbers in u
  virtual Eigen::Index positions() const { return dofs(); }  // numbers in q
  virtual const std::vector<SystemContact>& contacts() const = 0;
  // Fills `at`, which is sized for this system, without allocation.
  virtual void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const = 0;
  // V of the forces in SystemAt::potential_force, weight and springs; all other forces, loads too, count as input.
  virtual double potential_energy(const VectorX& /*q*/) const { return 0; }
  // Whether M depends neither on q nor on t: it is then factorised once.
  virtual bool has_constant_mass() const { return false; }
  // Whether the surfaces' velocities and the gaps depend neither on t nor, the velocities, on q: a belt of constant
  // speed, a floor. Else the contacts' directions and surfaces are looked at once more in a step, where it ends.
  virtual bool has_steady_surfaces() const { return false; }
  // What the kinetic energy has besides ½uᵀMu, where drives prescribe a motion inside the system [J]. Only asked for if
  // M is not constant.
  virtual double driven_energy(double /*t*/, const VectorX& /*q*/, const VectorX& /*u*/) const { return 0; }
  // Period of what drives the system [s]; 0: none.
  virtual double period() const { return 0; }
  // The fastest frequency with which drives, forces and surfaces move [Hz]; 0: none. Fixed steps must resolve it.
  virtual double drive_frequency() const { return period() > 0 ? 1 / period() : 0; }
  // Names of the coordinates, for tables: "x", "y", "yaw"; here q1, q2, ...
  virtual std::vector<std::string> coordinates() const;
  // Where a run begins unless it is told otherwise; here at zero, at rest.
  virtual State start() const;

  // Time-stepping: how a step is made (system_step.hpp), what suits its contacts, and the step up to which the midpoint
  // rule is sure to be stable [s].
  virtual std::unique_ptr<SystemStep> make_step() const;
  virtual ContactOptions contact_options() const;
  virtual bool finds_contacts() const { return false; }  // anew in every step
  virtual double stable_step() const { return std::numeric_limits<double>::infinity(); }

  // For figures: the two coordinates that span the plane of the path, and the body as a line in that plane; empty for a
  // point.
  virtual std::array<Eigen::Index, 2> figure_plane() const { return {0, 1}; }
  virtual std::vector<Vec2> outline(double /*t*/, const VectorX& /*q*/) const { return {}; }
};

// Throws InvalidInput for contacts out of range: restitution, two laws at once, or a law of rows that no contact has.
SystemAt sized_for(const System& system);
// Throws InvalidInput unless q and u have as many numbers as the system, finite ones.
void require_fit(const System& system, const State& state);
// Throws InvalidInput, saying what, unless all that evaluate() wrote is finite and has the sizes of sized_for().
void require_filled(const System& system, const SystemAt& at);

}  // namespace slipset
