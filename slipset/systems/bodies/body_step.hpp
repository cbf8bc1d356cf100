// A step of rigid bodies.                                              docs/theory/bodies.md
//   M(u_E − u_A) = (M g + loads − gyroscopic) Δt + W p,   γ_NE + max(gap_A, 0)/Δt ≥ 0 ⊥ p_N ≥ 0,   laws on γ_TE  (G.6)
// Contacts are those of the positions at the beginning; no body passes its gap in a step. A contact with restitution
// that would close in the step, faster than gravity makes in two, has γ_NE + e γ_NA ≥ 0 instead. Positions move with
// the mean (u_A + u_E)/2, of second order, but for bodies that would then overlap: those move with u_E. (G.7) Overlap
// that is left from curved motion is taken out of the positions alone, never through velocities.         (G.11)
#pragma once

#include <optional>

#include "slipset/systems/bodies/body_problem.hpp"
#include "slipset/systems/system_step.hpp"

namespace slipset {

class BodyStep final : public SystemStep {
 public:
  explicit BodyStep(const BodyWorld& world);

  std::unique_ptr<SystemStep> clone() const override { return std::make_unique<BodyStep>(*this); }
  void set_closing_distance(double distance) override;
  double closing_distance() const override { return closing_.value_or(largest_closing_); }
  void start(const State& state, EnergyBalance& energy) override;
  bool begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) override;
  void finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) override;
  void give_up(State& state, double dt) override;
  std::string contact_name(std::size_t contact) const override;
  bool all_stick() override { return false; }
  bool tells_stick() const override { return false; }
  double stick_fraction() const override { return 0; }
  std::vector<std::string> columns() const override;
  void add_row(const State& state, double dt, const EnergyBalance& energy, std::vector<double>& row) const override;
  void add_memory(std::vector<double>& memory) const override;
  const double* restore(const State& state, const double* from, const double* end) override;
  ContactCounts counts() const override { return counts_; }

  const BodyWorld& world() const { return world_; }  // as it stands
  // Of the last step, in one order: along the rows of each contact's frame.
  const std::vector<BodyContact>& found() const { return contacts_; }
  const std::vector<Vec3>& impulses() const { return impulses_; }      // [N s]
  const std::vector<Vec3>& torques() const { return torques_; }        // of drilling and rolling [N m s]
  const std::vector<Vec3>& velocities() const { return velocities_; }  // at the end [m/s]
  const std::vector<ContactMode>& modes() const { return modes_; }
  std::size_t turning() const { return turning_; }  // contacts that drill or roll
  double margin() const { return counts_.margin; }

 private:
  struct Remembered {  // contact of the step before
    std::uint64_t pair;
    Vec3 point;    // in the axes of the surface's body, from its centre
    Vec3 impulse;  // in the world, over the step's length
    Vec3 torque = Vec3::Zero();
    double held = 0;  // Held, as bits
  };
  // What of a contact holds at the end of a step; a body that lands needs two steps to close its gap and come to rest.
  enum Held : std::uint8_t { kNoSlip = 1, kNoTurn = 2, kClosed = 4, kClosedTwice = 8 };
  static constexpr double kOverlap = 0.1;  // of the margin: overlap that is let be

  double suitable_closing(double dt) const;
  void warm_start(double dt, ContactSolution& solution);
  void settle_modes(const ContactSolution& solution);
  void apply(const ContactSolution& solution);
  void balance(const ContactSolution& solution, double dt, EnergyBalance& energy);
  void move(double dt);
  void choose_velocities(double dt);
  void take_overlap_out(double dt, EnergyBalance& energy);
  void remember(double dt);
  void count();

  BodyWorld world_;
  ContactFinder finder_;
  bool rolling_;                   // a law has drilling or rolling
  std::optional<double> closing_;  // as asked for [m]
  double largest_closing_ = 0;     // [m]
  std::vector<BodyMotion> motions_;
  std::vector<BodyContact> contacts_;
  BodyProblem problem_;
  ContactOptions options_;  // those of the last step
  ContactSolver overlap_solver_;
  ContactSolution overlap_solution_;
  ContactProblem overlap_;  // of displacements
  std::vector<Vec3> impulses_, torques_, velocities_;
  std::vector<ContactMode> modes_;
  std::vector<std::uint8_t> held_, held_before_;  // Held of each contact, and of the same in the step before
  std::size_t turning_ = 0;
  std::vector<Vec3> velocity_end_, spin_end_;  // along the world's axes at the beginning of the step
  std::vector<Vec3> spin_end_body_;
  std::vector<char> with_end_;  // bodies that move with u_E
  std::vector<Remembered> remembered_;
  Eigen::VectorXd joint_impulse_;  // of the step before, over its length
  ContactCounts counts_;
};

// The step of a stepper whose system is a world.
const BodyStep& body_step_of(const SystemStep& form);

}  // namespace slipset
