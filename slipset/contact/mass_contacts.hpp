// Many contacts of a system whose masses couple, without its Delassus matrix.      docs/theory/contact.md
//   M v = M v_free + H p,   u = Hᵀv + b,   with every contact's laws                                            (C.15)
// is (C.1) with W = HᵀM⁻¹H and q = Hᵀv_free + b. Where M couples all coordinates (an elastic body, an implicit step)
// W is dense: 9n² numbers, while M and H are sparse. W is never formed: the splitting (C.13) asks only for
//   (W + ρI)⁻¹x = (x − Hᵀ(ρM + HHᵀ)⁻¹H x)/ρ,                                                                    (C.16)
// one sparse factorisation.
#pragma once

#include <Eigen/SparseCore>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

struct MassContactProblem {
  Eigen::SparseMatrix<double> mass;        // M: symmetric, positive definite; with an implicit step, all of its matrix
  Eigen::SparseMatrix<double> directions;  // H: 3 columns a contact, normal first
  Eigen::VectorXd free_motion;             // v_free, the velocity without contact impulses
  Eigen::VectorXd drift;                   // b, 3 a contact: restitution, less the surfaces' velocities [m/s]
  std::vector<ContactPoint> contacts;
};

// The same with W formed, for small problems and comparisons.
ContactProblem assembled(const MassContactProblem& problem);

// By the splitting, whatever method the options name; they may not ask for the full error. The residual sees each
// contact with the block gI, g the mean mobility tr(W)/3n, estimated: the largest
//   g|p_i − S_i| / (|q_i| + |u_i − q_i| + g|p_i|),  S_i: the contact's solution at velocity u_i − g p_i (C.17)
// `solution` holds the first guess if its size fits. Throws InvalidInput where sizes do not fit or M is not positive
// definite.
void solve_contact(const MassContactProblem& problem, const ContactOptions& options, ContactSolution& solution);
ContactSolution solve_contact(const MassContactProblem& problem, const ContactOptions& options = {});

}  // namespace slipset
