// The Delassus matrix W of many contacts, u = W p + q (C.1), in blocks of the contacts' rows.  docs/theory/contact.md
// Compressed rows of blocks: dense systems have all blocks, sparse ones a few. Every row has its diagonal block;
// columns ascend within a row. Blocks are 1x1 to 6x6, values of one row behind each other. Not necessarily symmetric.
#pragma once

#include <cstdint>

#include "slipset/contact/delassus.hpp"
#include "slipset/contact/sparse.hpp"

namespace slipset {

class BlockDelassus final : public DelassusOperator {
 public:
  struct Entry {
    std::size_t row, column;  // contacts
    ContactMat values;
  };
  template <int Rows>
  struct Block {
    std::size_t column;
    Eigen::Map<const RowsMat<Rows>> values;
  };

  BlockDelassus() = default;
  // From a matrix with three rows per contact, or as the layout says; blocks of zeros are left out. Throws
  // InvalidInput where sizes do not fit.
  explicit BlockDelassus(const Eigen::MatrixXd& dense);
  explicit BlockDelassus(const SparseMatrix& sparse);
  BlockDelassus(const RowLayout& layout, const Eigen::MatrixXd& dense);
  BlockDelassus(const RowLayout& layout, const SparseMatrix& sparse);
  // From blocks in any order; blocks of the same place add up. Throws InvalidInput for one that does not fit its place.
  BlockDelassus(const RowLayout& layout, std::span<const Entry> entries);
  // Three rows per contact.
  BlockDelassus(std::size_t contacts, std::span<const Entry> entries);

  // For building in place: a diagonal block of zeros for each contact, then block().
  void resize(std::size_t contacts, int rows = 3) { resize(RowLayout(contacts, rows)); }
  void resize(const RowLayout& layout);
  // Made of zeros if it is not there, which moves all behind it.
  template <int Rows = Eigen::Dynamic>
  Eigen::Map<RowsMat<Rows>> block(std::size_t row, std::size_t column) {
    return map<Rows>(place(row, column), row, column);
  }

  // For building row by row, nothing moves: begin(), then for each row append() its blocks, columns ascending, the
  // diagonal block among them, and end_row(). The values of a new block are zeros, column by column.
  void begin(const RowLayout& layout, std::size_t blocks = 0);  // with room for so many
  double* append(std::size_t column);
  void end_row();

  std::size_t blocks() const { return columns_.size(); }
  std::size_t blocks(std::size_t row) const { return starts_[row + 1] - starts_[row]; }
  std::span<const std::uint32_t> columns(std::size_t row) const {
    return {columns_.data() + starts_[row], blocks(row)};
  }
  // The k-th block of a row.
  template <int Rows = Eigen::Dynamic>
  Block<Rows> at(std::size_t row, std::size_t k) const {
    const std::size_t b = starts_[row] + k, column = columns_[b];
    const double* values = values_.data() + value_place(b);
    if constexpr (Rows == Eigen::Dynamic)
      return {column, Eigen::Map<const RowsMat<Rows>>(values, rows_of(row), rows_of(column))};
    else
      return {column, Eigen::Map<const RowsMat<Rows>>(values)};
  }
  template <int Rows = Eigen::Dynamic>
  Eigen::Map<RowsMat<Rows>> values_at(std::size_t row, std::size_t k) {
    return map<Rows>(starts_[row] + k, row, columns_[starts_[row] + k]);
  }
  template <int Rows>
  Eigen::Map<const RowsMat<Rows>> diagonal_of(std::size_t i) const {
    return at<Rows>(i, diagonal_[i] - starts_[i]).values;
  }
  std::size_t diagonal_place(std::size_t i) const { return diagonal_[i] - starts_[i]; }  // in its row
  // Where blocks are, without their values: for what is prepared once and used again.
  struct Pattern {
    RowLayout layout;
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> columns;
  };
  bool has(const Pattern& pattern) const {
    return layout_ == pattern.layout && starts_ == pattern.starts && columns_ == pattern.columns;
  }
  void copy_pattern(Pattern& to) const {
    to.layout = layout_;
    to.starts = starts_;
    to.columns = columns_;
  }
  SparseMatrix sparse() const;
  double largest() const;  // |W_ij|, NaN if one is

  const RowLayout& layout() const override { return layout_; }
  void multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const override;
  ContactMat diagonal(std::size_t i) const override { return diagonal_of<Eigen::Dynamic>(i); }
  void assemble(BlockDelassus& to) const override { to = *this; }
  std::unique_ptr<ShiftedSolver> shifted_solver() const override;
  const BlockDelassus* as_blocks() const override { return this; }

 private:
  Eigen::Index rows_of(std::size_t i) const { return layout_.rows(i); }
  // Where the values of a block begin.
  std::size_t value_place(std::size_t block) const { return places_.empty() ? area_ * block : places_[block]; }
  std::size_t place(std::size_t row, std::size_t column);  // of a block, made if it is not there
  template <int Rows>
  Eigen::Map<RowsMat<Rows>> map(std::size_t block, std::size_t row, std::size_t column) {
    double* values = values_.data() + value_place(block);
    if constexpr (Rows == Eigen::Dynamic)
      return Eigen::Map<RowsMat<Rows>>(values, rows_of(row), rows_of(column));
    else
      return Eigen::Map<RowsMat<Rows>>(values);
  }

  RowLayout layout_;
  std::size_t area_ = 9;  // numbers of a block, where all contacts have the same rows
  std::vector<double> values_;
  std::vector<std::uint32_t> columns_;
  std::vector<std::size_t> places_;  // of each block in values_, where the contacts' rows differ
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::size_t> diagonal_;  // blocks
};

}  // namespace slipset
