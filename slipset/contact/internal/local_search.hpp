// Gauss-Seidel for the few contacts of a time step: with all solutions of each, or by the papers' projection.
// docs/theory/contact.md
#pragma once

#include "slipset/contact/contact_solver.hpp"

namespace slipset::internal {

// Methods search and fixed_point, for operators in blocks. `planar`: every contact has three rows and slides by two
// sets, or has no friction.
void solve_by_search(const ContactProblem& problem, bool planar, const ContactOptions& options,
                     ContactSolution& solution);
void solve_by_fixed_point(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

}  // namespace slipset::internal
