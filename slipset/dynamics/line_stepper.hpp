// One step of each integrator of line systems, behind one interface.  docs/theory/regularized.md
#pragma once

#include "slipset/dynamics/line_simulate.hpp"

namespace slipset {

class LineStepper {
 public:
  virtual ~LineStepper() = default;
  // From t to `to`; a fixed-step method does it in one step. False: the solver gave up, `problem` says why.
  virtual bool advance(double t, double to) = 0;
  // The energy dissipated up to `to`, which is not after the end of the next step: that of one shorter step from t, or,
  // where steps are free, of the motion, which goes on from there. Empty: the solver gave up.
  virtual std::optional<double> dissipated_at(double t, double to) = 0;
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
std::unique_ptr<LineStepper> make_sundials_stepper(const LineSystem& system, LineRate& rate, const VectorX& y, double t,
                                                   const LineOptions& options);

}  // namespace slipset
