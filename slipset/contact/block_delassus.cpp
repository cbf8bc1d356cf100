#include "slipset/contact/block_delassus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

std::size_t contacts_of(Index rows, Index columns) {
  if (rows != columns || rows % 3 != 0)
    throw InvalidInput(fmt::format(
        "contact problem: a Delassus matrix of {} x {}; it must be square with three rows a contact", rows, columns));
  return static_cast<std::size_t>(rows / 3);
}

std::vector<BlockDelassus::Entry> entries_of(const Eigen::MatrixXd& dense) {
  const std::size_t n = contacts_of(dense.rows(), dense.cols());
  std::vector<BlockDelassus::Entry> entries;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Mat3 values = dense.block<3, 3>(at(i), at(j));
      if (!values.isZero(0)) entries.push_back({i, j, values});
    }
  return entries;
}

std::vector<BlockDelassus::Entry> entries_of(const Eigen::SparseMatrix<double>& sparse) {
  contacts_of(sparse.rows(), sparse.cols());
  std::vector<BlockDelassus::Entry> entries;
  for (Index outer = 0; outer < sparse.outerSize(); ++outer)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse, outer); entry; ++entry) {
      const auto row = static_cast<std::size_t>(entry.row()), column = static_cast<std::size_t>(entry.col());
      if (entries.empty() || entries.back().row != row / 3 || entries.back().column != column / 3)
        entries.push_back({row / 3, column / 3, Mat3::Zero()});
      entries.back().values(entry.row() % 3, entry.col() % 3) += entry.value();
    }
  return entries;
}

}  // namespace

BlockDelassus::BlockDelassus(const Eigen::MatrixXd& dense)
    : BlockDelassus(contacts_of(dense.rows(), dense.cols()), entries_of(dense)) {}

BlockDelassus::BlockDelassus(const Eigen::SparseMatrix<double>& sparse)
    : BlockDelassus(contacts_of(sparse.rows(), sparse.cols()), entries_of(sparse)) {}

BlockDelassus::BlockDelassus(std::size_t contacts, std::vector<Entry> entries) {
  for (const Entry& e : entries)
    if (e.row >= contacts || e.column >= contacts)
      throw InvalidInput(fmt::format("contact problem: a block at {}, {} of a Delassus matrix of {} contacts", e.row,
                                     e.column, contacts));
  for (std::size_t i = 0; i < contacts; ++i) entries.push_back({i, i, Mat3::Zero()});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  blocks_.reserve(entries.size());
  starts_.assign(contacts + 1, 0);
  diagonal_.assign(contacts, 0);
  const Entry* before = nullptr;
  for (const Entry& e : entries) {
    if (before && before->row == e.row && before->column == e.column) {
      blocks_.back().values += e.values;
    } else {
      blocks_.push_back({e.column, e.values});
      if (e.row == e.column) diagonal_[e.row] = blocks_.size() - 1;
      starts_[e.row + 1] = blocks_.size();
    }
    before = &e;
  }
}

void BlockDelassus::resize(std::size_t contacts) {
  blocks_.resize(contacts);
  starts_.resize(contacts + 1);
  diagonal_.resize(contacts);
  for (std::size_t i = 0; i < contacts; ++i) {
    blocks_[i] = {i, Mat3::Zero()};
    diagonal_[i] = starts_[i] = i;
  }
  starts_[contacts] = contacts;
}

void BlockDelassus::clear(std::size_t contacts, std::size_t blocks) {
  blocks_.clear();
  blocks_.reserve(blocks);
  starts_.reserve(contacts + 1);
  starts_.assign(1, 0);
  diagonal_.clear();
  diagonal_.reserve(contacts);
}

void BlockDelassus::append_row(std::span<const Block> row) {
  const std::size_t i = diagonal_.size();
  for (const Block& b : row) {
    if (b.column == i) diagonal_.push_back(blocks_.size());
    blocks_.push_back(b);
  }
  assert(diagonal_.size() == i + 1);
  starts_.push_back(blocks_.size());
}

Mat3& BlockDelassus::block(std::size_t row, std::size_t column) {
  const auto end = blocks_.begin() + static_cast<std::ptrdiff_t>(starts_[row + 1]);
  const auto place = std::lower_bound(blocks_.begin() + static_cast<std::ptrdiff_t>(starts_[row]), end, column,
                                      [](const Block& b, std::size_t c) { return b.column < c; });
  if (place != end && place->column == column) return place->values;
  const auto where = static_cast<std::size_t>(place - blocks_.begin());
  blocks_.insert(place, {column, Mat3::Zero()});
  for (std::size_t i = row + 1; i < starts_.size(); ++i) ++starts_[i];
  for (std::size_t& d : diagonal_) d += d >= where;
  return blocks_[where].values;
}

void BlockDelassus::multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const {
  for (std::size_t i = 0; i < contacts(); ++i) {
    Vec3 sum = q.segment<3>(at(i));
    for (const Block& b : row(i)) sum += b.values * p.segment<3>(at(b.column));
    result.segment<3>(at(i)) = sum;
  }
}

Eigen::SparseMatrix<double> BlockDelassus::sparse() const {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(9 * size());
  for (std::size_t i = 0; i < contacts(); ++i)
    for (const Block& b : row(i))
      for (Index k = 0; k < 9; ++k) triplets.emplace_back(at(i) + k % 3, at(b.column) + k / 3, b.values(k % 3, k / 3));
  Eigen::SparseMatrix<double> all(at(contacts()), at(contacts()));
  all.setFromTriplets(triplets.begin(), triplets.end());
  return all;
}

}  // namespace slipset
