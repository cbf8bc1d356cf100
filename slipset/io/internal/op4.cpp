#include "slipset/io/internal/op4.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset::internal {

void Op4Matrices::begin(Op4Header header) {
  header.big = header.rows < 0 || header.rows > 65535;
  if (header.rows < 0 && header.rows >= -kMostRows) header.rows = -header.rows;
  while (!header.name.empty() && (header.name.back() == ' ' || header.name.back() == '\0')) header.name.pop_back();
  if (header.name.empty() || in_quotes(header.name) != '"' + header.name + '"')
    fail_(fmt::format("found {} as the name of a matrix; is this an OUTPUT4 file?", in_quotes(header.name)));
  if (header.rows < 1 || header.rows > kMostRows || header.columns < 1 || header.columns > kMostRows)
    fail_(fmt::format("matrix {} has {} x {} numbers; expected from 1 to {} rows and columns", header.name, header.rows,
                      header.columns, kMostRows));
  if (header.type < 1 || header.type > 4)
    fail_(fmt::format("matrix {} has type {}; expected 1 or 2 (real), 3 or 4 (complex)", header.name, header.type));
  taken_ = choice_.take(header.name) && !any_;
  header_ = header;
  column_ = row_ = 0;
  if (!taken_) return;
  any_ = true;
  chosen_ = header;
  if (header.type > 2)
    fail_(fmt::format("matrix {} is complex (type {}); only real ones are read", header.name, header.type));
  if (header.form != 1 && header.form != 2 && header.form != 6)
    fail_(fmt::format("matrix {} has form {}; expected 1 (square), 2 (rectangular) or 6 (symmetric)", header.name,
                      header.form));
  if (header.form != 2 && header.rows != header.columns)
    fail_(fmt::format("matrix {} of form {} is {} x {}: not square", header.name, header.form, header.rows,
                      header.columns));
}

void Op4Matrices::begin_column(std::int64_t column) {
  if (column <= column_) fail_(fmt::format("found column {} after column {}; expected them in order", column, column_));
  if (column > header_.columns + 1) fail_(fmt::format("found column {} of {}", column, header_.columns));
  column_ = column;
  row_ = 0;
}

void Op4Matrices::begin_string(std::int64_t row, std::int64_t count) {
  const std::int64_t length = count / numbers_per_entry();
  if (count < 1 || count % numbers_per_entry() != 0 || row <= row_ || row > header_.rows ||
      length > header_.rows - row + 1)
    fail_(fmt::format("found {} numbers from row {} on in column {}; expected them within rows {} to {}", count, row,
                      column_, row_ + 1, header_.rows));
  row_ = row - 1;
  left_ = count;
}

void Op4Matrices::add(double value) {
  if (!std::isfinite(value)) fail_(fmt::format("a number in column {} is not finite", column_));
  if (--left_ % numbers_per_entry() == 0) ++row_;
  // A dense column has its zeros, too.
  if (taken_ && value != 0) entries_.add(row_ - 1, column_ - 1, value);
}

MatrixFile Op4Matrices::finish(const std::string& name, const std::string& format) {
  choice_.check(name);
  MatrixFile file;
  file.format = format;
  file.name = chosen_.name;
  file.matrix = entries_.assemble(chosen_.rows, chosen_.columns);
  if (chosen_.form == 6) {
    const Pairs pairs = pairs_of(file.matrix);
    if (pairs.single > 0 && pairs.equal + pairs.unequal == 0)
      throw InvalidInput(fmt::format(
          "{}: matrix {} is symmetric (form 6), but has one triangle only; expected both, as Nastran writes them", name,
          chosen_.name));
  }
  return file;
}

}  // namespace slipset::internal
