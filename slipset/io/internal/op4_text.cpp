// OUTPUT4 as text: a matrix begins with (4I8, A8) and the format of its numbers, as 1P,3E23.16; a column with (3I8).
#include <fmt/format.h>

#include "slipset/io/internal/fortran_numbers.hpp"
#include "slipset/io/internal/op4.hpp"

namespace slipset::internal {
namespace {

class Op4TextReader {
 public:
  Op4TextReader(ByteStream& in, const MatrixRequest& request)
      : lines_(in), matrices_(request, [this](const std::string& what) { lines_.fail(what); }) {}

  MatrixFile read() {
    while (const auto line = lines_.next()) {
      if (without_blanks_around(*line).empty()) {  // only at the end
        while (const auto more = lines_.next())
          if (!without_blanks_around(*more).empty()) lines_.fail("found a matrix below an empty line");
        break;
      }
      begin_matrix(*line);
      while (read_column()) {
      }
    }
    return matrices_.finish(lines_.stream().name(), "Nastran OP4, text");
  }

 private:
  std::string_view line() {
    const auto line = lines_.next();
    if (!line) lines_.fail(fmt::format("the file ends within matrix {}", matrices_.header().name));
    return *line;
  }

  std::int64_t integer(std::string_view line, std::size_t from, const char* what) const {
    const std::string_view field = without_blanks_around(line.substr(std::min(from, line.size()), 8));
    const auto value = whole_number(field);
    if (!value) lines_.fail(fmt::format("found {} as {}; expected a whole number", in_quotes(field), what));
    return *value;
  }

  void begin_matrix(std::string_view line) {
    if (line.ends_with("|I16"))
      lines_.fail("integers of 16 columns (I16), which are not read; write the file in binary");
    Op4Header header;
    header.columns = integer(line, 0, "the number of columns");
    header.rows = integer(line, 8, "the number of rows");
    header.form = integer(line, 16, "the form");
    header.type = integer(line, 24, "the type");
    header.name = line.substr(std::min<std::size_t>(32, line.size()), 8);
    const std::string_view text = without_blanks_around(line.substr(std::min<std::size_t>(40, line.size())));
    const auto format = text.empty() ? fortran_format("1P,5E16.9") : fortran_format(text);
    if (!format || !format->real)
      lines_.fail(fmt::format("found {}; expected the format of the numbers, as 1P,3E23.16", in_quotes(text)));
    format_ = *format;
    matrices_.begin(header);
  }

  // False after the last one.
  bool read_column() {
    const std::string_view head = line();
    const std::int64_t column = integer(head, 0, "a column"), row = integer(head, 8, "the first row"),
                       count = integer(head, 16, "the number of words");
    if (head.size() > 24 && !without_blanks_around(head.substr(24)).empty())
      lines_.fail(fmt::format("found {}; expected three numbers", in_quotes(head)));
    matrices_.begin_column(column);
    const Op4Header& header = matrices_.header();
    if (column == header.columns + 1) {
      if (row != 1 || count < 1 || count > 4)
        lines_.fail(fmt::format("found {}; expected the end of matrix {}", in_quotes(head), header.name));
      numbers(1, [](double) {});
      return false;
    }
    if (row != 0) {  // all numbers from there on; here they are counted, not their words
      matrices_.begin_string(row, count);
      numbers(count, [&](double value) { matrices_.add(value); });
      return true;
    }
    if (count < 1) lines_.fail(fmt::format("found {} words in column {}", count, column));
    for (std::int64_t left = count; left > 0;) left -= read_string(left);
    return true;
  }

  std::int64_t read_string(std::int64_t left) {
    const std::string_view head = line();
    std::int64_t row = 0, words = 0, own = 1;  // own: words of the string's head
    if (matrices_.header().big) {
      words = integer(head, 0, "the length of a string") - 1;
      row = integer(head, 8, "the first row of a string");
      own = 2;
    } else {
      const auto both = whole_number(without_blanks_around(head));
      if (!both || *both < 0) lines_.fail(fmt::format("found {}; expected row + 65536 (L + 1)", in_quotes(head)));
      words = *both / 65536 - 1;
      row = *both % 65536;
    }
    const int per_number = matrices_.words_per_number(2);
    if (words < 1 || words > left - own || words % per_number != 0)
      lines_.fail(fmt::format("found a string of {} words where the column has {} left", words, left - own));
    matrices_.begin_string(row, words / per_number);
    numbers(words / per_number, [&](double value) { matrices_.add(value); });
    return words + own;
  }

  template <class Use>
  void numbers(std::int64_t count, const Use& use) {
    const auto width = static_cast<std::size_t>(format_.width);
    while (count > 0) {
      std::string_view text = line();
      for (int k = 0; k < format_.per_line && count > 0; ++k, --count) {
        const std::string_view field = without_blanks_around(text.substr(0, width));
        const auto value = text.size() < width ? std::nullopt : fortran_real(field, format_);
        if (!value)
          lines_.fail(fmt::format("found {}; expected a finite number in {} columns", in_quotes(text.substr(0, width)),
                                  format_.width));
        text.remove_prefix(width);
        use(*value);
      }
      if (!without_blanks_around(text).empty())
        lines_.fail(fmt::format("found {} behind the last number of the line", in_quotes(text)));
    }
  }

  TextLines lines_;
  Op4Matrices matrices_;
  FortranFormat format_;
};

}  // namespace

MatrixFile read_op4_text(ByteStream& in, const MatrixRequest& request) { return Op4TextReader(in, request).read(); }

}  // namespace slipset::internal
