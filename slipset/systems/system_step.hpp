// One step of Moreau's time-stepping as one kind of system takes it.   docs/theory/dynamics.md
// The stepper (motion/moreau.hpp) goes through every step in the same order: begin(), the contact problem, finish().
// What a step is made of depends on how masses and directions are kept:
//   internal/dense_step.hpp   M and W full: systems with a few degrees of freedom, any law
//   internal/axial_step.hpp   M diagonal, one direction per contact: chains of any length
//   bodies/body_step.hpp      M by bodies, orientations as quaternions, contacts found anew in each step
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipset/contact/contact_solver.hpp"
#include "slipset/systems/contact_step.hpp"
#include "slipset/systems/energy_balance.hpp"
#include "slipset/systems/system.hpp"

namespace slipset {

// Sums over the steps of contacts that are found anew in each.
struct ContactCounts {
  double contacts = 0, sticking = 0, closed = 0;  // all; those that stick; those that are not open
  std::size_t most = 0;
  std::size_t last = 0, last_sticking = 0, last_slipping = 0;  // in the last step
  double margin = 0, deepest_overlap = 0;                      // [m]
  long corrections = 0;                                        // steps that took overlap out
};

class SystemStep {
 public:
  virtual ~SystemStep() = default;
  virtual std::unique_ptr<SystemStep> clone() const = 0;

  // Gaps up to this length count as closed [m]; without it what the kind of system says. Throws InvalidInput where no
  // contact can open, and for a length that is negative or not finite.
  virtual void set_closing_distance(double distance);
  // The largest in use so far [m]; NaN where no contact can open.
  virtual double closing_distance() const { return std::numeric_limits<double>::quiet_NaN(); }

  // The energies at the start of a run, and what is wrong with it: warnings().
  virtual void start(const State& state, EnergyBalance& energy) = 0;
  // Positions on the way, free velocities and the contacts of the step of length dt that begins at `state`; the first
  // guess goes into `solution`. False if no contact takes part.
  virtual bool begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) = 0;
  // The state at the end, by the impulses found, and the energies.
  virtual void finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) = 0;

  // The step is not made: `state` is as before begin().
  virtual void give_up(State&, double) {}
  // The contacts of the step's problem, as numbers of System::contacts(); empty where they are found anew.
  virtual std::span<const std::size_t> closed() const { return {}; }
  // What a contact of the step's problem is between.
  virtual std::string contact_name(std::size_t contact) const;

  // What the start has that the motion cannot keep: surfaces that overlap, joints whose bodies move apart.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Of the contacts that have a name, in the order of System::contacts().
  virtual const std::vector<ContactStep>& contacts() const;
  // Whether every closed contact sticks, and all keep their gaps.
  virtual bool all_stick() = 0;
  // False where all_stick() is never true: a run cannot then end when every contact sticks.
  virtual bool tells_stick() const { return true; }
  // When within the step the last contact came to rest, as a part of it.
  virtual double stick_fraction() const = 0;

  // The table of a run: names of its columns, and the numbers of a row; forces are impulses over dt.
  virtual std::vector<std::string> columns() const = 0;
  virtual void add_row(const State& state, double dt, const EnergyBalance& energy, std::vector<double>& row) const = 0;

  virtual ContactCounts counts() const { return {}; }

  // All that decides what the next steps will be, besides the state, as numbers.
  virtual void add_memory(std::vector<double>& memory) const = 0;
  // Throws InvalidInput if they are not of this system. Returns what is behind them.
  virtual const double* restore(const State& state, const double* from, const double* end) = 0;

 protected:
  std::vector<std::string> warnings_;
};

// t, coordinates, velocities; to be followed by contacts and energies.
std::vector<std::string> state_columns(const System& system);
void add_state(const State& state, std::vector<double>& row);
void add_energy_columns(std::vector<std::string>& names);
void add_energies(const EnergyBalance& energy, std::vector<double>& row);

}  // namespace slipset
