// Harwell-Boeing files: compressed columns as text in fields of fixed width.
//   1 title (A72), key (A8); 2 numbers of lines: all, pointers, rows, values, right sides (5I14)
//   3 type (A3), rows, columns, entries (11X, 4I14); 4 formats of pointers, rows, values, right sides (2A16, 2A20)
//   5 only with right sides, which are passed over. Then pointers, rows and values, each beginning on a new line.
// Types: R real; U unsymmetric, S symmetric, Z skew-symmetric (lower triangle), R rectangular; A assembled.
#include <fmt/format.h>

#include "slipset/io/internal/fortran_numbers.hpp"
#include "slipset/io/internal/matrix_readers.hpp"

namespace slipset::internal {
namespace {

using Eigen::Index;

class HarwellBoeingReader {
 public:
  explicit HarwellBoeingReader(ByteStream& in) : most_(static_cast<Index>(in.most_numbers())), lines_(in) {}

  MatrixFile read() {
    read_header();
    Eigen::SparseMatrix<double> matrix(rows_, columns_);
    matrix.resizeNonZeros(entries_);
    read_pointers(matrix);
    read_rows(matrix);
    numbers(entries_, formats_[2], value_lines_, "a value", [&](Index k, std::string_view field) {
      const auto value = fortran_real(field, formats_[2]);
      if (!value)
        lines_.fail(
            fmt::format("found {}; expected a finite number with a decimal point, and an exponent if the format has P",
                        in_quotes(field)));
      matrix.valuePtr()[k] = *value;
    });
    for (Index k = 0; k < right_lines_; ++k) line("the right sides");
    while (const auto more = lines_.next())
      if (!without_blanks_around(*more).empty())
        lines_.fail(fmt::format("found {} below the matrix, where line 2 declares no more lines", in_quotes(*more)));
    sort_columns(matrix);
    MatrixFile file;
    file.format = "Harwell-Boeing";
    file.name = key_;
    file.stored_as = symmetry_ == 'S'   ? StoredAs::symmetric
                     : symmetry_ == 'Z' ? StoredAs::skew_symmetric
                                        : StoredAs::general;
    if (file.stored_as == StoredAs::general) {
      file.matrix.swap(matrix);
    } else {
      file.matrix = with_other_triangle(matrix, symmetry_ == 'S' ? 1 : -1);
    }
    return file;
  }

 private:
  std::string_view line(const char* what) {
    const auto line = lines_.next();
    if (!line) lines_.fail(fmt::format("the file ends before {}", what));
    return *line;
  }

  static std::string_view columns_of(std::string_view line, std::size_t from, std::size_t width) {
    return without_blanks_around(line.substr(std::min(from, line.size()), width));
  }

  Index count(std::string_view line, std::size_t from, const char* what, Index least, Index most) const {
    const std::string_view field = columns_of(line, from, 14);
    const auto value = field.empty() && least == 0 ? 0 : whole_number(field);
    if (!value || *value < least || *value > most)
      lines_.fail(
          fmt::format("found {} as {}; expected a whole number from {} to {}", in_quotes(field), what, least, most));
    return *value;
  }

  void read_header() {
    key_ = columns_of(line("its title"), 72, 8);
    const std::string_view lines = line("the numbers of lines");
    const Index all = count(lines, 0, "the number of lines", 1, most_),
                pointers = count(lines, 14, "the number of lines of pointers", 1, most_),
                rows = count(lines, 28, "the number of lines of row numbers", 0, most_);
    value_lines_ = count(lines, 42, "the number of lines of values", 0, most_);
    right_lines_ = count(lines, 56, "the number of lines of right sides", 0, most_);
    pointer_lines_ = pointers;
    row_lines_ = rows;
    if (all != pointers + rows + value_lines_ + right_lines_)
      lines_.fail(
          fmt::format("{} lines, but {} + {} + {} + {} in parts", all, pointers, rows, value_lines_, right_lines_));
    const std::string_view third = line("the type of the matrix");
    const std::string type = upper_case(columns_of(third, 0, 3));
    check_type(type);
    symmetry_ = type[1];
    rows_ = count(third, 14, "the number of rows", 1, kMostRows);
    columns_ = count(third, 28, "the number of columns", 1, std::min(kMostRows, most_));
    entries_ = count(third, 42, "the number of entries", 0, std::min(kMostEntries, most_));
    // Some programs write rectangular matrices as RUA, too.
    if ((symmetry_ == 'S' || symmetry_ == 'Z') && rows_ != columns_)
      lines_.fail(
          fmt::format("a matrix of type {} with {} x {} numbers; expected a square one", type, rows_, columns_));
    const std::string_view fourth = line("the formats");
    constexpr std::array<std::size_t, 3> from = {0, 16, 32}, width = {16, 16, 20};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string_view text = columns_of(fourth, from[k], width[k]);
      const auto format = fortran_format(text);
      if (!format || format->real != (k == 2))
        lines_.fail(fmt::format("found {} as a format; expected one like {}", in_quotes(text),
                                k == 2 ? "(4D20.12)" : "(10I8)"));
      formats_[k] = *format;
    }
    if (right_lines_ > 0) line("the kind of the right sides");
  }

  void check_type(const std::string& type) const {
    const auto refuse = [&](const char* why) {
      lines_.fail(fmt::format("found the type {}: {}", in_quotes(type), why));
    };
    if (type.size() != 3) refuse("expected three letters, as RSA");
    if (type[0] == 'P') refuse("a pattern without numbers; write the matrix with its values (R)");
    if (type[0] == 'C') refuse("a complex matrix; only real ones are read");
    if (type[0] != 'R' || std::string_view("USZR").find(type[1]) == std::string_view::npos)
      refuse("expected RUA, RSA, RZA or RRA");
    if (type[2] != 'A') refuse("a matrix of single elements; write the assembled one (A)");
  }

  // So many fields, in just so many lines.
  template <class Use>
  void numbers(Index count, const FortranFormat& format, Index lines, const char* what, const Use& use) {
    if (lines != (count + format.per_line - 1) / format.per_line)
      lines_.fail(fmt::format("{} numbers in {} lines of {}: line 2 of the file does not fit its formats", count, lines,
                              format.per_line));
    for (Index k = 0; k < count;) {
      const auto expected = static_cast<std::size_t>(std::min<Index>(format.per_line, count - k));
      for (const std::string_view field : fields_of(line(what), format, expected, what)) use(k++, field);
    }
  }

  // By the format's columns, of which the last may be fewer. Words between blanks come first: scipy writes numbers one
  // column narrower than it declares, and a minus sign is then in the field before its number.
  const std::vector<std::string_view>& fields_of(std::string_view text, const FortranFormat& format,
                                                 std::size_t expected, const char* what) {
    fields_.clear();
    for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      fields_.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(' ', end);
    }
    if (fields_.size() == expected) return fields_;
    fields_.clear();
    const auto width = static_cast<std::size_t>(format.width);
    for (std::size_t k = 0; k < expected; ++k) {
      if (text.empty()) lines_.fail(fmt::format("the line ends before {}", what));
      fields_.push_back(without_blanks_around(text.substr(0, width)));
      text.remove_prefix(std::min(width, text.size()));
    }
    if (!without_blanks_around(text).empty())
      lines_.fail(fmt::format("found {} behind the last number of the line", in_quotes(text)));
    return fields_;
  }

  Index whole(std::string_view field, const char* what, Index least, Index most) const {
    const auto value = whole_number(field);
    if (!value || *value < least || *value > most)
      lines_.fail(
          fmt::format("found {} as {}; expected a whole number from {} to {}", in_quotes(field), what, least, most));
    return *value;
  }

  void read_pointers(Eigen::SparseMatrix<double>& matrix) {
    int* const starts = matrix.outerIndexPtr();
    numbers(columns_ + 1, formats_[0], pointer_lines_, "a column's beginning", [&](Index k, std::string_view field) {
      const Index least = k == 0 ? 1 : starts[k - 1] + 1;
      const Index most = k == 0 ? 1 : entries_ + 1;
      starts[k] =
          static_cast<int>(whole(field, "a column's beginning", k == columns_ ? entries_ + 1 : least, most) - 1);
    });
  }

  void read_rows(Eigen::SparseMatrix<double>& matrix) {
    const int* const starts = matrix.outerIndexPtr();
    std::vector<std::int32_t> last(static_cast<std::size_t>(rows_), -1);  // the column in which each row was seen last
    Index column = 0;
    numbers(entries_, formats_[1], row_lines_, "a row", [&](Index k, std::string_view field) {
      while (starts[column + 1] <= k) ++column;
      const Index least = symmetry_ == 'S' ? column + 1 : symmetry_ == 'Z' ? column + 2 : 1;
      const Index row = whole(field, least > 1 ? "a row of the lower triangle" : "a row", least, rows_) - 1;
      auto& seen = last[static_cast<std::size_t>(row)];
      if (seen == column) lines_.fail(fmt::format("entry ({}, {}) appears twice", row + 1, column + 1));
      seen = static_cast<std::int32_t>(column);
      matrix.innerIndexPtr()[k] = static_cast<int>(row);
    });
  }

  Index most_;
  TextLines lines_;
  std::string key_;
  char symmetry_ = 'U';
  Index rows_ = 0, columns_ = 0, entries_ = 0;
  Index pointer_lines_ = 0, row_lines_ = 0, value_lines_ = 0, right_lines_ = 0;
  std::vector<std::string_view> fields_;  // of one line
  std::array<FortranFormat, 3> formats_;  // of pointers, rows, values
};

}  // namespace

MatrixFile read_harwell_boeing(ByteStream& in, const MatrixRequest& request) {
  refuse_name(in.name(), request, "Harwell-Boeing");
  return HarwellBoeingReader(in).read();
}

}  // namespace slipset::internal
