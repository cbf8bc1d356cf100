#include "slipset/stability/spectrum/internal/shifted_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace slipset::internal {
namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Index = Eigen::Index;

// MUMPS' numbers for its controls and results.
constexpr PetscInt kMoreMemory = 14, kDeterminant = 33, kDeterminantReal = 12, kDeterminantImaginary = 13,
                   kDeterminantExponent = 34;

// Rows first to last - 1 of a matrix, by rows.
RowMajor rows_of(const Eigen::SparseMatrix<double>& a, Index first, Index last) {
  RowMajor rows(last - first, a.cols());
  int* const begins = rows.outerIndexPtr();
  const auto for_each = [&](const auto& f) {
    for (Index j = 0; j < a.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(a, j); entry; ++entry)
        if (entry.row() >= first && entry.row() < last) f(entry.row() - first, j, entry.value());
  };
  for_each([&](Index i, Index, double) { ++begins[i + 1]; });
  for (Index i = 0; i < rows.rows(); ++i) begins[i + 1] += begins[i];
  rows.resizeNonZeros(begins[rows.rows()]);
  std::vector<int> next(begins, begins + rows.rows());
  for_each([&](Index i, Index j, double value) {
    const int at = next[static_cast<std::size_t>(i)]++;
    rows.innerIndexPtr()[at] = static_cast<int>(j);
    rows.valuePtr()[at] = value;
  });
  return rows;
}

// From the rows of this rank, the first of which is row `first`.
OwnedMat matrix_of(const RowMajor& a, double factor, Index first, MPI_Comm group) {
  const auto rows = static_cast<PetscInt>(a.rows()), size = static_cast<PetscInt>(a.cols());
  const Index last = first + a.rows();
  std::vector<PetscInt> here(static_cast<std::size_t>(rows), 0), elsewhere(static_cast<std::size_t>(rows), 0), columns;
  for (Index i = 0; i < a.rows(); ++i)
    for (RowMajor::InnerIterator entry(a, i); entry; ++entry)
      ++(entry.col() >= first && entry.col() < last ? here : elsewhere)[static_cast<std::size_t>(i)];
  OwnedMat matrix;
  check(MatCreateAIJ(group, rows, rows, size, size, 0, here.data(), 0, elsewhere.data(), &matrix));
  std::vector<PetscScalar> values;
  for (Index i = 0; i < a.rows(); ++i) {
    columns.clear();
    values.clear();
    for (RowMajor::InnerIterator entry(a, i); entry; ++entry) {
      columns.push_back(static_cast<PetscInt>(entry.col()));
      values.push_back(factor * entry.value());
    }
    const auto row = static_cast<PetscInt>(first + i);
    check(MatSetValues(matrix, 1, &row, static_cast<PetscInt>(columns.size()), columns.data(), values.data(),
                       INSERT_VALUES));
  }
  check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  return matrix;
}

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

void take_largest(Eigen::VectorXd& x, MPI_Comm group) {
  MPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()), MPI_DOUBLE, MPI_MAX, group);
}

// Scales that bring the largest entry of each row and column of |λ|²|M| + |λ||D| + |K| near 1, by Ruiz' iteration. Each
// rank has rows from `first` on.
void equilibrate(const RowMajor& m, const RowMajor& d, const RowMajor& k, double size, Index first, MPI_Comm group,
                 Eigen::VectorXd& rows, Eigen::VectorXd& columns) {
  const Index n = k.cols(), mine = k.rows();
  rows = Eigen::VectorXd::Zero(n);
  rows.segment(first, mine).setOnes();
  columns = Eigen::VectorXd::Ones(n);
  for (int pass = 0; pass < 8; ++pass) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(mine), column = Eigen::VectorXd::Zero(n);
    for (const auto& [matrix, factor] : {std::pair{&m, size * size}, std::pair{&d, size}, std::pair{&k, 1.0}})
      for (Index i = 0; i < mine; ++i)
        for (RowMajor::InnerIterator entry(*matrix, i); entry; ++entry) {
          const double x = factor * std::abs(entry.value()) * rows[first + i] * columns[entry.col()];
          row[i] = std::max(row[i], x);
          column[entry.col()] = std::max(column[entry.col()], x);
        }
    take_largest(column, group);
    for (Index i = 0; i < mine; ++i)
      if (row[i] > 0) rows[first + i] /= std::sqrt(row[i]);
    for (Index i = 0; i < n; ++i)
      if (column[i] > 0) columns[i] /= std::sqrt(column[i]);
  }
  take_largest(rows, group);
  rows = rows.unaryExpr(&power_of_two).eval();
  columns = columns.unaryExpr(&power_of_two).eval();
}

void scale_entries(RowMajor& a, Index first, const Eigen::VectorXd& rows, const Eigen::VectorXd& columns) {
  for (Index i = 0; i < a.rows(); ++i)
    for (RowMajor::InnerIterator entry(a, i); entry; ++entry)
      entry.valueRef() *= rows[first + i] * columns[entry.col()];
}

}  // namespace

ShiftedMatrix::ShiftedMatrix(const QuadraticProblem& problem, MPI_Comm group, double scale)
    : group_(group), scale_(scale), size_(problem.size()) {
  OwnedVec layout;
  check(VecCreateMPI(group, PETSC_DECIDE, static_cast<PetscInt>(size_), &layout));
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(layout, &first, &last));
  first_row_ = first;
  last_row_ = last;
  RowMajor m = rows_of(problem.mass, first_row_, last_row_), d = rows_of(problem.damping, first_row_, last_row_),
           k = rows_of(problem.stiffness, first_row_, last_row_);
  equilibrate(m, d, k, scale, first_row_, group, row_scales_, column_scales_);
  for (RowMajor* matrix : {&m, &d, &k}) scale_entries(*matrix, first_row_, row_scales_, column_scales_);
  mass_ = matrix_of(m, scale * scale, first_row_, group);
  damping_ = matrix_of(d, scale, first_row_, group);
  stiffness_ = matrix_of(k, 1, first_row_, group);

  row_begin_.push_back(0);
  std::size_t longest = 0;
  for (Index i = 0; i < k.rows(); ++i) {
    const std::size_t begin = columns_.size();
    columns_.push_back(static_cast<PetscInt>(first_row_ + i));
    for (const RowMajor* matrix : {&m, &d, &k})
      for (RowMajor::InnerIterator entry(*matrix, i); entry; ++entry)
        columns_.push_back(static_cast<PetscInt>(entry.col()));
    std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(begin), columns_.end());
    columns_.erase(std::unique(columns_.begin() + static_cast<std::ptrdiff_t>(begin), columns_.end()), columns_.end());
    row_begin_.push_back(static_cast<PetscInt>(columns_.size()));
    longest = std::max(longest, columns_.size() - begin);
    for (auto [matrix, values] : {std::pair{&m, &m_}, std::pair{&d, &d_}, std::pair{&k, &k_}}) {
      values->resize(columns_.size(), 0.0);
      for (RowMajor::InnerIterator entry(*matrix, i); entry; ++entry) {
        const auto at = std::lower_bound(columns_.begin() + static_cast<std::ptrdiff_t>(begin), columns_.end(),
                                         static_cast<PetscInt>(entry.col()));
        (*values)[static_cast<std::size_t>(at - columns_.begin())] += entry.value();
      }
    }
  }
  row_values_.resize(longest);
  const auto rows = static_cast<PetscInt>(last_row_ - first_row_);
  std::vector<PetscInt> here(static_cast<std::size_t>(rows), 0), elsewhere(static_cast<std::size_t>(rows), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
    for (auto at = static_cast<std::size_t>(row_begin_[i]); at < static_cast<std::size_t>(row_begin_[i + 1]); ++at)
      ++(columns_[at] >= first && columns_[at] < last ? here : elsewhere)[i];
  check(MatCreateAIJ(group, rows, rows, static_cast<PetscInt>(size_), static_cast<PetscInt>(size_), 0, here.data(), 0,
                     elsewhere.data(), &shifted_));
}

void ShiftedMatrix::fill(std::complex<double> value) {
  for (Index i = first_row_; i < last_row_; ++i) {
    const auto row = static_cast<std::size_t>(i - first_row_);
    const auto begin = static_cast<std::size_t>(row_begin_[row]), end = static_cast<std::size_t>(row_begin_[row + 1]);
    for (std::size_t at = begin; at < end; ++at) row_values_[at - begin] = (value * m_[at] + d_[at]) * value + k_[at];
    const auto number = static_cast<PetscInt>(i);
    check(MatSetValues(shifted_, 1, &number, static_cast<PetscInt>(end - begin), columns_.data() + begin,
                       row_values_.data(), INSERT_VALUES));
  }
  check(MatAssemblyBegin(shifted_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(shifted_, MAT_FINAL_ASSEMBLY));
}

bool ShiftedMatrix::factorise(std::complex<double> value) {
  fill(value);
  ++factorisations_;
  MatFactorInfo info;
  check(MatFactorInfoInitialize(&info));
  for (; more_memory_ <= 800; more_memory_ *= 2) {
    if (!static_cast<Mat>(factors_)) {
      check(MatGetFactor(shifted_, MATSOLVERMUMPS, MAT_FACTOR_LU, &factors_));
      check(MatMumpsSetIcntl(factors_, kDeterminant, 1));
      check(MatMumpsSetIcntl(factors_, kMoreMemory, more_memory_));
      check(MatLUFactorSymbolic(factors_, shifted_, nullptr, nullptr, &info));
    }
    check(MatLUFactorNumeric(factors_, shifted_, &info));
    MatFactorError error = MAT_FACTOR_NOERROR;
    check(MatFactorGetError(factors_, &error));
    if (error == MAT_FACTOR_NOERROR) return true;
    // After an error PETSc's next factorisations with this object do nothing, and look like successes.
    factors_ = {};
    if (error != MAT_FACTOR_OUTMEMORY) return false;
    // Else pivoting needed more than was foreseen.
  }
  throw std::runtime_error("MUMPS: not enough memory for the factors; use more ranks for each group");
}

double ShiftedMatrix::condition() {
  OwnedVec b = vector(), x = vector();
  Eigen::VectorXcd start(size_);
  for (Index i = 0; i < size_; ++i) start[i] = std::polar(1.0, 2.399963 * static_cast<double>(i * (i + 1) / 2 % 1000));
  scatter(start, b);
  PetscReal before = 0, after = 0, norm = 0;
  for (int step = 0; step < 2; ++step) {
    if (step > 0) check(VecCopy(x, b));
    check(VecNormalize(b, &before));
    solve(b, x);
    check(VecNorm(x, NORM_2, &after));
  }
  check(MatNorm(shifted_, NORM_INFINITY, &norm));
  return norm * after;
}

std::complex<double> ShiftedMatrix::log_determinant() const {
  PetscReal re = 0, im = 0;
  PetscInt exponent = 0;
  check(MatMumpsGetRinfog(factors_, kDeterminantReal, &re));
  check(MatMumpsGetRinfog(factors_, kDeterminantImaginary, &im));
  check(MatMumpsGetInfog(factors_, kDeterminantExponent, &exponent));
  const std::complex<double> mantissa(re, im);
  return std::log(mantissa) + static_cast<double>(exponent) * std::log(2.0);
}

void ShiftedMatrix::solve(Vec b, Vec x) {
  ++solves_;
  check(MatSolve(factors_, b, x));
}

void ShiftedMatrix::solve_transposed(Vec b, Vec x) {
  ++solves_;
  check(MatSolveTranspose(factors_, b, x));
}

OwnedVec ShiftedMatrix::vector() const {
  OwnedVec x;
  check(MatCreateVecs(mass_, &x, nullptr));
  return x;
}

Eigen::VectorXcd ShiftedMatrix::gather(Vec x) {
  if (!static_cast<VecScatter>(to_all_)) check(VecScatterCreateToAll(x, &to_all_, &everywhere_));
  check(VecScatterBegin(to_all_, x, everywhere_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(to_all_, x, everywhere_, INSERT_VALUES, SCATTER_FORWARD));
  const PetscScalar* values = nullptr;
  check(VecGetArrayRead(everywhere_, &values));
  Eigen::VectorXcd result = Eigen::Map<const Eigen::VectorXcd>(values, size_);
  check(VecRestoreArrayRead(everywhere_, &values));
  return result;
}

void ShiftedMatrix::scatter(const Eigen::VectorXcd& from, Vec x) const {
  PetscScalar* values = nullptr;
  check(VecGetArrayWrite(x, &values));
  for (Index i = first_row_; i < last_row_; ++i) values[i - first_row_] = from[i];
  check(VecRestoreArrayWrite(x, &values));
}

}  // namespace slipset::internal
