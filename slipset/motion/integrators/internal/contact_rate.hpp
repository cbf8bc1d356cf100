// What a run by an ordinary integrator asks of a right-hand side with contacts.          docs/theory/regularized.md
//   y = (q, u, states of the contacts if their friction has any, dissipated energy, input energy)
#pragma once

#include <limits>

#include "slipset/motion/integrators/internal/ode_solver.hpp"
#include "slipset/motion/run.hpp"

namespace slipset::internal {

class ContactRate : public OdeRate, public OdeEvents {
 public:
  // The internal states in y at the start.
  virtual VectorX first_states() const { return {}; }
  virtual long evaluations() const = 0;
  virtual long not_converged() const { return 0; }  // evaluations whose friction forces did not settle
  // The longest step that a solver with error control may take [s].
  virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
  virtual void warn_of_step(double /*step*/, std::vector<std::string>& /*warnings*/) const {}  // of RK4

  // How fast the contacts' states settle, at the state looked at [1/s]: RK4 needs a step below 2.785 over it.
  virtual double state_rate() const { return 0; }
  virtual std::string_view state_name() const { return ""; }

  // Contacts whose equations switch have modes; the functions that are watched belong to them.
  int watched() const override { return 0; }
  void watch(double /*t*/, const double* /*y*/, double* /*g*/) override {}
  // Takes the modes that follow where the functions flagged in `risen` have come to zero, and puts y onto what the
  // modes prescribe.
  virtual void take_modes(double /*t*/, double* /*y*/, const std::vector<char>& /*risen*/) {}
  // Why the last evaluation gave no rate; empty if it did.
  virtual std::string problem() const { return {}; }

  // Rows of a run. look() puts forces, slip and energies at the state; all but all_stick() are for the state looked at.
  virtual std::vector<std::string> columns() const = 0;
  virtual void look(double t, const VectorX& y) = 0;
  virtual bool looks_every_step() const = 0;  // all_stick() needs it
  virtual bool all_stick(const VectorX& y) const = 0;
  virtual void add_contacts(const VectorX& y, std::vector<double>& row) const = 0;
  virtual void add_states(const VectorX& /*y*/, std::vector<double>& /*row*/) const {}
  virtual double kinetic_energy(const State& state) const = 0;
  virtual double potential_energy(const State& state) const = 0;
  virtual double driven_energy(const State& /*state*/) const { return 0; }
};

}  // namespace slipset::internal
