// The right-hand side of a mechanical system whose contacts have an internal state, of two numbers or another number.
//                                                            docs/theory/stability.md, docs/theory/elastic.md
//   y = (q, u, states, dissipated energy, input energy),   M u̇ = h + Σ W_i λ_i,   λ_i a function of the states and γ_i
// What contacts store counts as potential energy; `dissipated` is heat alone.
#pragma once

#include "slipset/motion/integrators/internal/planar_rate.hpp"

namespace slipset::internal {

class StateRate : public PlanarRate {
 public:
  void operator()(double t, const double* y, double* dy) override;

  VectorX first_states() const override { return first_states_; }
  std::size_t contacts() const override { return count_; }
  const SystemAt& at() const override { return at_; }
  Vec2 friction_force(std::size_t i) const override { return force_.segment<2>(at2(i)); }
  long evaluations() const override { return evaluations_; }

  // A bound of the fastest rate with which the contacts' states and slip change, at the start [1/s]: RK4 needs a step
  // below 2.785 over it.
  void warn_of_step(double step, std::vector<std::string>& warnings) const override;
  std::string_view state_name() const override { return fastest_; }

 protected:
  // Throws InvalidInput for unilateral contacts, whose normal force is not known beforehand. `what` opens
  // messages, `fastest` names what changes fastest; the states of contact i are the numbers from i·states on.
  StateRate(const System& system, const State& start, const char* what, const char* fastest, std::size_t states = 2);

  // Of forces and velocities, two numbers per contact whatever the states.
  static Eigen::Index at2(std::size_t contact) { return static_cast<Eigen::Index>(2 * contact); }
  const FrictionLaw& law(std::size_t i) const { return system_->contacts()[i].law->law(); }
  double normal_force(std::size_t i) const { return at_.contacts[i].normal_force; }
  Vec2 velocity(std::size_t i) const { return velocity_.segment<2>(at2(i)); }  // γ, elastic part and slip
  // Ṅ along the motion, by central differences.
  double normal_force_rate(std::size_t i) const;
  // max_i Σ_j ‖G_ij‖ weight_j at the start, G = WᵀM⁻¹W.
  double weighted_compliance(const VectorX& weight) const;

  // force_ of every contact from its state, at the place looked at.
  virtual void find_forces(const double* states) = 0;
  // ds of every contact; returns the heat [W]. May add to `work`, what is put in [W].
  virtual double find_rates(const double* states, double* ds, double& work) = 0;
  // Whether find_rates needs normal_force_rate.
  virtual bool needs_normal_force_rate() const = 0;

  // At the place of the last evaluation, for normal_force_rate.
  void look_around(double t);

  std::size_t count_;
  VectorX first_states_, force_;
  double fastest_rate_ = 0;

 private:
  const char* fastest_;
  void look_at(double t);

  SystemAt at_, ahead_, behind_;
  VectorX q_, u_, shifted_q_, shifted_u_, acceleration_, velocity_;
  MatrixX delassus_;  // at the start
  long evaluations_ = 0;
};

}  // namespace slipset::internal
