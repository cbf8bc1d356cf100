// The solvers of many contacts, and the choice between them.      docs/theory/contact.md
#pragma once

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

// For the methods automatic, gauss_seidel, newton and splitting of solve_contact.
void solve_many(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

}  // namespace slipset
