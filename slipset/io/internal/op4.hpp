// Nastran OUTPUT4 files, what text and binary ones share. For io's own use.
//   For each matrix: columns, rows (negative: "bigmat"), form, type (1, 2 real, 3, 4 complex), name. Then columns that are
//   not zero: number, first row, length, numbers; first row 0: strings of numbers, each with its own first row and
//   length L, as L + 1 and row (bigmat), or as row + 65536 (L + 1). Then one column more, which means nothing.
#pragma once

#include <functional>

#include "slipset/io/internal/matrix_readers.hpp"

namespace slipset::internal {

struct Op4Header {
  std::int64_t columns = 0, rows = 0, form = 0, type = 0;
  std::string name;
  bool big = false;
};

// Places numbers; knows what must not be. `fail` throws, with the place in the file.
class Op4Matrices {
 public:
  Op4Matrices(const MatrixRequest& request, std::function<void(const std::string&)> fail)
      : choice_(request.name), fail_(std::move(fail)) {}

  void begin(Op4Header header);                        // rows as they are in the file
  const Op4Header& header() const { return header_; }  // rows positive
  int words_per_number(int words_per_double) const { return header_.type % 2 == 0 ? words_per_double : 1; }
  int numbers_per_entry() const { return header_.type > 2 ? 2 : 1; }
  void begin_column(std::int64_t column);                   // from 1, rising
  void begin_string(std::int64_t row, std::int64_t count);  // from 1, rising; so many numbers
  void add(double value);                                   // the next number of the string
  MatrixFile finish(const std::string& file, const std::string& format);

 private:
  NameChoice choice_;
  std::function<void(const std::string&)> fail_;
  Op4Header header_, chosen_;
  SparseEntries entries_;
  bool taken_ = false, any_ = false;
  std::int64_t column_ = 0, row_ = 0, left_ = 0;
};

}  // namespace slipset::internal
