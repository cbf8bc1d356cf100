// A square matrix of an axial system: three diagonals where that is enough, else sparse rows.
#pragma once

#include <Eigen/SparseCore>

#include "slipset/systems/system.hpp"

namespace slipset {

using SparseMatrix = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

class CompactMatrix {
 public:
  CompactMatrix() = default;  // zero, of any size
  // Stored as three diagonals if nothing is beside them.
  explicit CompactMatrix(const SparseMatrix& matrix);
  // Row i is lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1]; lower[0] and the last upper are not used.
  static CompactMatrix tridiagonal(VectorX lower, VectorX diagonal, VectorX upper);

  bool is_zero() const { return diagonal_.size() == 0 && rows_.nonZeros() == 0; }
  bool is_tridiagonal() const { return diagonal_.size() > 0; }
  Eigen::Index size() const { return is_tridiagonal() ? diagonal_.size() : rows_.rows(); }
  bool is_finite() const;
  SparseMatrix to_sparse() const;

  // out -= A x, for `size()` numbers each. No allocation.
  void subtract_product(const double* x, double* out) const;
  double quadratic_form(const double* x) const;  // xᵀA x
  // out += |A| |x|: what the terms of the product add up to before they cancel.
  void add_absolute_product(const double* x, double* out) const;
  // The largest sum of |a_ij| s_i over a row: a bound of the matrix diag(s) A.
  double row_bound(const VectorX& scale) const;
  // The skew part (A - Aᵀ)/2, without its zeros.
  std::vector<Eigen::Triplet<double>> skew_part() const;

 private:
  VectorX lower_, diagonal_, upper_;
  SparseRows rows_;
};

}  // namespace slipset
