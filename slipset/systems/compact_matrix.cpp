#include "slipset/systems/compact_matrix.hpp"

#include <vector>

namespace slipset {

using Eigen::Index;

CompactMatrix::CompactMatrix(const SparseMatrix& matrix) {
  if (matrix.rows() != matrix.cols())
    throw InvalidInput("axial system: stiffness and damping must have as many columns as rows");
  bool banded = matrix.nonZeros() > 0;
  for (int j = 0; banded && j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator e(matrix, j); e; ++e)
      banded = banded && (e.value() == 0 || std::abs(e.row() - e.col()) <= 1);
  if (!banded) {
    rows_ = matrix;
    rows_.makeCompressed();
    return;
  }
  lower_ = diagonal_ = upper_ = VectorX::Zero(matrix.rows());
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator e(matrix, j); e; ++e) {
      if (e.value() == 0) continue;
      (e.row() == e.col() ? diagonal_ : e.row() > e.col() ? lower_ : upper_)[e.row()] = e.value();
    }
}

CompactMatrix CompactMatrix::tridiagonal(VectorX lower, VectorX diagonal, VectorX upper) {
  if (diagonal.size() < 1 || lower.size() != diagonal.size() || upper.size() != diagonal.size())
    throw InvalidInput("axial system: the three diagonals of a matrix must have one number per row each");
  CompactMatrix m;
  m.lower_ = std::move(lower);
  m.diagonal_ = std::move(diagonal);
  m.upper_ = std::move(upper);
  m.lower_[0] = 0;
  m.upper_[m.upper_.size() - 1] = 0;
  return m;
}

bool CompactMatrix::is_finite() const {
  if (is_tridiagonal()) return lower_.allFinite() && diagonal_.allFinite() && upper_.allFinite();
  return rows_.nonZeros() == 0 || rows_.coeffs().allFinite();
}

SparseMatrix CompactMatrix::to_sparse() const {
  if (!is_tridiagonal()) return rows_;
  std::vector<Eigen::Triplet<double>> entries;
  const int n = static_cast<int>(diagonal_.size());
  for (int i = 0; i < n; ++i) {
    if (i > 0 && lower_[i] != 0) entries.emplace_back(i, i - 1, lower_[i]);
    entries.emplace_back(i, i, diagonal_[i]);
    if (i + 1 < n && upper_[i] != 0) entries.emplace_back(i, i + 1, upper_[i]);
  }
  SparseMatrix m(n, n);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

namespace {

void subtract_inner_rows(Index n, const double* __restrict__ lower, const double* __restrict__ diagonal,
                         const double* __restrict__ upper, const double* __restrict__ x, double* __restrict__ out) {
  for (Index i = 1; i + 1 < n; ++i) out[i] -= lower[i] * x[i - 1] + diagonal[i] * x[i] + upper[i] * x[i + 1];
}

}  // namespace

void CompactMatrix::subtract_product(const double* x, double* out) const {
  if (is_tridiagonal()) {
    const Index n = diagonal_.size();
    const double *lo = lower_.data(), *di = diagonal_.data(), *up = upper_.data();
    if (n == 1) {
      out[0] -= di[0] * x[0];
      return;
    }
    out[0] -= di[0] * x[0] + up[0] * x[1];
    subtract_inner_rows(n, lo, di, up, x, out);
    out[n - 1] -= lo[n - 1] * x[n - 2] + di[n - 1] * x[n - 1];
    return;
  }
  for (Index i = 0; i < rows_.outerSize(); ++i) {
    double sum = 0;
    for (SparseRows::InnerIterator e(rows_, i); e; ++e) sum += e.value() * x[e.col()];
    out[i] -= sum;
  }
}

double CompactMatrix::quadratic_form(const double* x) const {
  double sum = 0;
  if (is_tridiagonal()) {
    const Index n = diagonal_.size();
    for (Index i = 0; i < n; ++i) sum += diagonal_[i] * x[i] * x[i];
    for (Index i = 1; i < n; ++i) sum += (lower_[i] + upper_[i - 1]) * x[i] * x[i - 1];
    return sum;
  }
  for (Index i = 0; i < rows_.outerSize(); ++i)
    for (SparseRows::InnerIterator e(rows_, i); e; ++e) sum += x[i] * e.value() * x[e.col()];
  return sum;
}

void CompactMatrix::add_absolute_product(const double* x, double* out) const {
  if (is_tridiagonal()) {
    const Index n = diagonal_.size();
    for (Index i = 0; i < n; ++i) {
      out[i] += std::abs(diagonal_[i] * x[i]);
      if (i > 0) out[i] += std::abs(lower_[i] * x[i - 1]);
      if (i + 1 < n) out[i] += std::abs(upper_[i] * x[i + 1]);
    }
    return;
  }
  for (Index i = 0; i < rows_.outerSize(); ++i)
    for (SparseRows::InnerIterator e(rows_, i); e; ++e) out[i] += std::abs(e.value() * x[e.col()]);
}

double CompactMatrix::row_bound(const VectorX& scale) const {
  if (is_zero()) return 0;
  const VectorX one = VectorX::Ones(size());
  VectorX sums = VectorX::Zero(size());
  add_absolute_product(one.data(), sums.data());
  return sums.cwiseProduct(scale.cwiseAbs()).maxCoeff();
}

std::vector<Eigen::Triplet<double>> CompactMatrix::skew_part() const {
  std::vector<Eigen::Triplet<double>> entries;
  if (is_zero()) return entries;
  const SparseMatrix a = to_sparse();
  const SparseMatrix skew = 0.5 * (a - SparseMatrix(a.transpose()));
  for (int j = 0; j < skew.outerSize(); ++j)
    for (SparseMatrix::InnerIterator e(skew, j); e; ++e)
      if (e.value() != 0) entries.emplace_back(static_cast<int>(e.row()), j, e.value());
  return entries;
}

}  // namespace slipset
