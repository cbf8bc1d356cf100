// Modes of a problem from the vectors of others like it.                             docs/theory/structures.md
//   WᴴQ(λ)V a = 0,  bᴴWᴴQ(λ)V = 0,  x = V a,  y = W b                                                          (F.17)
// V and W span right and left vectors of points of a sweep that have been solved. The error of λ is that of x times that
// of y: it is known from the residuals of both, and what is not exact is refused.
#pragma once

#include "slipset/stability/internal/quadratic_form.hpp"

namespace slipset::internal {

class ReducedModes {
 public:
  explicit ReducedModes(QuadraticProblem base);

  // Vectors of a problem that was solved; those without a left vector, or that are there already, are left out.
  void add(const std::vector<Eigenpair>& pairs);
  Eigen::Index size() const { return right_.cols(); }

  // The problem to look at, of the base's size: only where its matrices differ from the base's is it projected again.
  void move_to(const QuadraticProblem& problem);
  // The mode next to `pair`, which is replaced by it. False, with `pair` as it was, unless it is within `reach` [1/s] and
  // exact to 1e-12 of |λ| by its residuals. `form` is of the problem that was moved to.
  bool find(const QuadraticForm& form, Eigenpair& pair, double reach) const;

 private:
  struct Projected {
    Eigen::MatrixXcd mass, damping, stiffness;
  };
  Eigen::MatrixXcd difference(const Eigen::SparseMatrix<double>& from, const Eigen::SparseMatrix<double>& to) const;

  QuadraticProblem base_;
  Eigen::MatrixXcd right_, left_;  // V, W: orthonormal columns
  Projected of_base_, here_;
};

}  // namespace slipset::internal
