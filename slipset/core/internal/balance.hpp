// Before eigenvalues are computed: a matrix whose rows and columns have different units, without them.
#pragma once

#include "slipset/core/dense.hpp"

namespace slipset::internal {

// D⁻¹AD in place of A, with rows and columns of about the same size; D is diagonal, of powers of two. The eigenvalues
// are those of A, found to more digits. Allocates only if the size changes.
void balance(MatrixX& a, VectorX& d);

}  // namespace slipset::internal
