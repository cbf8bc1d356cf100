// A semismooth Newton step for many contacts with sliding, drilling and rolling.      docs/theory/rolling.md
//   contact pressed (p_N > u_N/G_NN): u_N = 0,  y = P_{p_N f K}(y + R u_F), y = -p_F;   else p = 0
//   linearised for all contacts at once, with u = W p + q and a little on the diagonal of W                      (T.14)
#pragma once

#include "slipset/contact/rolling_problem.hpp"

namespace slipset {

// The change of the impulses, everything in own coordinates; empty if the matrix is singular or not finite.
Eigen::VectorXd rolling_newton_step(const RollingProblem& problem, const RollingDelassus& delassus,
                                    const std::vector<RollingBlock>& blocks, const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& p);

}  // namespace slipset
