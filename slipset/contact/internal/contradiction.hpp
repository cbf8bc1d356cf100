// The proof that a contact problem has no solution.      docs/theory/contact.md
//   p_N ≥ 0 on contacts that are kept apart, any p on joints, none else;   W p = 0,   q·p < 0                     (C.21)
// Then no u = W p' + q keeps the contacts apart and the joints still: p·u = q·p < 0, W being symmetric.
#pragma once

#include <optional>

#include "slipset/contact/contact_solver.hpp"

namespace slipset::internal {

// Empty if there is none. Of more than 300 rows only those with the largest of the impulses given are looked at: where
// there is no solution they grow without limit.
std::optional<Contradiction> find_contradiction(const ContactProblem& problem, const Eigen::VectorXd& impulse);

}  // namespace slipset::internal
