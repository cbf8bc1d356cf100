// One step of each integrator of line systems, behind one interface.  docs/theory/regularized.md
#pragma once

#include "slipset/dynamics/line_simulate.hpp"

namespace slipset {

class LineStepper {
 public:
  virtual ~LineStepper() = default;
  // From t to `to`; a fixed-step method does it in one step. False: the solver gave up, `problem` says why.
  virtual bool advance(double t, double to) = 0;
  // The energies dissipated and put in if the motion went on from t to `to`, which is not after the next step; the
  // state stays as it is.
  virtual double dissipated_at(double t, double to) = 0;
  // Friction forces and slip at the state, at time t.
  virtual void look(double t) = 0;
  virtual double friction(Eigen::Index i) const = 0;
  virtual double slip(Eigen::Index i) const = 0;
  virtual void add_statistics(LineReport&) const {}

  const VectorX& y() const { return y_; }  // (q, u, dissipated, input)
  const std::string& problem() const { return problem_; }

 protected:
  VectorX y_;
  std::string problem_;
};

std::unique_ptr<LineStepper> make_rk4_stepper(LineRate& rate, const VectorX& y);
std::unique_ptr<LineStepper> make_moreau_stepper(const LineSystem& system, const VectorX& y);
// bdf, adams, erk, dirk.
std::unique_ptr<LineStepper> make_sundials_stepper(LineRate& rate, const VectorX& y, double t,
                                                   const LineOptions& options);

}  // namespace slipset
