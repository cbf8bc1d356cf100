// Matrices from Matrix Market files (.mtx).                   https://math.nist.gov/MatrixMarket/formats.html
//   %%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric
//   comments with %, a line of sizes, then one entry per line: "row column value", or values column by column
#pragma once

#include <Eigen/Core>
#include <filesystem>

namespace slipset {

// The whole matrix, the other triangle of a symmetric one filled in. Throws InvalidInput with file, line, what was
// found and what is allowed: a strict reader, which refuses entries that are missing, too many, twice, above the
// diagonal of a symmetric matrix or not finite, and matrices of more than 10⁸ numbers.
Eigen::MatrixXd read_matrix_market(const std::filesystem::path& path);

}  // namespace slipset
