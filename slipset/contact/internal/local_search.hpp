// Gauss-Seidel for the few contacts of a time step: with all solutions of each, or by the papers' projection.
// docs/theory/contact.md
#pragma once

#include <algorithm>
#include <string_view>

#include "slipset/contact/contact_solver.hpp"

namespace slipset::internal {

// Slip over what adds up at a contact that the tolerance does not tell from none: the contact sticks.
inline double negligible_slip(const ContactOptions& options) { return std::max(1e-9, 10 * options.tolerance); }

// Why a method ended that ContactOptions::stop was set for.
inline constexpr std::string_view kStopped = "stopped by the caller";

// Methods search and fixed_point, for operators in blocks. `planar`: every contact has three rows and slides by two
// sets, or has no friction.
void solve_by_search(const ContactProblem& problem, bool planar, const ContactOptions& options,
                     ContactSolution& solution);
// How many solutions each contact has with the others' impulses held, into the solution.
void count_solutions(const ContactProblem& problem, ContactSolution& solution);
void solve_by_fixed_point(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

}  // namespace slipset::internal
