// How far impulses are from a solution, in a way that anybody can code again.       docs/problems.md
#pragma once

#include <vector>

#include "problems/raw_problem.hpp"

namespace slipset::problems {

// Of each contact, with t = −p_T, p⁺ = max(p_N, 0), g = tr(W_ii)/3 over its first three rows, n(t) the normal of D on the ray
// of t, and e = |q_i| + |Σ_j |W_ij||p_j||, at most n + 1 times the largest |q_j|: the least of
//   open    max(−u_N, 0) + g|p|
//   stick   N + |u_T| + g|t| max(0, 1 − p⁺/k_C(t)),                        N = |u_N| + g max(−p_N, 0)
//   slip    N + g|t − p⁺ s(u_T)|   or   N + |u_T − max(u_T·n, 0) n| + g|t| |1 − p⁺/k_C(t)|
// over e: how far (u, g p) has to be moved onto the law, at most. Rolling rows alike, with C = D the disk of μ_R and a g and
// an e of their own. Joints: |u_k| over |q_k| + √W_kk max_l √W_ll |p_l|. u is W p + q.                           (P.1)
struct Measured {
  double error = 0;             // the largest
  std::vector<double> defects;  // of each contact
  double joints = 0;            // the largest of the joints' rows
  double equation = 0;          // the largest |u_i − (W p + q)_i| / e of a contact
};
// `velocity`: of the contacts, as it was given; empty: not looked at.
Measured measure(const RawProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);

// Whether p proves that there is no solution: normals that push, and joints; W p = 0 to rounding; q·p < 0.     (C.21)
struct Proof {
  bool holds = false;
  double imbalance = 0;  // the largest |(W p)_k| / (√W_kk Σ_l √W_ll |p_l|)
  double closing = 0;    // −q·p / Σ|p| [m/s]
};
Proof check_proof(const RawProblem& problem, const Eigen::VectorXd& p);

}  // namespace slipset::problems
