#include "slipset/io/internal/siconos_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "slipset/contact/block_delassus.hpp"

namespace slipset::internal {
namespace {

using Triplet = Eigen::Triplet<double>;

constexpr std::size_t kMostSize = 100'000'000;

class MatrixReader {
 public:
  MatrixReader(SiconosTokens& file, const char* name) : file_(file), name_(name) {}

  Eigen::SparseMatrix<double> read() {
    const std::size_t storage = file_.count(what("the storage type"), 2);
    rows_ = file_.count(what("the number of rows"), kMostSize);
    columns_ = file_.count(what("the number of columns"), kMostSize);
    switch (storage) {
      case 0: read_dense(); break;
      case 1: read_blocks(); break;
      default: read_sparse(); break;
    }
    Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(rows_), static_cast<Eigen::Index>(columns_));
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    return matrix;
  }

 private:
  const char* what(const char* of) {
    text_ = fmt::format("{}: {}", name_, of);
    return text_.c_str();
  }
  void add(std::size_t row, std::size_t column, double value) {
    entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }

  void read_dense() {
    file_.expect(what("the number of rows once more"), rows_);
    file_.expect(what("the number of columns once more"), columns_);
    if (rows_ != 0 && columns_ > file_.most_left() / rows_) file_.fail(fmt::format("the file ends within {}", name_));
    for (std::size_t column = 0; column < columns_; ++column)
      for (std::size_t row = 0; row < rows_; ++row)
        if (const double value = file_.number(name_, column); value != 0) add(row, column, value);
  }

  // Cumulated rows of the blocks: 3, 6, 9, ...
  std::vector<std::size_t> read_ends(const char* of, std::size_t blocks, std::size_t all) {
    std::vector<std::size_t> ends{0};
    for (std::size_t i = 0; i < blocks; ++i) {
      ends.push_back(file_.count(what(of), all, i));
      if (ends[i + 1] <= ends[i])
        file_.fail(fmt::format("{}: {} {} ends at {}, not behind the one before it", name_, of, i, ends[i + 1]));
    }
    if (ends.back() != all)
      file_.fail(fmt::format("{}: the {}s end at {}; the matrix has {}", name_, of, ends.back(), all));
    return ends;
  }

  void read_blocks() {
    const std::size_t most = file_.most_left();
    const std::size_t blocks = file_.count(what("the number of blocks"), most);
    const std::size_t block_rows = file_.count(what("the number of block rows"), std::min(rows_, most));
    const std::size_t block_columns = file_.count(what("the number of block columns"), std::min(columns_, most));
    const std::vector<std::size_t> rows = read_ends("block row", block_rows, rows_);
    const std::vector<std::size_t> columns = read_ends("block column", block_columns, columns_);
    const std::size_t filled_1 = file_.count(what("the number of row starts"), most),
                      filled_2 = file_.count(what("the number of places"), most);
    if (filled_1 > block_rows + 1) file_.fail(fmt::format("{}: more row starts than block rows", name_));
    if (filled_2 < blocks) file_.fail(fmt::format("{}: {} places for {} blocks", name_, filled_2, blocks));
    std::vector<std::size_t> starts, places;
    for (std::size_t i = 0; i < filled_1; ++i) {
      starts.push_back(file_.count(what("row start"), blocks, i));
      if (i > 0 && starts[i] < starts[i - 1])
        file_.fail(fmt::format("{}: row start {} is before the one above it", name_, i));
    }
    if (blocks > 0 && (starts.empty() || starts.front() != 0 || starts.back() != blocks))
      file_.fail(fmt::format("{}: the row starts must go from 0 to the number of blocks", name_));
    for (std::size_t i = 0; i < filled_2; ++i) {
      // Those behind the last block mean nothing.
      places.push_back(file_.count(what("block column number"), SiconosTokens::kNone, i));
      if (i < blocks && places[i] >= block_columns)
        file_.fail(fmt::format("{}: block {} in column {}: outside the matrix", name_, i, places[i]));
    }
    std::size_t row = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      file_.expect(what("the block's number"), b);
      while (row + 1 < starts.size() && starts[row + 1] <= b) ++row;
      for (std::size_t j = columns[places[b]]; j < columns[places[b] + 1]; ++j)
        for (std::size_t i = rows[row]; i < rows[row + 1]; ++i) add(i, j, file_.number(what("a number of block"), b));
    }
  }

  // As CSparse prints it, behind one number that says which form of the matrix was filled first.
  void read_sparse() {
    file_.count(what("the form of the sparse matrix"), 3);
    if (file_.next() != "CSparse")
      file_.fail(fmt::format("{}: found \"{}\", expected the line \"CSparse Version ...\"", name_, file_.next()));
    file_.skip_word();
    file_.skip_line();
    const bool triplets = file_.next() == "triplet:";
    if (triplets) file_.skip_word();
    const std::size_t rows = file_.count_after("", what("rows of the sparse matrix"), kMostSize);
    const std::size_t columns = file_.count_after("-by", what("columns of the sparse matrix"), kMostSize);
    if (rows != rows_ || columns != columns_)
      file_.fail(fmt::format("{}: the sparse matrix is {} x {}, the header says {} x {}", name_, rows, columns, rows_,
                             columns_));
    file_.count_after(", nzmax:", what("the room for numbers"), SiconosTokens::kNone);
    const std::size_t count = file_.count_after(", nz:", what("the number of numbers"), file_.most_left());
    file_.skip_line();  // a norm
    entries_.reserve(count);
    if (triplets) {
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t row = file_.count(what("row of number"), rows_ - 1, k);
        read_value(row, file_.count(what("column of number"), columns_ - 1, k), k);
      }
      return;
    }
    std::size_t k = 0;
    for (std::size_t column = 0; column < columns_; ++column) {
      if (file_.count_after("col", what("number of a column"), kMostSize) != column)
        file_.fail(fmt::format("{}: expected column {}", name_, column));
      const std::size_t from = file_.count_after(": locations", what("first place of column"), count);
      if (from != k) file_.fail(fmt::format("{}: column {} begins at {}, expected {}", name_, column, from, k));
      // To the last one: one before the first where there is none, and -1 where the first is 0.
      file_.skip_word();
      const bool none = file_.next() == "-1";
      const std::size_t last = none ? 0 : file_.count(what("last place of column"), count, column);
      if (none) file_.skip_word();
      if (!none && last + 1 < from) file_.fail(fmt::format("{}: column {} ends before it begins", name_, column));
      for (const std::size_t end = none ? 0 : last + 1; k < end; ++k)
        read_value(file_.count(what("row of number"), rows_ - 1, k), column, k);
    }
    if (k != count) file_.fail(fmt::format("{}: {} numbers in its columns, expected {}", name_, k, count));
  }

  void read_value(std::size_t row, std::size_t column, std::size_t k) {
    if (file_.next() != ":")
      file_.fail(fmt::format("{}: number {}: found \"{}\", expected \":\"", name_, k, file_.next()));
    file_.skip_word();
    add(row, column, file_.number(name_, k));
  }

  SiconosTokens& file_;
  const char* name_;
  std::string text_;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<Triplet> entries_;
};

}  // namespace

Eigen::SparseMatrix<double> read_siconos_matrix(SiconosTokens& file, const char* name) {
  return MatrixReader(file, name).read();
}

std::string siconos_matrix(const Eigen::SparseMatrix<double>& matrix) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  const auto count = matrix.nonZeros();
  fmt::format_to(to, "2\n{}\n{}\n1\nCSparse Version 3.2.0, written by slipset with all digits\n", matrix.rows(),
                 matrix.cols());
  fmt::format_to(to, "triplet: {}-by-{}, nzmax: {} nnz: {}\n", matrix.rows(), matrix.cols(), count, count);
  for (Eigen::Index k = 0; k < matrix.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, k); entry; ++entry)
      fmt::format_to(to, "    {} {} : {:.17g}\n", entry.row(), entry.col(), entry.value());
  return fmt::to_string(out);
}

std::string siconos_block_matrix(const Eigen::SparseMatrix<double>& matrix, int rows) {
  const auto n = static_cast<std::size_t>(matrix.rows() / rows);
  const BlockDelassus blocks(RowLayout(n, rows), matrix);
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "1\n{}\n{}\n{}\n{}\n{}\n", matrix.rows(), matrix.rows(), blocks.blocks(), n, n);
  for (int twice = 0; twice < 2; ++twice) {
    for (std::size_t i = 0; i < n; ++i) fmt::format_to(to, "{} ", static_cast<std::size_t>(rows) * (i + 1));
    fmt::format_to(to, "\n");
  }
  fmt::format_to(to, "{}\n{}\n", n + 1, blocks.blocks());
  std::size_t start = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    fmt::format_to(to, "{} ", start);
    if (i < n) start += blocks.blocks(i);
  }
  fmt::format_to(to, "\n");
  for (std::size_t i = 0; i < n; ++i)
    for (const std::uint32_t column : blocks.columns(i)) fmt::format_to(to, "{} ", column);
  fmt::format_to(to, "\n");
  std::size_t number = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < blocks.blocks(i); ++b) {
      fmt::format_to(to, "{}\n", number++);
      const auto block = blocks.at(i, b);
      for (const double value : block.values.reshaped()) fmt::format_to(to, "{:.17g} ", value);
      fmt::format_to(to, "\n");
    }
  return fmt::to_string(out);
}

}  // namespace slipset::internal
