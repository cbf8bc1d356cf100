// P A Q = L U with the largest entry that is left as each pivot, up to the rank of A. In place, and in room that may be
// larger than A: where the size changes from step to step Eigen's FullPivLU would allocate.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace slipset::internal {

class FullPivots {
 public:
  using Index = Eigen::Index;

  // Of the first n rows and columns of `a`: afterwards U, and below its diagonal L, whose diagonal is one. Pivots end at
  // `threshold` times the largest.
  void compute(Eigen::MatrixXd& a, Index n, double threshold) {
    rank_ = 0;
    rows_.resize(static_cast<std::size_t>(n));
    columns_.resize(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) rows_[static_cast<std::size_t>(k)] = columns_[static_cast<std::size_t>(k)] = k;
    largest_.resize(static_cast<std::size_t>(n));
    for (Index c = 0; c < n; ++c) largest_[static_cast<std::size_t>(c)] = a.col(c).head(n).lpNorm<Eigen::Infinity>();
    double first = 0;
    for (; rank_ < n; ++rank_) {
      Index row = rank_, column = rank_;
      double most = 0;
      for (Index c = rank_; c < n; ++c) {
        const double here = largest_[static_cast<std::size_t>(c)];
        if (here > most) {
          most = here;
          column = c;
        }
      }
      if (rank_ == 0) first = most;
      if (!(most > threshold * first)) break;
      a.col(column).segment(rank_, n - rank_).cwiseAbs().maxCoeff(&row);
      row += rank_;
      if (column != rank_) a.col(rank_).head(n).swap(a.col(column).head(n));
      if (row != rank_) a.row(rank_).head(n).swap(a.row(row).head(n));
      exchange(rows_, rank_, row);
      exchange(columns_, rank_, column);
      std::swap(largest_[static_cast<std::size_t>(rank_)], largest_[static_cast<std::size_t>(column)]);
      const Index left = n - rank_ - 1;
      auto below = a.col(rank_).segment(rank_ + 1, left);
      below /= a(rank_, rank_);
      for (Index c = rank_ + 1; c < n; ++c) {
        if (a(rank_, c) == 0) continue;  // its largest entry is below the pivot's row, and stays
        auto rest = a.col(c).segment(rank_ + 1, left);
        rest -= a(rank_, c) * below;
        largest_[static_cast<std::size_t>(c)] = rest.lpNorm<Eigen::Infinity>();
      }
    }
    a.block(rank_, rank_, n - rank_, n - rank_).setZero();
  }

  Index rank() const { return rank_; }
  // Row and column of A at a place of the factors.
  Index row_at(Index place) const { return rows_[static_cast<std::size_t>(place)]; }
  Index column_at(Index place) const { return columns_[static_cast<std::size_t>(place)]; }

 private:
  static void exchange(std::vector<Index>& of, Index a, Index b) {
    std::swap(of[static_cast<std::size_t>(a)], of[static_cast<std::size_t>(b)]);
  }

  Index rank_ = 0;
  std::vector<Index> rows_, columns_;
  std::vector<double> largest_;  // of each column, in the rows that are left
};

}  // namespace slipset::internal
