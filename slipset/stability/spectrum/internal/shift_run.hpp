// One shift: the eigenvalues near it, and of those in the region both vectors, refined.
#pragma once

#include "slipset/stability/internal/quadratic_form.hpp"
#include "slipset/stability/spectrum/internal/shifted_matrix.hpp"
#include "slipset/stability/spectrum/internal/team.hpp"

namespace slipset::internal {

struct ShiftPlan {
  std::complex<double> shift;
  int wanted = 0;      // eigenvalues
  SpectrumBox region;  // vectors are wanted here
  double tolerance = 0;
  int run = 0;
};

// Collective over the matrix' group. Never throws: what went wrong is in the result.
ShiftResult run_shift(ShiftedMatrix& matrix, const QuadraticForm& form, const ShiftPlan& plan);

}  // namespace slipset::internal
