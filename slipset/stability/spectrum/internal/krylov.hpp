// The eigenvalues nearest to a shift, by SLEPc's TOAR: the Krylov space of (A - σB)⁻¹B of (F.2), kept in the n rows of x
// alone [LSB16]. Its only factorisation is that of Q(σ), which the caller has made.
#pragma once

#include "slipset/stability/spectrum/internal/shifted_matrix.hpp"

namespace slipset::internal {

struct Nearest {
  std::vector<std::complex<double>> values;  // nearest first
  std::vector<Eigen::VectorXcd> vectors;     // empty where `keep` said so
  double radius = 0;                         // all eigenvalues at most this far from the shift are found; 0: none
};

// Collective over the matrix' group; `matrix` is factorised at `shift`. Transposed: of Qᵀ, whose vectors are ȳ. `seed`
// chooses the vector to start from: the same on any number of ranks.
Nearest nearest_eigenvalues(ShiftedMatrix& matrix, std::complex<double> shift, int wanted, double tolerance,
                            bool transposed, unsigned seed, const std::function<bool(std::complex<double>)>& keep);

}  // namespace slipset::internal
