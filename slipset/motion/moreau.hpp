// Moreau's time-stepping, of every system.                             docs/theory/dynamics.md, docs/dataflow.md
//   q_M = q_A + ½Δt u_A,  M(u_E - u_A) = h(t_M, q_M, u_A) Δt + W p,  q_E = q_M + ½Δt u_E              [WL19 19, 20]
// A step: the free motion and the contacts at hand (SystemStep::begin), the contact problem (ContactSolver), the state
// and the energies that follow (SystemStep::finish).
#pragma once

#include "slipset/motion/run.hpp"
#include "slipset/systems/system_step.hpp"

namespace slipset {

// What is asked of the contact solver; what is left out is as the system suggests (System::contact_options).
struct ContactChoice {
  std::optional<ContactMethod> method = {};
  std::optional<ContactMeasure> measure = {};
  std::optional<double> tolerance = {};
  std::optional<int> max_iterations = {};
  std::optional<double> step = {};
  std::optional<int> settled_contacts = {};
  std::optional<int> threads = {};
};
ContactOptions with(const ContactChoice& choice, ContactOptions suggested);

// Moreau's time-stepping as an integrator.
struct Moreau {
  double step = 1e-3;          // Δt [s]; the last step of a run ends with its duration
  ContactChoice contact = {};  // of the contact solver
  // Gaps up to this length count as closed [m]. Empty: a hundredth of the way that the forces alone move a contact in
  // this step, so that rounding does not decide which contacts carry.                                        (D.6)
  std::optional<double> closing_distance = {};
};

class MoreauStepper {
 public:
  // `system` must outlive it. Throws InvalidInput where `start` is not one of the system.
  MoreauStepper(const System& system, const State& start, const ContactChoice& contact = {},
                std::optional<double> closing_distance = {});
  MoreauStepper(const MoreauStepper& other);
  MoreauStepper& operator=(const MoreauStepper& other);
  MoreauStepper(MoreauStepper&&) noexcept = default;
  MoreauStepper& operator=(MoreauStepper&&) noexcept = default;
  ~MoreauStepper() = default;

  // One step of length dt. Throws InvalidInput unless that is positive. Allocates nothing once every contact has been
  // closed. Where no velocities keep all contacts apart (solution().contradiction) it is not made.
  void step(double dt);

  const System& system() const { return *system_; }
  const State& state() const { return state_; }
  const EnergyBalance& energy() const { return energy_; }
  const ContactOptions& options() const { return options_; }
  void set_options(const ContactOptions& options) { options_ = options; }  // for the steps that follow
  // Of the contacts that have a name.
  const std::vector<ContactStep>& contacts() const { return form_->contacts(); }
  // What is particular to the kind of system.
  const SystemStep& form() const { return *form_; }
  SystemStep& form() { return *form_; }
  // Of the last step, in the order of its problem; no iterations if nothing touched.
  const ContactProblem& problem() const { return problem_; }
  const ContactSolution& solution() const { return solution_; }
  const ContactReport& report() const { return solution_.report; }
  double solver_seconds() const { return solver_seconds_; }  // where contacts are found anew in every step; else 0

  // All that decides what the next steps will be, as numbers: for checkpoints.
  std::vector<double> memory() const;
  // Throws InvalidInput if they are not of this system.
  void restore(const std::vector<double>& memory);

 private:
  void leave_range();  // what is not a number goes on to the state, where runs see it

  const System* system_;
  ContactOptions options_;
  State state_;
  std::unique_ptr<SystemStep> form_;
  bool timed_ = false;
  ContactProblem problem_;
  ContactSolver solver_;
  ContactSolution solution_;
  EnergyBalance energy_;
  double since_ = 0, length_ = 0, taken_ = 0;  // so many steps of one length, since then
  double solver_seconds_ = 0;
};

}  // namespace slipset
