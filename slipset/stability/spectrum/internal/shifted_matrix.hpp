// R Q(λ) C, Q(λ) = λ²M + λD + K, and its LU factors, by MUMPS, on a group of ranks.
// R and C are diagonal, of powers of two: rows and columns may have different units. Vectors here are those of RQC; x = C x̂
// and y = R ŷ are those of Q. The determinants differ by a constant factor.
#pragma once

#include "slipset/stability/spectrum.hpp"
#include "slipset/stability/spectrum/internal/petsc.hpp"

namespace slipset::internal {

class ShiftedMatrix {
 public:
  // Collective over the group. λ = scale·μ: mass() is scale²·RMC, damping() is scale·RDC. R and C are for |λ| = scale.
  ShiftedMatrix(const QuadraticProblem& problem, MPI_Comm group, double scale);

  // P Q(λ) P' = L U; the order of elimination is found once. False: singular to working precision, and nothing is
  // factorised.
  bool factorise(std::complex<double> value);
  // |RQC|·|(RQC)⁻¹|, estimated from below by two steps of inverse iteration.
  double condition();
  // Of the factorised matrix: log|det|, and the argument.
  std::complex<double> log_determinant() const;
  void solve(Vec b, Vec x);
  void solve_transposed(Vec b, Vec x);

  Mat mass() const { return mass_; }
  Mat damping() const { return damping_; }
  Mat stiffness() const { return stiffness_; }
  double scale() const { return scale_; }
  MPI_Comm group() const { return group_; }
  Eigen::Index size() const { return size_; }
  int factorisations() const { return factorisations_; }
  int solves() const { return solves_; }

  // A vector on all ranks of the group, and back. The second has one entry per row on every rank.
  OwnedVec vector() const;
  Eigen::VectorXcd gather(Vec x);
  const Eigen::VectorXd& row_scales() const { return row_scales_; }        // R
  const Eigen::VectorXd& column_scales() const { return column_scales_; }  // C
  void scatter(const Eigen::VectorXcd& from, Vec x) const;

 private:
  void fill(std::complex<double> value);

  MPI_Comm group_;
  double scale_;
  Eigen::Index size_;
  Eigen::VectorXd row_scales_, column_scales_;
  OwnedMat mass_, damping_, stiffness_, shifted_, factors_;
  OwnedScatter to_all_;
  OwnedVec everywhere_;
  // Rows of this rank: pattern of all three matrices together, and their values in it.
  Eigen::Index first_row_ = 0, last_row_ = 0;
  std::vector<PetscInt> row_begin_, columns_;
  std::vector<double> m_, d_, k_;
  std::vector<PetscScalar> row_values_;
  int factorisations_ = 0, solves_ = 0;
  PetscInt more_memory_ = 25;  // [%] than MUMPS foresees
};

}  // namespace slipset::internal
