#include "slipset/contact/internal/block_lu.hpp"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>

#include "slipset/contact/internal/block_kernels.hpp"

namespace slipset::internal {
namespace {

using Index = Eigen::Index;

std::vector<std::size_t> minimum_degree(const BlockDelassus& pattern) {
  const std::size_t n = pattern.contacts();
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t i = 0; i < n; ++i)
    for (const std::uint32_t column : pattern.columns(i)) {
      triplets.emplace_back(static_cast<int>(i), static_cast<int>(column), 1.0);
      triplets.emplace_back(static_cast<int>(column), static_cast<int>(i), 1.0);
    }
  Eigen::SparseMatrix<double> graph(static_cast<Index>(n), static_cast<Index>(n));
  graph.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::size_t>(permutation.indices()[static_cast<Index>(i)]);
  return order;
}

}  // namespace

template <int Rows>
BlockLu<Rows>::BlockLu(const BlockDelassus& pattern, std::size_t most)
    : layout_(pattern.layout()), order_(minimum_degree(pattern)) {
  const std::size_t n = order_.size();
  place_.resize(n);
  for (std::size_t i = 0; i < n; ++i) place_[order_[i]] = i;
  // Columns of L, each with the structure of its children in the elimination tree.
  std::vector<std::vector<std::uint32_t>> below(n), children(n), above(n);
  for (std::size_t i = 0; i < n; ++i)
    for (const std::uint32_t other : pattern.columns(order_[i])) {
      const std::size_t j = place_[other];
      if (i != j) below[std::min(i, j)].push_back(static_cast<std::uint32_t>(std::max(i, j)));
    }
  std::size_t filled = 0;
  for (std::size_t k = 0; k < n; ++k) {
    auto& column = below[k];
    for (const std::uint32_t child : children[k])
      for (const std::uint32_t row : below[child])
        if (row > k) column.push_back(row);
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    filled += 2 * column.size();
    if (filled > most) {
      usable_ = false;
      return;
    }
    if (!column.empty()) children[column.front()].push_back(static_cast<std::uint32_t>(k));
    for (const std::uint32_t row : column) above[row].push_back(static_cast<std::uint32_t>(k));
    factor_work_ += static_cast<double>(column.size()) * (static_cast<double>(column.size()) + 1);
  }
  starts_.assign(n + 1, 0);
  upper_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    starts_[i] = columns_.size();
    columns_.insert(columns_.end(), above[i].begin(), above[i].end());
    upper_[i] = columns_.size();
    columns_.insert(columns_.end(), below[i].begin(), below[i].end());
  }
  starts_[n] = columns_.size();
  values_.resize(columns_.size());
  inverse_.resize(n);
  work_.resize(n);
  alone_.resize(n);
  x_.resize(n);
  if constexpr (Rows == Eigen::Dynamic) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      shift_places_.push_back(at);
      at += static_cast<std::size_t>(layout_.rows(i) * layout_.rows(i));
    }
  }
}

template <int Rows>
bool BlockLu<Rows>::factorize(const BlockDelassus& a, const Eigen::VectorXd* shift) {
  const std::size_t n = order_.size();
  const auto clear = [&](RowsMat<Rows>& block, std::size_t row, std::size_t column) {
    if constexpr (Rows == Eigen::Dynamic)
      block.setZero(layout_.rows(order_[row]), layout_.rows(order_[column]));
    else
      block.setZero();
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t own = order_[i];
    // Rows of open contacts: L and U have nothing beside the diagonal.
    alone_[i] = true;
    for (std::size_t k = 0; k < a.blocks(own) && alone_[i]; ++k) {
      const auto block = a.template at<Rows>(own, k);
      alone_[i] = block.column == own || block.values.isZero(0);
    }
    clear(work_[i], i, i);
    for (std::size_t k = starts_[i]; k < starts_[i + 1]; ++k) clear(work_[columns_[k]], i, columns_[k]);
    for (std::size_t k = 0; k < a.blocks(own); ++k) {
      const auto block = a.template at<Rows>(own, k);
      work_[place_[block.column]] = block.values;
    }
    if (shift) {
      if constexpr (Rows == Eigen::Dynamic)
        work_[i] +=
            Eigen::Map<const RowsMat<Rows>>(shift->data() + shift_places_[own], layout_.rows(own), layout_.rows(own));
      else
        work_[i] += Eigen::Map<const RowsMat<Rows>>(shift->data() + Rows * Rows * own);
    }
    for (std::size_t k = starts_[i]; k < upper_[i]; ++k) {
      const std::size_t c = columns_[k];
      const RowsMat<Rows> l = work_[c] * inverse_[c];
      values_[k] = l;
      if (alone_[i] || alone_[c]) continue;
      if constexpr (Rows == 3)
        subtract_products(l.data(), values_.data()->data() + 9 * upper_[c], columns_.data() + upper_[c],
                          starts_[c + 1] - upper_[c], work_.data()->data());
      else
        for (std::size_t m = upper_[c]; m < starts_[c + 1]; ++m) work_[columns_[m]].noalias() -= l * values_[m];
    }
    for (std::size_t k = upper_[i]; k < starts_[i + 1]; ++k) values_[k] = work_[columns_[k]];
    inverse_[i] = work_[i].inverse();
    if (!inverse_[i].allFinite()) return false;
  }
  return true;
}

template <int Rows>
void BlockLu<Rows>::solve(Eigen::VectorXd& x) const {
  const std::size_t n = order_.size();
  const auto subtract = [&](RowsVec<Rows>& sum, std::size_t first, std::size_t last) {
    if constexpr (Rows == 3)
      add_products(values_.data()->data() + 9 * first, columns_.data() + first, last - first, x_[0].data(), -1,
                   sum.data());
    else
      for (std::size_t k = first; k < last; ++k) sum.noalias() -= values_[k] * x_[columns_[k]];
  };
  for (std::size_t i = 0; i < n; ++i) {
    RowsVec<Rows> sum = part_of<Rows>(x, layout_, order_[i]);
    subtract(sum, starts_[i], upper_[i]);
    x_[i] = sum;
  }
  for (std::size_t i = n; i-- > 0;) {
    RowsVec<Rows> sum = x_[i];
    subtract(sum, upper_[i], starts_[i + 1]);
    x_[i].noalias() = inverse_[i] * sum;
    set_part<Rows>(x, layout_, order_[i], x_[i]);
  }
}

template class BlockLu<3>;
template class BlockLu<6>;
template class BlockLu<Eigen::Dynamic>;

}  // namespace slipset::internal
