// Time-stepping of many bodies, Moreau's way.                          docs/theory/bodies.md
//   M(u_E − u_A) = (M g − gyroscopic) Δt + W p,   γ_NE + max(gap_A, 0)/Δt ≥ 0 ⊥ p_N ≥ 0,   the laws on γ_TE (G.6)
// Contacts are those of the positions at the beginning; no body passes its gap in a step. Positions move with the mean
// (u_A + u_E)/2, of second order, but for bodies that would then overlap: those move with u_E.                   (G.7)
// Overlap that is left from curved motion is taken out of the positions alone, never through velocities.         (G.11)
#pragma once

#include "slipset/bodies/body_problem.hpp"
#include "slipset/contact/contact_solver.hpp"

namespace slipset {

struct BodyStepOptions {
  BodyStepOptions() {
    contact.method = ContactMethod::automatic;
    contact.tolerance = 1e-8;
    contact.max_iterations = 10000;  // a step that takes more goes on with the best so far, and is counted
  }
  ContactOptions contact;
  double margin = 0;  // contacts with smaller gaps count [m]; 0: a hundredth of the smallest radius or half side
};

// Sums over the steps [J].
struct BodyEnergy {
  double kinetic = 0, potential = 0;  // of the free bodies, now
  double initial = 0;                 // kinetic + potential at the start
  double dissipated = 0;              // by friction and impacts
  double by_torques = 0;              // of it, by drilling and rolling
  double input = 0;                   // by prescribed bodies
  double corrected = 0;               // potential energy by taking overlap out
  double residual() const { return kinetic + potential - initial + dissipated - input - corrected; }
};

class BodyStepper {
 public:
  // Throws InvalidInput for a negative margin.
  explicit BodyStepper(BodyWorld world, const BodyStepOptions& options = {});

  void step(double dt);
  // For the steps that follow.
  void set_contact_options(const ContactOptions& options) { options_.contact = options; }

  const BodyWorld& world() const { return world_; }
  // Of the last step, in one order: impulses [N s] along the rows of each contact's frame; velocities without the gap's
  // part.
  const std::vector<BodyContact>& contacts() const { return contacts_; }
  const ContactSolution& solution() const { return solution_; }
  // Of drilling and rolling, along the rows of each contact's frame: τ [N m s]; empty where no law has any.
  const std::vector<Vec3>& torques() const { return torques_; }
  std::size_t turning() const { return turning_; }  // contacts that drill or roll
  // All rows, W in blocks; it keeps the laws alive.
  ContactProblem problem() const { return problem_.standing_alone(world_); }
  const BodyEnergy& energy() const { return energy_; }
  double deepest_overlap() const { return deepest_; }  // that was found, in all steps [m]
  long corrections() const { return corrections_; }    // steps that took overlap out
  double margin() const { return margin_; }
  double solver_seconds() const { return solver_seconds_; }

 private:
  struct Remembered {  // contact of the step before
    std::uint64_t pair;
    Vec3 point;    // in the axes of the surface's body, from its centre
    Vec3 impulse;  // in the world, over the step's length
    Vec3 torque = Vec3::Zero();
  };

  void warm_start(double dt);
  void solve_contacts();
  void settle_modes();
  void find_contact_velocities(double dt);
  void apply();
  void balance();
  void move(double dt);
  void choose_velocities(double dt);
  void take_overlap_out(double dt);
  void remember(double dt);

  BodyWorld world_;
  BodyStepOptions options_;
  double margin_;
  ContactFinder finder_;
  bool rolling_;  // a law has drilling or rolling
  std::vector<BodyMotion> motions_;
  std::vector<BodyContact> contacts_;
  BodyProblem problem_;
  ContactSolver solver_;
  ContactSolution solution_, overlap_solution_;
  ContactSolution rows_;  // of all rows, where contacts differ in them
  std::vector<Vec3> torques_;
  std::size_t turning_ = 0;
  ContactProblem overlap_;                     // of displacements
  std::vector<Vec3> velocity_end_, spin_end_;  // along the world's axes at the beginning of the step
  std::vector<Vec3> spin_end_body_;
  std::vector<char> with_end_;  // bodies that move with u_E
  std::vector<Remembered> remembered_;
  BodyEnergy energy_;
  double deepest_ = 0, solver_seconds_ = 0;
  long corrections_ = 0;
};

}  // namespace slipset
