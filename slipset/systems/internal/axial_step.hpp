// A step of a system along axes: M diagonal, one direction per contact. docs/theory/regularized.md
//   q_M = q_B + u_B Δt/2;  M(u_E - u_B) = Δt (F - Dq̇ - Kq)_M + W P;  γ_E = Wᵀu_E - χ_E               [WL19 19, 20]
//   stick: |P| ≤ ΔtL;  slip: P = -ΔtL sgn γ_E
// Cost and memory are linear in the size of the system.
#pragma once

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/line_contact_law.hpp"
#include "slipset/systems/axial_system.hpp"
#include "slipset/systems/system_step.hpp"

namespace slipset::internal {

class AxialStep final : public SystemStep {
 public:
  // Throws InvalidInput for static limits above the kinetic ones.
  explicit AxialStep(const AxialSystem& system);

  std::unique_ptr<SystemStep> clone() const override { return std::make_unique<AxialStep>(*this); }
  void start(const State& state, EnergyBalance& energy) override;
  bool begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) override;
  void finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) override;
  bool all_stick() override;
  double stick_fraction() const override;
  std::vector<std::string> columns() const override;
  void add_row(const State& state, double dt, const EnergyBalance& energy, std::vector<double>& row) const override;
  void add_memory(std::vector<double>& memory) const override;
  const double* restore(const State& state, const double* from, const double* end) override;

 private:
  void build_blocks();

  const AxialSystem* system_;
  LineContactLaw law_;
  BlockDelassus blocks_;
  std::vector<Eigen::Index> slides_;  // contacts with a limit above zero: those of the problem
  VectorX force_, middle_, u_free_, mean_, spare_;
  VectorX free_, slip_, first_, surface_, impulse_;  // one number per contact; first_: γ at the beginning (D.5)
  double dt_ = 0;                                    // of the last step
};

// t, coordinates, velocities, per contact friction_1, slip_1, mode; energies.
std::vector<std::string> axial_columns(const AxialSystem& system);

}  // namespace slipset::internal
