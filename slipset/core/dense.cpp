#include "slipset/core/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace slipset {

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
MatrixX Cholesky::solve(const MatrixX& b) const { return factors_->solve(b); }
void Cholesky::solve_in_place(VectorX& b) const { factors_->solveInPlace(b); }
void Cholesky::solve_in_place(Eigen::Ref<MatrixX> b) const { factors_->solveInPlace(b); }

struct FullLu::Factors : Eigen::FullPivLU<MatrixX> {};

FullLu::FullLu() : factors_(std::make_unique<Factors>()) {}
FullLu::FullLu(const MatrixX& a) : FullLu() { compute(a); }
FullLu::~FullLu() = default;

void FullLu::compute(const MatrixX& a) { factors_->compute(a); }
bool FullLu::invertible() const { return factors_->isInvertible(); }
VectorX FullLu::solve(const VectorX& b) const { return factors_->solve(b); }
MatrixX FullLu::solve(const MatrixX& b) const { return factors_->solve(b); }

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

struct GeneralEigen::Solver : Eigen::EigenSolver<MatrixX> {};

GeneralEigen::GeneralEigen() : solver_(std::make_unique<Solver>()) {}
GeneralEigen::~GeneralEigen() = default;

void GeneralEigen::compute(const MatrixX& a) { solver_->compute(a); }
const Eigen::VectorXcd& GeneralEigen::values() const { return solver_->eigenvalues(); }
Eigen::MatrixXcd GeneralEigen::vectors() const { return solver_->eigenvectors(); }

Eigen::VectorXcd eigenvalues(const MatrixX& a) { return Eigen::EigenSolver<MatrixX>(a, false).eigenvalues(); }

}  // namespace slipset
