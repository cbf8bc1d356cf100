// One sliding contact in one step: find impulse p and velocity u with                docs/theory/contact.md
//   u = G p + c                         G 3x3 Delassus block, c free velocity; normal first, then two tangents   (C.1)
//   0 ≤ p_N ⊥ u_N ≥ 0                   or p_N given (bilateral contact)
//   stick: u_T = 0, -p_T/p_N ∈ f C      slip: -p_T/p_N = f s(u_T)                                    [WL19 19, 55]
// f scales the reservoir (rate dependence). Restitution is in c already.
// A slip state is one point of the law's closed path (PlanarContactLaw): it fixes s, then p_N by the normal equation
// p_N (G_NN - f G_NT·s) + c_N = 0, then u_T; what is left is one scalar equation,
//   cross(n, u_T) = 0 with n·u_T > 0                                                                          (C.2)
#pragma once

#include <boost/container/static_vector.hpp>

#include "slipset/contact/planar_contact_law.hpp"

namespace slipset {

struct PlanarSolution {
  ContactMode mode = ContactMode::none;
  Vec3 impulse = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  Vec3 velocity = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
};

// More than five need sets that wind around each other; what is beyond the capacity is not kept.
using PlanarSolutions = boost::container::static_vector<PlanarSolution, 16>;

// The solution next to the last state: the one whose slip velocity is closest to `last_slip` (stick counts as zero, an
// open contact by its own velocity). `count` is how many solutions there are, 1 also where a proof of uniqueness spared
// the search.
struct PlanarAnswer {
  PlanarSolution chosen;
  int count = 0;
};
PlanarAnswer solve_planar(const PlanarContactLaw& law, const PlanarProblem& problem);

// Every solution, stick and open first, then slip along the path.
PlanarSolutions all_planar_solutions(const PlanarContactLaw& law, const PlanarProblem& problem);

// How far impulse and velocity are from the contact's laws, as a velocity [m/s]. Uses gauges and projection, not the
// solver's path.                                                                              [WL19 12, 25] (C.3)
double planar_defect(const PlanarContactLaw& law, const PlanarProblem& problem, const Vec3& impulse,
                     const Vec3& velocity);
// The same over the largest velocity of the problem, |c| + |G p|: independent of units.
double planar_residual(const PlanarContactLaw& law, const PlanarProblem& problem, const Vec3& impulse,
                       const Vec3& velocity);

}  // namespace slipset
