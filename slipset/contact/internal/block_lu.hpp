// Sparse LU factors of a matrix in the contacts' blocks, for many matrices of one pattern.      docs/theory/contact.md
// The pattern is made symmetric, ordered (approximate minimum degree) and filled in once. Elimination goes row by row
// without exchanging block rows: pivots are diagonal blocks, which Newton's and the proximal matrices of contact
// problems keep regular.
#pragma once

#include "slipset/contact/block_delassus.hpp"

namespace slipset::internal {

inline constexpr std::size_t kMostFill = 4'000'000;  // blocks of L and U: 300 MB of three rows

template <int Rows>
class BlockLu {
 public:
  BlockLu() = default;
  // Not usable if L and U would have more than `most` blocks.
  explicit BlockLu(const BlockDelassus& pattern, std::size_t most = static_cast<std::size_t>(-1));
  bool usable() const { return usable_; }

  // a has the pattern's blocks, no others; `shift`, if there is any, is added to its diagonal blocks: the blocks one
  // behind the other, column by column. False if a pivot is singular.
  bool factorize(const BlockDelassus& a, const Eigen::VectorXd* shift = nullptr);
  // x = A⁻¹ b, in place.
  void solve(Eigen::VectorXd& x) const;

  std::size_t filled() const { return columns_.size(); }  // blocks of L and U
  double factor_work() const { return factor_work_; }     // products of blocks in one factorisation

 private:
  RowLayout layout_;
  std::vector<std::size_t> order_, place_;   // order_[new] = old, place_[old] = new
  std::vector<std::size_t> starts_, upper_;  // row i: starts_[i] to upper_[i] is L, behind it U
  std::vector<std::size_t> shift_places_;    // of each contact's block in a shift, where rows differ
  std::vector<std::uint32_t> columns_;
  std::vector<RowsMat<Rows>> values_, inverse_;  // inverse of the diagonal blocks
  std::vector<RowsMat<Rows>> work_;              // one row
  std::vector<char> alone_;                      // rows that are only a diagonal block, of the last factorisation
  mutable std::vector<RowsVec<Rows>> x_;
  double factor_work_ = 0;
  bool usable_ = true;
};

extern template class BlockLu<3>;
extern template class BlockLu<6>;
extern template class BlockLu<Eigen::Dynamic>;

}  // namespace slipset::internal
