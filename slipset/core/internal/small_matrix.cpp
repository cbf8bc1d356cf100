#include "slipset/core/internal/small_matrix.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace slipset::internal {

SmallVec solve_full_pivot(const SmallMat& a, const SmallVec& b) { return a.fullPivLu().solve(b); }
SmallMat small_inverse_of(const SmallMat& a) { return a.inverse(); }
SmallMat pseudo_inverse_of(const SmallMat& a) { return a.completeOrthogonalDecomposition().pseudoInverse(); }

}  // namespace slipset::internal
