// Matrices of at most six rows, without the heap: their decompositions, compiled once as those of dense.hpp.
#pragma once

#include <Eigen/Core>

namespace slipset::internal {

using SmallVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using SmallMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// x with A x = b, A regular; with pivots from all of what is left.
SmallVec solve_full_pivot(const SmallMat& a, const SmallVec& b);
SmallMat small_inverse_of(const SmallMat& a);
// A⁺: A⁺b is the shortest of the x that make |A x - b| smallest.
SmallMat pseudo_inverse_of(const SmallMat& a);

}  // namespace slipset::internal
