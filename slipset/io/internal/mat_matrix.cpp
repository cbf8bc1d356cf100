// One matrix of a MATLAB file, sparse or full, by matio.
#include <fmt/format.h>

#include <cmath>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/mat_variables.hpp"
#include "slipset/io/internal/matrix_readers.hpp"
#include "slipset/io/internal/trial.hpp"

namespace slipset::internal {
namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

bool is_numeric(const matvar_t& variable) {
  return variable.class_type == MAT_C_SPARSE ||
         (variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64);
}

class MatMatrixReader {
 public:
  explicit MatMatrixReader(const std::filesystem::path& path) : path_(path.string()), file_(open_mat_file(path)) {}

  MatrixFile read(const std::string& wanted) {
    const std::string name = wanted.empty() ? only_matrix() : wanted;
    const MatVariable variable = owned(Mat_VarRead(file_.get(), name.c_str()));
    if (!variable) {
      const auto names = matrices(0);
      if (std::find(names.begin(), names.end(), name) != names.end()) fail(name, "cannot be read: the file is damaged");
      throw InvalidInput(fmt::format("{}: no matrix \"{}\"; it has {}", path_, name, fmt::join(names, ", ")));
    }
    if (!is_numeric(*variable)) fail(name, "is no matrix of numbers");
    if (variable->isComplex != 0) fail(name, "is complex; only real ones are read");
    if (variable->rank != 2 || variable->dims == nullptr) fail(name, "has not two dimensions");
    for (const int k : {0, 1})
      if (variable->dims[k] < 1 || variable->dims[k] > static_cast<std::size_t>(kMostRows))
        fail(name, fmt::format("has {} x {} numbers; expected from 1 to {} rows and columns", variable->dims[0],
                               variable->dims[1], kMostRows));
    if (variable->data == nullptr) fail(name, "has no data: the file is damaged");
    MatrixFile file;
    file.format = "MATLAB";
    file.name = name;
    file.matrix = Sparse(static_cast<Index>(variable->dims[0]), static_cast<Index>(variable->dims[1]));
    variable->class_type == MAT_C_SPARSE ? read_sparse(*variable, file) : read_full(*variable, file);
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw InvalidInput(fmt::format("{}: {} {}", path_, name, what));
  }

  // With more numbers than so many. The data are not read.
  std::vector<std::string> matrices(std::size_t more_than) {
    std::vector<std::string> names;
    Mat_Rewind(file_.get());
    while (const MatVariable variable = owned(Mat_VarReadNextInfo(file_.get()))) {
      if (variable->name == nullptr || !is_numeric(*variable) || variable->rank != 2 || variable->dims == nullptr)
        continue;
      if (variable->dims[0] > 0 && variable->dims[1] > more_than / variable->dims[0]) names.push_back(variable->name);
    }
    return names;
  }

  // Single numbers do not count, if there are others.
  std::string only_matrix() {
    std::vector<std::string> names = matrices(1);
    if (names.empty()) names = matrices(0);
    if (names.empty()) throw InvalidInput(fmt::format("{}: no matrix of numbers in it", path_));
    if (names.size() > 1)
      throw InvalidInput(
          fmt::format("{}: has {} matrices: {}; name one of them", path_, names.size(), fmt::join(names, ", ")));
    return names.front();
  }

  void read_sparse(const matvar_t& variable, MatrixFile& file) const {
    const auto& sparse = *static_cast<const mat_sparse_t*>(variable.data);
    Sparse& matrix = file.matrix;
    const auto columns = static_cast<std::size_t>(matrix.cols());
    const auto damaged = [&](const char* what) { fail(file.name, fmt::format("is damaged: {}", what)); };
    if (sparse.jc == nullptr || sparse.njc != columns + 1 || sparse.jc[0] != 0)
      damaged("its columns have no beginnings");
    for (std::size_t j = 0; j < columns; ++j)
      if (sparse.jc[j + 1] < sparse.jc[j]) damaged("a column ends before it begins");
    const std::size_t count = sparse.jc[columns];
    if (count > static_cast<std::size_t>(kMostEntries) || count > sparse.nir || count > sparse.ndata ||
        (count > 0 && (sparse.ir == nullptr || sparse.data == nullptr)))
      damaged("it has fewer entries than its columns need");
    matrix.resizeNonZeros(static_cast<Index>(count));
    for (std::size_t j = 0; j <= columns; ++j) matrix.outerIndexPtr()[j] = static_cast<int>(sparse.jc[j]);
    for (std::size_t k = 0; k < count; ++k) {
      if (sparse.ir[k] >= static_cast<std::size_t>(matrix.rows())) damaged("a row number is too large");
      matrix.innerIndexPtr()[k] = static_cast<int>(sparse.ir[k]);
    }
    // The type of a sparse matrix' numbers is not its class; files may hold them as smaller ones.
    const auto type = variable.data_type == MAT_T_SINGLE   ? MAT_C_SINGLE
                      : variable.data_type == MAT_T_DOUBLE ? MAT_C_DOUBLE
                                                           : MAT_C_EMPTY;
    if (!with_numbers(type, sparse.data, count, [&](const auto& values) {
          for (std::size_t k = 0; k < count; ++k)
            matrix.valuePtr()[k] = finite(static_cast<double>(values[k]), file.name);
        }))
      fail(file.name, "is sparse, but not of doubles; convert it with double()");
    if (const auto twice = sort_columns(matrix))
      fail(file.name, fmt::format("has entry ({}, {}) twice", twice->row + 1, twice->column + 1));
  }

  // Zeros are left out.
  void read_full(const matvar_t& variable, MatrixFile& file) const {
    Sparse& matrix = file.matrix;
    const auto rows = static_cast<std::size_t>(matrix.rows()), columns = static_cast<std::size_t>(matrix.cols());
    if (variable.data_size <= 0 || variable.nbytes / static_cast<std::size_t>(variable.data_size) / rows < columns)
      fail(file.name, "is damaged: it has fewer numbers than its size");
    with_numbers(variable.class_type, variable.data, rows * columns, [&](const auto& values) {
      std::size_t count = 0;
      for (const auto value : values) count += value != 0;
      if (count > static_cast<std::size_t>(kMostEntries)) fail(file.name, "has too many numbers");
      matrix.resizeNonZeros(static_cast<Index>(count));
      Index at = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
          const double value = finite(static_cast<double>(values[j * rows + i]), file.name);
          if (value == 0) continue;
          matrix.innerIndexPtr()[at] = static_cast<int>(i);
          matrix.valuePtr()[at++] = value;
        }
        matrix.outerIndexPtr()[j + 1] = static_cast<int>(at);
      }
    });
  }

  double finite(double value, const std::string& name) const {
    if (!std::isfinite(value)) fail(name, "has a number that is not finite");
    return value;
  }

  std::string path_;
  MatFile file_;
};

}  // namespace

MatrixFile read_mat_matrix(const std::filesystem::path& path, const std::string& name) {
  require_mat_file(path);
  return after_trial(path.string(), [&] { return MatMatrixReader(path).read(name); });
}

}  // namespace slipset::internal
