// Eigen's sparse matrix by name, without its headers: who fills or reads one includes <Eigen/SparseCore>.
#pragma once

namespace Eigen {
template <typename Scalar, int Options, typename StorageIndex>
class SparseMatrix;
}

namespace slipset {

using SparseMatrix = Eigen::SparseMatrix<double, 0, int>;

}  // namespace slipset
