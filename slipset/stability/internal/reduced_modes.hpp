// Modes of a problem from the vectors of others like it.                             docs/theory/structures.md
//   WᴴQ(λ)V a = 0,  bᴴWᴴQ(λ)V = 0,  x = V a,  y = W b                                                          (F.17)
// V and W span right and left vectors of points of a sweep that have been solved. The error of λ is that of x times that
// of y: it is estimated from the residuals of both (F.18), and what is not exact is refused.
#pragma once

#include "slipset/stability/internal/quadratic_form.hpp"

namespace slipset::internal {

// A mode by its coordinates. V and W only gain columns: earlier coordinates stay good.
struct ReducedPair {
  std::complex<double> value;
  Eigen::VectorXcd right, left;  // a, b of unit length; empty if the mode has no left vector
  double rounding = std::numeric_limits<double>::quiet_NaN();  // of λ [1/s]; with the error of the span

  bool grows() const { return value_grows(value, rounding); }
};
// |xᴴx'| of two modes: 1 for one shape.
double likeness(const ReducedPair& a, const ReducedPair& b);
// What eigenvalues of a box are compared with: their size, but not less than a part of the box's. λ = 0 is one like others.
double size_in(const SpectrumBox& box, std::complex<double> value);

class ReducedModes {
 public:
  // Every mode of the box is in the span, near the points that were added.
  ReducedModes(QuadraticProblem base, const SpectrumBox& box);
  ReducedModes(const ReducedModes&) = delete;
  ReducedModes& operator=(const ReducedModes&) = delete;

  // A mode of a problem that was solved: what of its vectors is not in the span becomes a column.
  ReducedPair add(const Eigenpair& pair);
  Eigen::Index size() const { return right_.cols(); }

  // The problem to look at, of the base's size: only where its matrices differ from the base's is it projected again.
  void move_to(QuadraticProblem problem);
  const QuadraticProblem& here() const { return problem_; }
  void project_again();  // there, after columns were added
  // The mode next to `pair` in the problem that was moved to, on the real axis or above it. False, with `pair` as it was,
  // unless it is within `reach` [1/s] and exact to 1e-10 of its size by its residuals.
  bool find(ReducedPair& pair, double reach) const;
  // With its vectors; errors and condition are not filled in. And back: the vectors should be in the span.
  Eigenpair whole(const ReducedPair& pair) const;
  ReducedPair coordinates(const Eigenpair& pair) const;

 private:
  struct Projected {
    Eigen::MatrixXcd mass, damping, stiffness;
  };
  Eigen::MatrixXcd difference(const Eigen::SparseMatrix<double>& from, const Eigen::SparseMatrix<double>& to) const;
  bool iterate(std::complex<double>& value, Eigen::VectorXcd& a, Eigen::VectorXcd& b, std::complex<double> near,
               double reach) const;

  QuadraticProblem base_, problem_;
  SpectrumBox box_;
  std::optional<QuadraticForm> form_;  // of problem_
  Eigen::MatrixXcd right_, left_;      // V, W: orthonormal columns
  Projected of_base_, here_;
  struct {
    double mass = 0, damping = 0, stiffness = 0;
  } sizes_;  // norms of here_
};

}  // namespace slipset::internal
