#include "slipset/io/internal/sparse_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

// Counts in starts[1...], one per column, to where each column begins.
void sum_up(Sparse& matrix) {
  int* const starts = matrix.outerIndexPtr();
  std::int64_t all = 0;
  for (Index j = 0; j < matrix.outerSize(); ++j) {
    all += starts[j + 1];
    if (all > kMostEntries) throw InvalidInput(fmt::format("more than {} entries in one matrix", kMostEntries));
    starts[j + 1] = static_cast<int>(all);
  }
  matrix.resizeNonZeros(static_cast<Index>(all));
}

// After each column was filled from its start on, starts[j] is where column j ends.
void restore_starts(Sparse& matrix) {
  int* const starts = matrix.outerIndexPtr();
  for (Index j = matrix.outerSize(); j > 0; --j) starts[j] = starts[j - 1];
  starts[0] = 0;
}

bool has(const Sparse& matrix, int row, int column) {
  const int* const rows = matrix.innerIndexPtr();
  const int* const starts = matrix.outerIndexPtr();
  return std::binary_search(rows + starts[column], rows + starts[column + 1], row);
}

}  // namespace

void SparseEntries::grow() {
  blocks_.emplace_back();
  blocks_.back().reserve(kBlock);
}

void SparseEntries::renumber(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns) {
  for (auto& block : blocks_)
    for (Entry& entry : block) {
      entry.row = rows[static_cast<std::size_t>(entry.row)];
      entry.column = columns[static_cast<std::size_t>(entry.column)];
    }
  rows_ = rows;
  columns_ = columns;
}

Sparse SparseEntries::assemble(Index rows, Index columns) {
  Sparse matrix(rows, columns);
  int* const starts = matrix.outerIndexPtr();
  std::size_t count = 0;
  for (const auto& block : blocks_) count += block.size();
  if (count > static_cast<std::size_t>(kMostEntries))
    throw InvalidInput(fmt::format("{} entries; at most {} fit in one matrix", count, kMostEntries));
  for (const auto& block : blocks_)
    for (const Entry& entry : block) ++starts[entry.column + 1];
  sum_up(matrix);
  for (auto& block : blocks_) {
    for (const Entry& entry : block) {
      const int at = starts[entry.column]++;
      matrix.innerIndexPtr()[at] = entry.row;
      matrix.valuePtr()[at] = entry.value;
    }
    std::vector<Entry>().swap(block);
  }
  blocks_.clear();
  restore_starts(matrix);
  if (const auto twice = sort_columns(matrix)) {
    const auto before = [](const std::vector<std::int32_t>& renumbered, Index now) {
      const auto at = std::find(renumbered.begin(), renumbered.end(), static_cast<std::int32_t>(now));
      return renumbered.empty() ? now : static_cast<Index>(at - renumbered.begin());
    };
    throw RepeatedEntry{{before(rows_, twice->row), before(columns_, twice->column)}};
  }
  return matrix;
}

std::optional<Place> sort_columns(Sparse& matrix) {
  std::vector<std::pair<int, double>> column;
  for (Index j = 0; j < matrix.outerSize(); ++j) {
    const int begin = matrix.outerIndexPtr()[j], end = matrix.outerIndexPtr()[j + 1];
    int* const rows = matrix.innerIndexPtr();
    double* const values = matrix.valuePtr();
    if (!std::is_sorted(rows + begin, rows + end)) {
      column.clear();
      for (int k = begin; k < end; ++k) column.emplace_back(rows[k], values[k]);
      std::sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (int k = begin; k < end; ++k) std::tie(rows[k], values[k]) = column[static_cast<std::size_t>(k - begin)];
    }
    const int* const twice = std::adjacent_find(rows + begin, rows + end);
    if (twice != rows + end) return Place{*twice, j};
  }
  return std::nullopt;
}

Pairs pairs_of(const Sparse& matrix) {
  Pairs pairs;
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
      const int i = static_cast<int>(entry.row());
      if (i == j) continue;
      if (!has(matrix, j, i)) {
        ++pairs.single;
      } else if (i > j) {
        const bool equal = matrix.coeff(j, i) == entry.value();
        if (++(equal ? pairs.equal : pairs.unequal) == 1) (equal ? pairs.first_equal : pairs.first_unequal) = {i, j};
      }
    }
  return pairs;
}

Sparse with_other_triangle(const Sparse& matrix, double sign) {
  Sparse whole(matrix.rows(), matrix.cols());
  int* const starts = whole.outerIndexPtr();
  const auto each = [&](const auto& put) {
    for (int j = 0; j < matrix.outerSize(); ++j)
      for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
        const int i = static_cast<int>(entry.row());
        put(i, j, entry.value());
        if (i != j && !has(matrix, j, i)) put(j, i, sign * entry.value());
      }
  };
  each([&](int, int j, double) { ++starts[j + 1]; });
  sum_up(whole);
  each([&](int i, int j, double value) {
    const int at = starts[j]++;
    whole.innerIndexPtr()[at] = i;
    whole.valuePtr()[at] = value;
  });
  restore_starts(whole);
  sort_columns(whole);
  return whole;
}

}  // namespace slipset::internal
