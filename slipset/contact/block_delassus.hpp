// The Delassus matrix W of many contacts, u = W p + q (C.1), in 3x3 blocks.      docs/theory/contact.md
// Compressed rows of blocks: dense systems have all blocks, sparse ones a few. Every row has its diagonal block;
// columns ascend within a row. Not necessarily symmetric.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset {

class BlockDelassus {
 public:
  struct Block {
    std::size_t column;
    Mat3 values;
  };
  struct Entry {
    std::size_t row, column;
    Mat3 values;
  };

  BlockDelassus() = default;
  // From a 3n x 3n matrix; blocks of zeros are left out. Throws InvalidInput unless the size is a multiple of 3.
  explicit BlockDelassus(const Eigen::MatrixXd& dense);
  explicit BlockDelassus(const Eigen::SparseMatrix<double>& sparse);
  // From blocks in any order; blocks of the same place add up. Throws InvalidInput for a place outside.
  BlockDelassus(std::size_t contacts, std::vector<Entry> entries);

  // For building in place: n rows with a diagonal block of zeros each, then block().
  void resize(std::size_t contacts);
  Mat3& block(std::size_t row, std::size_t column);  // made if it is not there, which moves all behind it

  // For building row by row, nothing moves: clear(), then each row with its diagonal block, columns ascending.
  void clear(std::size_t contacts = 0, std::size_t blocks = 0);  // with room for so many
  void append_row(std::span<const Block> row);

  std::size_t contacts() const { return diagonal_.size(); }
  std::size_t size() const { return blocks_.size(); }  // number of blocks
  std::span<const Block> row(std::size_t i) const { return {blocks_.data() + starts_[i], starts_[i + 1] - starts_[i]}; }
  std::span<Block> row(std::size_t i) { return {blocks_.data() + starts_[i], starts_[i + 1] - starts_[i]}; }
  const Mat3& diagonal(std::size_t i) const { return blocks_[diagonal_[i]].values; }

  // result = W p + q
  void multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const;
  Eigen::SparseMatrix<double> sparse() const;

 private:
  std::vector<Block> blocks_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::size_t> diagonal_;  // where in blocks_
};

}  // namespace slipset
