#include "slipset/core/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <complex>
#include <limits>

#include "slipset/core/internal/balance.hpp"

namespace slipset {
namespace {

// Eigenvalues that were not found, as those of a matrix that is not finite.
constexpr std::complex<double> kNone(std::numeric_limits<double>::quiet_NaN(), 0);

}  // namespace

struct Cholesky::Factors : Eigen::LLT<MatrixX> {};

// Null before compute(): Eigen's solvers must not be copied before they have computed anything.
Cholesky::Cholesky() = default;
Cholesky::Cholesky(const MatrixX& a) { compute(a); }
Cholesky::Cholesky(const Cholesky& other)
    : factors_(other.factors_ ? std::make_unique<Factors>(*other.factors_) : nullptr) {}
Cholesky::Cholesky(Cholesky&& other) noexcept = default;
Cholesky& Cholesky::operator=(const Cholesky& other) {
  if (this != &other) *this = Cholesky(other);
  return *this;
}
Cholesky& Cholesky::operator=(Cholesky&& other) noexcept = default;
Cholesky::~Cholesky() = default;

bool Cholesky::compute(const MatrixX& a) {
  if (!factors_) factors_ = std::make_unique<Factors>();
  factors_->compute(a);
  return positive_definite();
}
bool Cholesky::positive_definite() const { return factors_ && factors_->info() == Eigen::Success; }
VectorX Cholesky::solve(const VectorX& b) const { return factors_->solve(b); }
MatrixX Cholesky::solve(const MatrixX& b) const {
  if (b.cols() == 0) return b;  // Eigen would look at its first number
  return factors_->solve(b);
}
void Cholesky::solve_in_place(VectorX& b) const { factors_->solveInPlace(b); }
void Cholesky::solve_in_place(Eigen::Ref<MatrixX> b) const {
  if (b.cols() > 0) factors_->solveInPlace(b);
}

struct FullLu::Factors : Eigen::FullPivLU<MatrixX> {
  MatrixX scaled;         // R A C
  VectorX rows, columns;  // R, C
};

FullLu::FullLu() : factors_(std::make_unique<Factors>()) {}
FullLu::FullLu(const MatrixX& a) : FullLu() { compute(a); }
FullLu::~FullLu() = default;

// Rows and columns are divided by the roots of their largest numbers, in turn (Ruiz), as powers of two: exact.
void FullLu::compute(const MatrixX& a) {
  MatrixX& scaled = factors_->scaled;
  scaled = a;
  factors_->rows.setOnes(a.rows());
  factors_->columns.setOnes(a.cols());
  const auto half_inverse = [](double size) {
    return size > 0 && std::isfinite(size) ? std::exp2(-std::round(std::log2(size) / 2)) : 1;
  };
  for (int i = 0; i < 12; ++i) {
    VectorX by_row(a.rows()), by_column(a.cols());
    for (Eigen::Index k = 0; k < a.rows(); ++k) by_row[k] = half_inverse(scaled.row(k).lpNorm<Eigen::Infinity>());
    for (Eigen::Index k = 0; k < a.cols(); ++k) by_column[k] = half_inverse(scaled.col(k).lpNorm<Eigen::Infinity>());
    if ((by_row.array() == 1).all() && (by_column.array() == 1).all()) break;
    scaled = by_row.asDiagonal() * scaled * by_column.asDiagonal();
    factors_->rows.array() *= by_row.array();
    factors_->columns.array() *= by_column.array();
  }
  factors_->compute(scaled);
}
bool FullLu::invertible() const { return factors_->isInvertible(); }
VectorX FullLu::solve(const VectorX& b) const {
  return factors_->columns.asDiagonal() * factors_->solve(factors_->rows.asDiagonal() * b);
}
MatrixX FullLu::solve(const MatrixX& b) const {
  return factors_->columns.asDiagonal() * MatrixX(factors_->solve(factors_->rows.asDiagonal() * b));
}
double FullLu::error(const VectorX& x, const VectorX& b) const {
  const VectorX right = factors_->rows.asDiagonal() * b;
  const VectorX left = factors_->scaled * VectorX(x.cwiseQuotient(factors_->columns));
  return (left - right).lpNorm<Eigen::Infinity>() / right.lpNorm<Eigen::Infinity>();
}

struct PivotedQr::Factors : Eigen::ColPivHouseholderQR<MatrixX> {};

PivotedQr::PivotedQr(const MatrixX& a, double threshold) : factors_(std::make_unique<Factors>()) {
  factors_->compute(a);
  if (threshold > 0) factors_->setThreshold(threshold);
}
PivotedQr::~PivotedQr() = default;

Eigen::Index PivotedQr::rank() const { return factors_->rank(); }
MatrixX PivotedQr::q() const { return factors_->householderQ(); }
MatrixX PivotedQr::solve(const MatrixX& b) const { return factors_->solve(b); }

MatrixX inverse_of(const MatrixX& a) { return a.inverse(); }

VectorX solve_shortest(const MatrixX& a, const VectorX& b) {
  return Eigen::CompleteOrthogonalDecomposition<MatrixX>(a).solve(b);
}

struct SymmetricEigen::Solver : Eigen::SelfAdjointEigenSolver<MatrixX> {};

SymmetricEigen::SymmetricEigen() : solver_(std::make_unique<Solver>()) {}
SymmetricEigen::SymmetricEigen(const MatrixX& a) : SymmetricEigen() { compute(a); }
SymmetricEigen::~SymmetricEigen() = default;

void SymmetricEigen::compute(const MatrixX& a) { solver_->compute(a); }
const VectorX& SymmetricEigen::values() const { return solver_->eigenvalues(); }
const MatrixX& SymmetricEigen::vectors() const { return solver_->eigenvectors(); }

struct GeneralEigen::Solver : Eigen::EigenSolver<MatrixX> {
  Eigen::VectorXcd found;
};

GeneralEigen::GeneralEigen() : solver_(std::make_unique<Solver>()) {}
GeneralEigen::~GeneralEigen() = default;

void GeneralEigen::compute(const MatrixX& a) {
  solver_->found.setConstant(a.rows(), kNone);
  if (!a.allFinite()) return;
  solver_->compute(a);
  if (solver_->info() == Eigen::Success) solver_->found = solver_->eigenvalues();
}
const Eigen::VectorXcd& GeneralEigen::values() const { return solver_->found; }
Eigen::MatrixXcd GeneralEigen::vectors() const { return solver_->eigenvectors(); }

Eigen::VectorXcd eigenvalues(const MatrixX& a) {
  MatrixX balanced = a;
  VectorX d;
  internal::balance(balanced, d);
  if (balanced.allFinite())
    if (const Eigen::EigenSolver<MatrixX> solver(balanced, false); solver.info() == Eigen::Success)
      return solver.eigenvalues();
  return Eigen::VectorXcd::Constant(a.rows(), kNone);
}

}  // namespace slipset
