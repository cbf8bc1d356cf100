// One contact with friction against sliding, drilling and rolling in one step.      docs/theory/rolling.md
//   u = G p + c            1 + m components, normal first, then those of the law; G symmetric, positive semidefinite
//   0 ≤ p_N ⊥ u_N ≥ 0, or p_N given;   -p_F/p_N ∈ f K,  u_F ∈ N_fK(-p_F/p_N)                                 (T.6)
// With p_N given, y = -p_F is the closest point of p_N f K in the metric of G_FF: min ½ yᵀG_FF y - y·(c_F + p_N G_FN).
// What is left is one scalar equation, u_N(p_N) = 0; u_N(0) = c_N < 0 and it grows in the end, since G is positive
// definite: there is a solution. Newton's method takes all at once; where it fails, the scalar equation is bracketed
// and the metric projection found by Newton's method on a convex merit function (T.8, T.9).
#pragma once

#include "slipset/contact/local_problem.hpp"
#include "slipset/laws/rolling_law.hpp"

namespace slipset {

using RollingContactVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using RollingContactMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

struct RollingLocalProblem {
  RollingContactMat delassus;
  RollingContactVec free_velocity;       // [m/s], [rad/s]
  std::optional<double> normal_impulse;  // given [N s]; empty: unilateral
  double reservoir_factor = 1;           // f, > 0
};

struct RollingLocalSolution {
  ContactMode mode = ContactMode::none;                        // stick: no factor of the reservoir slips
  bool slides = false, drills = false, rolls = false;          // rates that are not zero
  RollingContactVec impulse, velocity;                         // [N s], [N m s]; [m/s], [rad/s]
  double residual = std::numeric_limits<double>::quiet_NaN();  // (T.10), without units
  int iterations = 0;                                          // of Newton's methods, all together
  bool bracketed = false;                                      // Newton's method for all at once did not do
};

// Of an open contact (c_N ≥ 0) friction could press one shut by itself, were its coupling strong (Painlevé); it stays
// open here. `law` null: no friction, one component. `guess`: an impulse to start from, or null.
RollingLocalSolution solve_rolling_local(const RollingLaw* law, const RollingLocalProblem& problem,
                                         const RollingContactVec* guess = nullptr);

// How far an impulse is from the laws, without units. In own coordinates, with e_i = |c_i| + Σ_j |G_ij p_j| what the
// dynamics add up in row i: the largest of |min(u_N, G_NN p_N)|/e_N and, for each factor, |x - P_K(x + u/|e|)| with
// x = -p/(f p_N). It vanishes on the laws only, whatever scale stands for |e|. (T.10)
double rolling_local_residual(const RollingLaw* law, const RollingLocalProblem& problem,
                              const RollingContactVec& impulse);

// --- for solvers of many contacts: everything in own coordinates -----------------------------------------------

// The contact's own block, prepared.
struct RollingBlock {
  RollingBlock() = default;
  RollingBlock(const RollingLaw* law, const RollingContactMat& delassus);

  RollingContactMat g;
  RollingVec step;  // R of each component: R < G_FF⁻¹, the same within a factor
};

struct RollingState {
  RollingContactVec impulse;  // the guess before, the solution after
  int iterations = 0;
  bool bracketed = false;
  bool found = true;  // else there is no solution that the search could find
};

// `accuracy`: the residual that will do.
void solve_rolling_block(const RollingLaw* law, const RollingBlock& block, const RollingContactVec& c,
                         std::optional<double> normal_impulse, double factor, double accuracy, RollingState& state);
// (T.10) with u and the sums e given. With `steps`, R of each component, that of a contact among others: where it
// carries little, p_N f < R|e|, the friction's defect counts as a velocity over |e|.                             (T.12)
double rolling_defect(const RollingLaw* law, double normal_mobility, std::optional<double> normal_impulse,
                      double factor, const RollingContactVec& impulse, const RollingContactVec& velocity,
                      const RollingContactVec& sums, const RollingVec* steps = nullptr);

}  // namespace slipset
