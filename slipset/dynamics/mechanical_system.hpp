// A mechanical system with contacts.                                  docs/theory/dynamics.md
//   M(q) du = h(t, q, u) dt + Σ ( w_N dP_N + W_T dP_T ),   q̇ = u                               [WL19 16, 17]
//   γ_N = w_Nᵀu,   γ_T = W_Tᵀu - χ                                                             [WL19 73]
// W_T has one column along each axis of the contact's surface, so that its law needs no turning: a surface that turns
// with a body has its axes in W_T.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/dense.hpp"

namespace slipset {

// What does not change during a run.
struct SystemContact {
  std::string name;
  std::shared_ptr<const PlanarContactLaw> law;
  bool unilateral = false;  // else always closed, with the normal force given
  double restitution = 0;   // Newton's coefficient, 0 to 1; unilateral only
};

// One contact at (t, q, u).
struct ContactAt {
  double gap = 0;                        // g_N [m]; closed at or below 0; unilateral only
  double normal_force = 0;               // given [N]; bilateral only
  VectorX normal;                        // w_N; unilateral only
  Eigen::MatrixX2d tangents;             // W_T
  Vec2 surface_velocity = Vec2::Zero();  // χ [m/s], along the same axes
};

// The system at (t, q, u). Sized once; evaluate() writes into it.
struct SystemAt {
  MatrixX mass;
  VectorX force;            // h
  VectorX potential_force;  // the part -∂V/∂q of h
  std::vector<ContactAt> contacts;
};

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  virtual Eigen::Index dofs() const = 0;
  virtual const std::vector<SystemContact>& contacts() const = 0;
  // Fills `at`, which is sized for this system, without allocation.
  virtual void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const = 0;
  virtual double potential_energy(const VectorX& q) const = 0;
  // M depends neither on q nor on t: it is factorised once.
  virtual bool has_constant_mass() const { return true; }
  // What the kinetic energy has besides ½uᵀMu, where drives prescribe a motion inside the system [J]. Only asked for if
  // M is not constant.
  virtual double driven_energy(double /*t*/, const VectorX& /*q*/, const VectorX& /*u*/) const { return 0; }
  // Names of the coordinates, for tables: "x", "y", "yaw".
  virtual std::vector<std::string> coordinates() const = 0;

  // For figures: the two coordinates that span the plane of the path, and the body as a line in that plane; empty for a
  // point.
  virtual std::array<Eigen::Index, 2> figure_plane() const { return {0, 1}; }
  virtual std::vector<Vec2> outline(double /*t*/, const VectorX& /*q*/) const { return {}; }
};

SystemAt sized_for(const MechanicalSystem& system);

struct State {
  double t = 0;
  VectorX q;
  VectorX u;
};
// Throws InvalidInput unless q and u have one number a degree of freedom.
void require_fit(const MechanicalSystem& system, const State& state);

}  // namespace slipset
