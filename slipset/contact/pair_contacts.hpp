// Contacts between rigid bodies, solved by bodies: the Delassus matrix is not assembled.      docs/theory/contact.md
// Sweeps keep the velocities that the impulses give the bodies: a contact reads those of its two bodies and pushes both
// (C.18). Few contacts, and more where sweeps lead nowhere and factors are within reach, are assembled and go to the
// solvers of (C.1).
#pragma once

#include "slipset/contact/body_pairs.hpp"
#include "slipset/contact/contact_problem.hpp"

namespace slipset {

// A view: what it names must outlive it.
struct PairContactProblem {
  const BodyPairs& pairs;
  const Eigen::VectorXd& free_velocity;  // 3 a contact, normal first; restitution included [m/s]
  std::span<const ContactPoint> contacts;
};

ContactProblem assembled(const PairContactProblem& problem);

// As solve_contact of a ContactProblem.
class PairContactSolver {
 public:
  void solve(const PairContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

 private:
  ContactProblem assembled_;  // memory that is used again
};

}  // namespace slipset
