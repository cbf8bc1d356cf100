// Equality rows: a joint.      docs/theory/contact.md
//   u = 0, any p        1 to 6 rows: a ball joint has 3, a hinge 5, a weld 6, a rod of constant length 1        (J.1)
//   residual   max_k |u_k| / (√g_kk max_l(s_l/√g_ll)),  s_l = |q_l| + Σ_j |W_lj p_j|                              (J.2)
// Drift of positions goes into the free velocity: q + g/Δt with the gap g of the joint brings it back in one step.
#pragma once

#include "slipset/contact/contact_law.hpp"

namespace slipset {

// One for each number of rows, for all problems. Throws InvalidInput unless 1 to 6.
const ContactLaw& joint_law(int rows);

}  // namespace slipset
