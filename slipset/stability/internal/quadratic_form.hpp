// Eigenpairs of Q(λ) = λ²M + λD + K made as good as the entries of M, D and K are.   docs/theory/structures.md
//   yᴴQ(ρ)x = 0: the root ρ next to λ has an error of the order of that of x times that of y                    (F.4)
// with the products in long double: what is left is the rounding of the entries themselves.
#pragma once

#include <span>

#include "slipset/stability/spectrum.hpp"

namespace slipset::internal {

class QuadraticForm {
 public:
  explicit QuadraticForm(const QuadraticProblem& problem);  // which must outlive it

  // Pairs that share one eigenvalue, or nearly, with left and right vectors that span the same invariant space: makes
  // the vectors biorthogonal, and each λ a root of (F.4). Then fills all other members. False if the vectors are too
  // close to dependent for that (a defective eigenvalue): then the values stay as they are, each with the cluster's
  // spread as its rounding.
  bool refine(std::span<Eigenpair* const> cluster) const;
  bool refine(Eigenpair& pair) const;  // a cluster of one
  // Fills backward_error, condition and rounding, and normalises the vectors. Without a left vector: the first only.
  void finish(Eigenpair& pair) const;

  // A pair whose x and y were sought in spans that have every mode closer than `distance` [1/s]: makes λ a root of (F.4),
  // fills `rounding`, and gives how far λ may be from an eigenvalue. The residuals r and s of x and y have no part in the
  // spans, and                                                                                                  (F.18)
  //   |δλ| ≈ |s||r| / (d max(2|λ|, d) |yᴴQ'x|),  |r|² = Σ |r_i|²/m_i,  m_i = M_ii, or |λD_ii + K_ii|/|λ|² without mass
  double refine_in_span(Eigenpair& pair, double distance) const;

  const QuadraticProblem& problem() const { return problem_; }

 private:
  struct Products;
  Products products(const Eigenpair& pair) const;
  static void normalise(Eigenpair& pair);
  bool refine_values(std::span<Eigenpair* const> cluster) const;
  void refine_value(Eigenpair& pair, const Products& of_right) const;
  void finish(Eigenpair& pair, const Products& of_right) const;

  const QuadraticProblem& problem_;
  double mass_ = 0, damping_ = 0, stiffness_ = 0;  // norms
  Eigen::VectorXd masses_, dampings_, springs_;    // diagonals
};

}  // namespace slipset::internal
