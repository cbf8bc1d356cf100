// Rows of contacts: 1 to 6 each, and where those of each contact are in a vector of all.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset {

inline constexpr int kMostRows = 6;

// Rows = 3: of fixed size; Eigen::Dynamic: 1 to 6, without the heap.
template <int Rows>
inline constexpr int kRoomFor = Rows == Eigen::Dynamic ? kMostRows : Rows;
template <int Rows>
using RowsVec = Eigen::Matrix<double, Rows, 1, 0, kRoomFor<Rows>, 1>;
template <int Rows>
using RowsMat = Eigen::Matrix<double, Rows, Rows, 0, kRoomFor<Rows>, kRoomFor<Rows>>;
using ContactVec = RowsVec<Eigen::Dynamic>;
using ContactMat = RowsMat<Eigen::Dynamic>;

class RowLayout {
 public:
  RowLayout() = default;
  // All contacts with the same number of rows.
  explicit RowLayout(std::size_t contacts, int rows = 3) { assign(contacts, rows); }
  // Throws InvalidInput unless each is 1 to 6.
  explicit RowLayout(std::span<const int> rows) { assign(rows); }
  void assign(std::size_t contacts, int rows);
  void assign(std::span<const int> rows);

  std::size_t contacts() const { return contacts_; }
  Eigen::Index rows() const { return all_; }  // of all contacts together
  int rows(std::size_t i) const { return same_ > 0 ? same_ : static_cast<int>(offsets_[i + 1] - offsets_[i]); }
  Eigen::Index offset(std::size_t i) const { return same_ > 0 ? same_ * static_cast<Eigen::Index>(i) : offsets_[i]; }
  bool all_have(int rows) const { return same_ == rows || contacts_ == 0; }
  bool operator==(const RowLayout& other) const = default;

 private:
  std::size_t contacts_ = 0;
  Eigen::Index all_ = 0;
  int same_ = 3;                       // rows of every contact; 0: they differ
  std::vector<Eigen::Index> offsets_;  // where they differ
};

// The part of contact i of a vector of all. Loops by hand: g++ 12 sees segments of bounded vectors out of bounds.
template <int Rows>
RowsVec<Rows> part_of(const Eigen::VectorXd& x, const RowLayout& layout, std::size_t i) {
  if constexpr (Rows == Eigen::Dynamic) {
    RowsVec<Rows> part(layout.rows(i));
    const double* from = x.data() + layout.offset(i);
    for (Eigen::Index k = 0; k < part.size(); ++k) part[k] = from[k];
    return part;
  } else {
    return x.segment<Rows>(Rows * static_cast<Eigen::Index>(i));
  }
}
template <int Rows>
void set_part(Eigen::VectorXd& x, const RowLayout& layout, std::size_t i, const RowsVec<Rows>& part) {
  if constexpr (Rows == Eigen::Dynamic) {
    double* to = x.data() + layout.offset(i);
    for (Eigen::Index k = 0; k < part.size(); ++k) to[k] = part[k];
  } else {
    x.segment<Rows>(Rows * static_cast<Eigen::Index>(i)) = part;
  }
}

}  // namespace slipset
