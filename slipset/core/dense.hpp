// Dense linear algebra of systems, compiled once: a decomposition of Eigen is a template that every file which names it
// compiles again, which takes seconds each.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace slipset {

using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

// A = L Lᵀ, A symmetric and positive definite.
class Cholesky {
 public:
  Cholesky();
  explicit Cholesky(const MatrixX& a);
  Cholesky(const Cholesky& other);
  Cholesky(Cholesky&& other) noexcept;
  Cholesky& operator=(const Cholesky& other);
  Cholesky& operator=(Cholesky&& other) noexcept;
  ~Cholesky();

  // Whether A is positive definite; only then may it solve. Allocates only if the size changes.
  bool compute(const MatrixX& a);
  bool positive_definite() const;
  VectorX solve(const VectorX& b) const;
  MatrixX solve(const MatrixX& b) const;
  // These allocate nothing.
  void solve_in_place(VectorX& b) const;
  void solve_in_place(Eigen::Ref<MatrixX> b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// P A Q = L U, any square A, with pivots from all of what is left.
class FullLu {
 public:
  FullLu();
  explicit FullLu(const MatrixX& a);
  ~FullLu();

  void compute(const MatrixX& a);
  bool invertible() const;
  VectorX solve(const VectorX& b) const;
  MatrixX solve(const MatrixX& b) const;
  // |A x - b| over |b|, in rows and columns that are scaled alike: equations and unknowns may have different units.
  double error(const VectorX& x, const VectorX& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// A P = Q R, any A; `threshold`: pivots below it, over the largest, count as zero (0: as rounding has it).
class PivotedQr {
 public:
  explicit PivotedQr(const MatrixX& a, double threshold = 0);
  ~PivotedQr();

  Eigen::Index rank() const;
  MatrixX q() const;  // square
  MatrixX solve(const MatrixX& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// A⁻¹ of a regular matrix.
MatrixX inverse_of(const MatrixX& a);

// The shortest x of those that make |A x - b| smallest.
VectorX solve_shortest(const MatrixX& a, const VectorX& b);

// Eigenvalues of a symmetric matrix, ascending, and its eigenvectors, in columns.
class SymmetricEigen {
 public:
  SymmetricEigen();
  explicit SymmetricEigen(const MatrixX& a);
  ~SymmetricEigen();

  void compute(const MatrixX& a);  // allocates only if the size changes
  const VectorX& values() const;
  const MatrixX& vectors() const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

// Of any square matrix; pairs of complex ones one behind the other, the positive imaginary part first.
class GeneralEigen {
 public:
  GeneralEigen();
  ~GeneralEigen();

  void compute(const MatrixX& a);  // allocates only if the size changes
  const Eigen::VectorXcd& values() const;
  Eigen::MatrixXcd vectors() const;  // in columns, of length 1

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};
Eigen::VectorXcd eigenvalues(const MatrixX& a);

}  // namespace slipset
