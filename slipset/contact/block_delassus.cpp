#include "slipset/contact/block_delassus.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <numeric>

#include "slipset/contact/internal/block_lu.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

std::size_t contacts_of(Index rows, Index columns) {
  if (rows != columns || rows % 3 != 0)
    throw InvalidInput(fmt::format(
        "contact problem: a Delassus matrix of {} x {}; it must be square with three rows per contact", rows, columns));
  return static_cast<std::size_t>(rows / 3);
}

[[noreturn]] void fail_at(std::size_t row, std::size_t column, std::size_t contacts) {
  throw InvalidInput(
      fmt::format("contact problem: a block at {}, {} of a Delassus matrix of {} contacts", row, column, contacts));
}

// One entry per block, block column by block column.
std::vector<BlockDelassus::Entry> entries_of(const RowLayout& layout, const SparseMatrix& sparse) {
  if (sparse.rows() != layout.rows() || sparse.cols() != layout.rows())
    throw InvalidInput(fmt::format("contact problem: a Delassus matrix of {} x {}; its contacts have {} rows together",
                                   sparse.rows(), sparse.cols(), layout.rows()));
  std::vector<std::uint32_t> contact(static_cast<std::size_t>(layout.rows()));
  for (std::size_t i = 0; i < layout.contacts(); ++i)
    std::fill_n(contact.begin() + layout.offset(i), layout.rows(i), static_cast<std::uint32_t>(i));
  std::vector<BlockDelassus::Entry> entries;
  std::vector<std::size_t> place(
      layout.contacts());  // of a block of this column in the entries, if it is not before them
  for (std::size_t j = 0, first = 0; j < layout.contacts(); ++j, first = entries.size())
    for (Index k = 0; k < layout.rows(j); ++k)
      for (SparseMatrix::InnerIterator entry(sparse, layout.offset(j) + k); entry; ++entry) {
        const std::size_t i = contact[static_cast<std::size_t>(entry.row())];
        if (place[i] < first || place[i] >= entries.size() || entries[place[i]].row != i) {
          place[i] = entries.size();
          entries.push_back({i, j, ContactMat::Zero(layout.rows(i), layout.rows(j))});
        }
        entries[place[i]].values(entry.row() - layout.offset(i), k) += entry.value();
      }
  return entries;
}

// (W + S)⁻¹ by sparse factors in blocks.
template <int Rows>
class BlockShiftedSolver final : public ShiftedSolver {
 public:
  explicit BlockShiftedSolver(const BlockDelassus& w) : w_(w), factors_(w, internal::kMostFill) {}
  bool usable() const { return factors_.usable(); }
  bool factorize(const Eigen::VectorXd& shift) override { return factors_.factorize(w_, &shift); }
  void solve(Eigen::VectorXd& x) override { factors_.solve(x); }

 private:
  const BlockDelassus& w_;
  internal::BlockLu<Rows> factors_;
};

template <int Rows>
std::unique_ptr<ShiftedSolver> shifted(const BlockDelassus& w) {
  auto solver = std::make_unique<BlockShiftedSolver<Rows>>(w);
  if (!solver->usable()) return nullptr;
  return solver;
}

template <int Rows>
void multiply(const BlockDelassus& w, const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) {
  for (std::size_t i = 0; i < w.contacts(); ++i) {
    RowsVec<Rows> sum = part_of<Rows>(q, w.layout(), i);
    for (std::size_t k = 0; k < w.blocks(i); ++k) {
      const auto block = w.at<Rows>(i, k);
      sum.noalias() += block.values * part_of<Rows>(p, w.layout(), block.column);
    }
    set_part<Rows>(result, w.layout(), i, sum);
  }
}

}  // namespace

BlockDelassus::BlockDelassus(const Eigen::MatrixXd& dense)
    : BlockDelassus(RowLayout(contacts_of(dense.rows(), dense.cols())), dense) {}

BlockDelassus::BlockDelassus(const RowLayout& layout, const Eigen::MatrixXd& dense) {
  if (dense.rows() != layout.rows() || dense.cols() != layout.rows())
    throw InvalidInput(fmt::format("contact problem: a Delassus matrix of {} x {}; its contacts have {} rows together",
                                   dense.rows(), dense.cols(), layout.rows()));
  begin(layout);
  for (std::size_t i = 0; i < layout.contacts(); ++i) {
    for (std::size_t j = 0; j < layout.contacts(); ++j) {
      const auto block = dense.block(layout.offset(i), layout.offset(j), layout.rows(i), layout.rows(j));
      if (i != j && block.isZero(0)) continue;
      Eigen::Map<Eigen::MatrixXd>(append(j), layout.rows(i), layout.rows(j)) = block;
    }
    end_row();
  }
}

BlockDelassus::BlockDelassus(const SparseMatrix& sparse)
    : BlockDelassus(RowLayout(contacts_of(sparse.rows(), sparse.cols())), sparse) {}

BlockDelassus::BlockDelassus(const RowLayout& layout, const SparseMatrix& sparse)
    : BlockDelassus(layout, entries_of(layout, sparse)) {}

BlockDelassus::BlockDelassus(std::size_t contacts, std::span<const Entry> entries)
    : BlockDelassus(RowLayout(contacts), entries) {}

BlockDelassus::BlockDelassus(const RowLayout& layout, std::span<const Entry> entries) {
  const std::size_t n = layout.contacts();
  for (const Entry& e : entries) {
    if (e.row >= n || e.column >= n) fail_at(e.row, e.column, n);
    if (e.values.rows() != layout.rows(e.row) || e.values.cols() != layout.rows(e.column))
      throw InvalidInput(
          fmt::format("contact problem: the block at {}, {} is {} x {}; these contacts have {} and {} rows", e.row,
                      e.column, e.values.rows(), e.values.cols(), layout.rows(e.row), layout.rows(e.column)));
  }
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return entries[a].row != entries[b].row ? entries[a].row < entries[b].row : entries[a].column < entries[b].column;
  });
  begin(layout, entries.size() + n);
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    bool has_diagonal = false;
    const auto add = [&](std::size_t column) {
      has_diagonal = has_diagonal || column == i;
      return append(column);
    };
    while (next < order.size() && entries[order[next]].row == i) {
      const std::size_t column = entries[order[next]].column;
      if (!has_diagonal && column > i) add(i);
      Eigen::Map<ContactMat> values(add(column), layout_.rows(i), layout_.rows(column));
      for (; next < order.size() && entries[order[next]].row == i && entries[order[next]].column == column; ++next)
        values += entries[order[next]].values;
    }
    if (!has_diagonal) add(i);
    end_row();
  }
}

void BlockDelassus::resize(const RowLayout& layout) {
  begin(layout, layout.contacts());
  for (std::size_t i = 0; i < layout.contacts(); ++i) {
    append(i);
    end_row();
  }
}

void BlockDelassus::begin(const RowLayout& layout, std::size_t blocks) {
  layout_ = layout;
  const std::size_t n = layout.contacts(), rows = n > 0 ? static_cast<std::size_t>(layout.rows(0)) : 3;
  area_ = rows * rows;
  values_.clear();
  values_.reserve(area_ * blocks);
  columns_.clear();
  columns_.reserve(blocks);
  places_.clear();
  starts_.reserve(n + 1);
  starts_.assign(1, 0);
  diagonal_.clear();
  diagonal_.reserve(n);
}

double* BlockDelassus::append(std::size_t column) {
  if (starts_.size() > contacts() || column >= contacts()) fail_at(starts_.size() - 1, column, contacts());
  const std::size_t row = starts_.size() - 1, at = values_.size();
  if (column == row) diagonal_.push_back(columns_.size());
  const bool differ = !layout_.all_have(layout_.rows(0));
  if (differ) places_.push_back(at);
  columns_.push_back(static_cast<std::uint32_t>(column));
  values_.resize(at + static_cast<std::size_t>(layout_.rows(row) * layout_.rows(column)), 0.0);
  return values_.data() + at;
}

void BlockDelassus::end_row() {
  assert(diagonal_.size() == starts_.size());
  starts_.push_back(columns_.size());
}

std::size_t BlockDelassus::place(std::size_t row, std::size_t column) {
  if (row >= contacts() || column >= contacts()) fail_at(row, column, contacts());
  const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(starts_[row + 1]);
  const auto found = std::lower_bound(columns_.begin() + static_cast<std::ptrdiff_t>(starts_[row]), end, column);
  const auto where = static_cast<std::size_t>(found - columns_.begin());
  if (found != end && *found == column) return where;
  const std::size_t at = where < columns_.size() ? value_place(where) : values_.size();
  const auto size = static_cast<std::size_t>(layout_.rows(row) * layout_.rows(column));
  values_.insert(values_.begin() + static_cast<std::ptrdiff_t>(at), size, 0.0);
  columns_.insert(found, static_cast<std::uint32_t>(column));
  if (!layout_.all_have(layout_.rows(0))) {
    places_.insert(places_.begin() + static_cast<std::ptrdiff_t>(where), at);
    for (std::size_t b = where + 1; b < places_.size(); ++b) places_[b] += size;
  }
  for (std::size_t i = row + 1; i < starts_.size(); ++i) ++starts_[i];
  for (std::size_t& d : diagonal_) d += d >= where;
  return where;
}

void BlockDelassus::multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const {
  if (layout_.all_have(3))
    multiply<3>(*this, p, q, result);
  else
    multiply<Eigen::Dynamic>(*this, p, q, result);
}

std::unique_ptr<ShiftedSolver> BlockDelassus::shifted_solver() const {
  return layout_.all_have(3) ? shifted<3>(*this) : shifted<Eigen::Dynamic>(*this);
}

double BlockDelassus::largest() const {
  double largest = 0, sum = 0;
  for (const double x : values_) {
    largest = std::max(largest, std::abs(x));
    sum += 0 * x;  // NaN if one is not finite
  }
  return largest + sum;
}

SparseMatrix BlockDelassus::sparse() const {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(values_.size());
  for (std::size_t i = 0; i < contacts(); ++i)
    for (std::size_t k = 0; k < blocks(i); ++k) {
      const auto block = at(i, k);
      for (Index c = 0; c < block.values.cols(); ++c)
        for (Index r = 0; r < block.values.rows(); ++r)
          triplets.emplace_back(static_cast<int>(offset(i) + r), static_cast<int>(offset(block.column) + c),
                                block.values(r, c));
    }
  SparseMatrix all(rows(), rows());
  all.setFromTriplets(triplets.begin(), triplets.end());
  return all;
}

}  // namespace slipset
