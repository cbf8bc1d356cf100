// The derivative of one step of Moreau's time-stepping, forward (D.8) and reverse (D.9).    docs/theory/dynamics.md
#pragma once

#include <optional>

#include "slipset/contact/contact_derivative.hpp"
#include "slipset/motion/moreau.hpp"

namespace slipset::internal {

// Changes of a state, or gradients with respect to it.
struct StateChange {
  VectorX q, u;
};

class StepDerivative {
 public:
  // Of the step that `stepper` has just made from `begin`. `laws`: of the whole system. Throws InvalidInput where it
  // does not exist.
  StepDerivative(const MoreauStepper& stepper, const State& begin, double dt, const std::vector<bool>& slid,
                 const std::vector<const PlanarContactLaw*>& laws, double difference, double border);

  // `law`: changes of the numbers of each law of the system; may be empty.
  void forward(const std::vector<VectorX>& law, StateChange& change) const;
  // From gradients at the end of the step to those at its beginning; adds to those of the laws.
  void reverse(StateChange& gradient, std::vector<VectorX>& law) const;

 private:
  struct Closed {
    std::size_t contact;  // of the system
    Eigen::Index row;     // of its normal in the problem
    double restitution;
    bool unilateral;
    Vec2 factor_slope;  // ∂f/∂γ_B
  };

  template <class Function>
  void along(const VectorX& q, const VectorX& u, const StateChange& direction, double t, const Function& add) const;
  template <class Function>
  StateChange gradient(const VectorX& q, const VectorX& u, double t, const Function& value) const;
  Eigen::VectorXd surfaces(const SystemAt& at) const;
  MatrixX directions(const SystemAt& at) const;
  double moved(double x) const { return difference_ * std::max(1.0, std::abs(x)); }

  const System* system_;
  double t_, dt_, difference_;
  bool steady_;
  VectorX q_mid_, q_end_, u_begin_, u_end_;
  std::vector<Closed> closed_;
  std::vector<std::size_t> law_numbers_;  // of the contact problem's laws, in the system's list
  std::size_t laws_;                      // of the system
  MatrixX w_;                             // a column per row of the problem
  Eigen::VectorXd impulse_;
  Cholesky mass_;
  std::optional<ContactDerivative> contact_;
  mutable SystemAt at_;  // work space
};

}  // namespace slipset::internal
