// What a run by an ordinary integrator asks of a right-hand side with contacts.          docs/theory/regularized.md
//   y = (q, u, two numbers a contact if its friction has a state, dissipated energy, input energy)
#pragma once

#include "slipset/dynamics/mechanical_system.hpp"
#include "slipset/dynamics/ode_solver.hpp"

namespace slipset {

// The largest singular value.
inline double spectral_norm(const Mat2& a) {
  const Mat2 square = a.transpose() * a;
  return std::sqrt(square.trace() / 2 + std::hypot((square(0, 0) - square(1, 1)) / 2, square(0, 1)));
}

class ContactRate : public OdeRate, public OdeEvents {
 public:
  // The internal states in y at the start.
  virtual VectorX first_states() const { return {}; }
  virtual std::size_t contacts() const = 0;

  // Of the last evaluation.
  virtual const SystemAt& at() const = 0;
  virtual Vec2 slip(std::size_t i) const = 0;
  virtual Vec2 friction_force(std::size_t i) const = 0;
  virtual bool sticks(std::size_t i) const = 0;
  virtual double stored_energy() const { return 0; }  // in the contacts [J]

  virtual long evaluations() const = 0;
  virtual long not_converged() const { return 0; }  // evaluations whose friction forces did not settle

  // Contacts whose equations switch have modes; the functions that are watched belong to them.
  int watched() const override { return 0; }
  void watch(double /*t*/, const double* /*y*/, double* /*g*/) override {}
  // Takes the modes that follow where the functions flagged in `risen` have come to zero, and puts y onto what the
  // modes prescribe.
  virtual void take_modes(double /*t*/, double* /*y*/, const std::vector<char>& /*risen*/) {}
  // Why the last evaluation gave no rate; empty if it did.
  virtual std::string problem() const { return {}; }
};

}  // namespace slipset
