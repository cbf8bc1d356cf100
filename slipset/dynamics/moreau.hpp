// Moreau's midpoint time-stepping.                                    docs/theory/dynamics.md
//   q_M = q_B + u_B Δt/2;  contacts closed at q_M;  M_M (u_E - u_B) = h_M Δt + W_N P_N + W_T P_T;  q_E = q_M + u_E Δt/2
//   [WL19 19, 20]
// with the contact's laws on γ_E (Newton's restitution: γ_NE + e γ_NB). Rate-dependent reservoirs are taken at |γ_B|.
// Elastic contacts (FrictionLaw::elastic) add B⁻¹/Δt² to their own block and the stretch over Δt to the free velocity;
// the slip is then the plastic part of γ_E. Any stiffness is stable with any step. docs/theory/elastic.md       (E.7)
#pragma once

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/dynamics/mechanical_system.hpp"

namespace slipset {

// What became of one contact in one step.
struct ContactStep {
  ContactMode mode = ContactMode::open;
  int solutions = 0;
  Vec3 impulse = Vec3::Zero();  // [N s], along the surface's axes
  Vec2 slip = Vec2::Zero();     // γ_T at the end [m/s]
  double gap_rate = 0;          // γ_N at the end [m/s], unilateral only
  double free_gap_rate = 0;     // the same without contact forces
};

// Energy of a run, summed over its steps [J]. The discrete balance of the contact impulses is exact; what is left as
// residual is the difference between the work of the potential forces at the midpoint and the change of the potential
// (D.1), and, where M changes, that between M at the midpoint and at the ends of a step (D.2).
struct EnergyBalance {
  double kinetic = 0, potential = 0;  // now; what elastic contacts have stored counts as potential
  double initial = 0;                 // kinetic + potential at the start
  double dissipated = 0;              // by friction and impacts
  double input = 0;                   // by moving surfaces, drives and forces without potential
  double residual() const { return kinetic + potential - initial + dissipated - input; }
};

class MoreauStepper {
 public:
  MoreauStepper(const MechanicalSystem& system, const State& start, const ContactOptions& options = {});

  // One step of length dt. Allocates nothing once every contact has been closed.
  void step(double dt);

  const State& state() const { return state_; }
  const std::vector<ContactStep>& contacts() const { return contacts_; }
  // T of each elastic contact, zero for the others [N].
  const std::vector<Vec2>& elastic_forces() const { return elastic_force_; }
  const EnergyBalance& energy() const { return energy_; }
  const ContactReport& report() const {
    return solution_.report;
  }  // of the last step; no iterations if nothing touched

  // All that decides what the next steps will be, as numbers: for checkpoints.
  std::vector<double> memory() const;
  void restore(const std::vector<double>& memory);

 private:
  void find_closed(double dt);
  bool take_directions();
  void build_problem(double dt);
  void apply(double dt);
  void factorise();
  void follow_mass();
  double stored_energy() const;  // of elastic contacts

  const MechanicalSystem* system_;
  ContactOptions options_;
  State state_;
  SystemAt at_;
  Cholesky mass_;
  bool factorised_ = false;
  MatrixX inverse_mass_;  // of a constant mass
  VectorX u_free_, u_end_, mean_;
  std::vector<std::size_t> closed_;  // contacts in this step's problem
  std::vector<std::size_t> closed_before_;
  std::vector<Eigen::MatrixX3d> w_;   // of each contact: [w_N W_T]
  std::vector<Eigen::MatrixX3d> mw_;  // M⁻¹ [w_N W_T]
  std::vector<Vec3> warm_;            // last impulses over dt, first guess
  std::vector<Vec2> elastic_force_;   // T of elastic contacts [N], along the surface's axes
  bool has_elastic_ = false;
  BlockDelassus delassus_;
  ContactProblem problem_;
  ContactSolver solver_;
  ContactSolution solution_;
  std::vector<ContactStep> contacts_;
  EnergyBalance energy_;
  MatrixX mass_now_;   // M at the state; only if it is not constant
  double driven_ = 0;  // driven energy at the state
};

}  // namespace slipset
