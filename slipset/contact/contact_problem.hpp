// Many contacts in one step.      docs/theory/contact.md
//   u = W p + q,   each contact (p_i, u_i) with its law                                                         (C.1)
//   none     0 ≤ p_N ⊥ u_N ≥ 0, nothing else                              1 row, or more that carry nothing
//   sliding  stick: u_T = 0, -p_T/p_N ∈ f C;  slip: -p_T/p_N = f s(u_T)   3 rows                        [WL19 19, 55]
//   rolling  -p_F/p_N ∈ f K,  u_F ∈ N_fK(-p_F/p_N)                        2 to 6 rows                           (T.6)
//   joint    u = 0                                                        1 to 6 rows                           (J.1)
// or a law of your own (contact_law.hpp). Instead of 0 ≤ p_N ⊥ u_N ≥ 0 the normal impulse may be given.
// W is any DelassusOperator: blocks, bodies, masses. Restitution, gaps over the step's length and the velocities of
// surfaces are in q.
#pragma once

#include <memory>
#include <vector>

#include "slipset/contact/contact_law.hpp"
#include "slipset/contact/delassus.hpp"

namespace slipset {

struct ContactProblem {
  std::shared_ptr<const DelassusOperator> delassus;  // null: no contacts
  Eigen::VectorXd free_velocity;                     // q, of each contact normal first [m/s], [rad/s]
  std::vector<Contact> contacts;
  std::vector<std::shared_ptr<const ContactLaw>> owned;  // laws that nobody else keeps
};

// Throws InvalidInput, saying which contact, where sizes and laws do not fit each other, where a number is not one or
// above 1e100, or has the wrong sign. Every solution begins with it.
void require_fit(const ContactProblem& problem);
// That, and where W cannot be positive semi-definite: |W_ij + W_ji| ≤ 2√(W_ii W_jj). It costs more.
void require_sound(const ContactProblem& problem);
// Largest |W_ij - W_jiᵀ| over √(tr W_ii tr W_jj): that of M over its size for masses; 0 for bodies.
double asymmetry(const ContactProblem& problem);

// The same with W in blocks. Throws InvalidInput where W would be too large.
ContactProblem assembled(const ContactProblem& problem);

}  // namespace slipset
