// Sparse real matrices from files of finite element programs.                                       docs/formats.md
//   Matrix Market; MATLAB .mat; Abaqus *MATRIX OUTPUT (matrix input and coordinate form); Nastran DMIG and OP4 (text and
//   binary); Harwell-Boeing. The format is recognised by the content, and by the extension where that alone tells:
//   .mat (version 4), .mtx (Abaqus without a keyword line).
#pragma once

#include <Eigen/SparseCore>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slipset {

// A degree of freedom as the finite element program knows it.
struct DofLabel {
  std::int64_t node = 0;  // its label; Abaqus gives negative ones to nodes of its own
  int dof = 0;            // direction: 1, 2, 3 displacements, 4, 5, 6 rotations; 0 for Nastran's scalar points
  auto operator<=>(const DofLabel&) const = default;
};

enum class StoredAs { general, symmetric, skew_symmetric };

struct MatrixFile {
  Eigen::SparseMatrix<double> matrix;  // whole: both triangles; rows in order within each column
  // Row i belongs to rows[i], column j to columns[j], sorted by node, then dof. Empty where a format has numbers only.
  std::vector<DofLabel> rows, columns;
  std::string format;                      // "Matrix Market", "Abaqus matrix input", ...
  std::string name;                        // of the matrix in the file; empty if it has none
  StoredAs stored_as = StoredAs::general;  // symmetric, skew_symmetric: the file has one triangle, the other was added
};

// The matrix of this name (upper and lower case are one, but not in MATLAB files); without a name, the only one. A
// strict reader: throws InvalidInput with file, line (or byte), what was found and what to do for anything that is not
// one whole matrix of finite numbers, with each entry once. At most 10⁸ rows and columns and 2³¹ − 1 entries. The file is
// streamed; memory peaks at 28 bytes per entry of the matrix, besides the labels (MATLAB: 24 if sparse; Harwell-Boeing:
// 12, and 18 for a symmetric one). Measured with 10⁷ entries: 24 Matrix Market, 38 Abaqus with 4·10⁵ labels, 24 MATLAB, 12
// Harwell-Boeing; 1 to 4 s.
MatrixFile read_matrix_file(const std::filesystem::path& path, std::string_view name = {});
// Only its numbers.
Eigen::SparseMatrix<double> read_sparse_matrix(const std::filesystem::path& path, std::string_view name = {});

// The row (or column) of a degree of freedom. Throws InvalidInput if it is not among the labels.
Eigen::Index index_of(const std::vector<DofLabel>& labels, const DofLabel& label);

}  // namespace slipset
