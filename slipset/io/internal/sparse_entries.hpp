// Entries of a sparse matrix in any order, and the matrix made of them. For io's own use.
//   Memory: 16 bytes per entry read, in blocks that are freed as they are placed in the matrix, which takes 12 bytes per
//   entry: at most 28 bytes per entry. The other triangle is added to the placed one: 12 + 24 bytes per entry of the
//   file, 18 per entry of the matrix. Neither the file's text nor triplets are held besides.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <optional>
#include <vector>

namespace slipset::internal {

constexpr Eigen::Index kMostRows = 100'000'000;       // and columns
constexpr Eigen::Index kMostEntries = 2'147'483'647;  // Eigen counts with int

struct Place {
  Eigen::Index row = 0, column = 0;
};
// What assemble() throws: its caller reads the file again, watching that place, to report the line.
struct RepeatedEntry {
  Place place;
};

class SparseEntries {
 public:
  SparseEntries() = default;
  explicit SparseEntries(const std::optional<Place>& watched) : watched_(watched) {}

  // From 0. False if this is the second entry at the watched place.
  bool add(Eigen::Index row, Eigen::Index column, double value) {
    if (blocks_.empty() || blocks_.back().size() == kBlock) grow();
    blocks_.back().push_back({value, static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)});
    return !watched_ || row != watched_->row || column != watched_->column || ++seen_ < 2;
  }
  // Row i becomes row rows[i], column j becomes column columns[j].
  void renumber(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns);
  // Rows in order within each column. Throws RepeatedEntry, in the numbers before renumber(), and InvalidInput for more
  // than 2³¹ − 1 entries. Leaves nothing here.
  Eigen::SparseMatrix<double> assemble(Eigen::Index rows, Eigen::Index columns);

 private:
  struct Entry {
    double value;
    std::int32_t row, column;
  };
  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  void grow();

  std::optional<Place> watched_;
  int seen_ = 0;
  std::vector<std::vector<Entry>> blocks_;
  std::vector<std::int32_t> rows_, columns_;  // of renumber()
};

// Sorts the rows of each column; the first place that occurs twice, if any.
std::optional<Place> sort_columns(Eigen::SparseMatrix<double>& matrix);

// What a square matrix has at (i, j) and (j, i), i ≠ j.
struct Pairs {
  Eigen::Index equal = 0, unequal = 0, single = 0;
  Place first_equal, first_unequal;
};
Pairs pairs_of(const Eigen::SparseMatrix<double>& matrix);
// With sign · a(i, j) at (j, i) wherever the matrix has none there.
Eigen::SparseMatrix<double> with_other_triangle(const Eigen::SparseMatrix<double>& matrix, double sign);

}  // namespace slipset::internal
