// A matrix of Siconos' text files (NumericsMatrix).      docs/formats.md
//   storage, rows, columns; then
//   0  rows and columns again, and all numbers column by column
//   1  sparse blocks of any size, each column by column
//   2  CSparse's own print: triplets, or compressed columns
#pragma once

#include <Eigen/SparseCore>

#include "slipset/io/internal/siconos_tokens.hpp"

namespace slipset::internal {

// `name` stands in messages. Entries of one place add up.
Eigen::SparseMatrix<double> read_siconos_matrix(SiconosTokens& file, const char* name);
// Storage 2, triplets, with all digits.
std::string siconos_matrix(const Eigen::SparseMatrix<double>& matrix);
// Storage 1, square blocks of so many rows.
std::string siconos_block_matrix(const Eigen::SparseMatrix<double>& matrix, int rows);

}  // namespace slipset::internal
