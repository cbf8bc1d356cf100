// OUTPUT4 in binary: Fortran records, each between two counts of its bytes (4-byte integers), of either byte order.
//   Words of 4 bytes, or of 8 (then reals of single precision have 8, too). The first record has 24 bytes, or 48: that
//   tells both.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "slipset/io/internal/op4.hpp"

namespace slipset::internal {
namespace {

class Op4BinaryReader {
 public:
  Op4BinaryReader(ByteStream& in, const MatrixRequest& request)
      : in_(in), matrices_(request, [this](const std::string& what) { in_.fail(what); }) {}

  MatrixFile read() {
    const std::string_view first = in_.peek(4);
    if (first.size() < 4) in_.fail("the file ends within its first number");
    const bool little = first[0] != '\0';
    swap_ = little != (std::endian::native == std::endian::little);
    word_ = first[little ? 0 : 3] == 24 ? 4 : 8;
    while (!in_.peek(1).empty()) {
      begin_matrix();
      while (read_column()) {
      }
    }
    return matrices_.finish(in_.name(), "Nastran OP4, binary");
  }

 private:
  template <class Number>
  Number number() {
    const std::string_view bytes = in_.peek(sizeof(Number));
    if (bytes.size() < sizeof(Number)) in_.fail("the file ends here, within a matrix");
    std::array<char, sizeof(Number)> copy;
    std::memcpy(copy.data(), bytes.data(), copy.size());
    if (swap_) std::reverse(copy.begin(), copy.end());
    in_.take(sizeof(Number));
    return std::bit_cast<Number>(copy);
  }
  std::int64_t word() { return word_ == 4 ? number<std::int32_t>() : number<std::int64_t>(); }
  double real() { return word_ == 4 && matrices_.header().type % 2 == 1 ? double{number<float>()} : number<double>(); }

  std::int64_t begin_record() { return number<std::int32_t>(); }
  void end_record(std::int64_t bytes) {
    if (const std::int64_t found = number<std::int32_t>(); found != bytes)
      in_.fail(fmt::format("a record of {} bytes ends with the count {}", bytes, found));
  }

  void begin_matrix() {
    const std::int64_t bytes = begin_record();
    if (bytes != 6 * word_)
      in_.fail(fmt::format("found a record of {} bytes; expected a header, of {}", bytes, 6 * word_));
    Op4Header header;
    header.columns = word();
    header.rows = word();
    header.form = word();
    header.type = word();
    const auto length = static_cast<std::size_t>(2 * word_);
    header.name = in_.peek(length);
    if (header.name.size() < length) in_.fail("the file ends here, within the name of a matrix");
    in_.take(length);
    if (word_ == 8) header.name.erase(4, 4).resize(8);  // four letters in each word
    matrices_.begin(header);
    end_record(bytes);
  }

  // False after the last one.
  bool read_column() {
    const std::int64_t bytes = begin_record(), column = word(), row = word(), count = word();
    matrices_.begin_column(column);
    const Op4Header& header = matrices_.header();
    const int per_number = matrices_.words_per_number(word_ == 4 ? 2 : 1);
    const bool last = column == header.columns + 1;
    // Some versions count one word in the last record where it has two.
    if (bytes % word_ != 0 || (last ? bytes > 7 * word_ || bytes < 3 * word_ : count < 1 || bytes / word_ - 3 != count))
      in_.fail(fmt::format("found {} words in a record of {} bytes for column {}", count, bytes, column));
    if (last) {
      for (std::int64_t k = 3 * word_; k < bytes; k += word_) word();
    } else if (row != 0) {
      if (count % per_number != 0) in_.fail(fmt::format("found {} words for numbers of {}", count, per_number));
      matrices_.begin_string(row, count / per_number);
      for (std::int64_t k = 0; k < count / per_number; ++k) matrices_.add(real());
    } else {
      for (std::int64_t left = count; left > 0;) left -= read_string(left, per_number);
    }
    end_record(bytes);
    return !last;
  }

  std::int64_t read_string(std::int64_t left, int per_number) {
    std::int64_t row = 0, words = 0, own = 1;  // own: words of the string's head
    if (matrices_.header().big) {
      const std::int64_t length = word();
      words = length < 1 ? 0 : length - 1;
      row = word();
      own = 2;
    } else {
      const std::int64_t both = word();
      if (both < 0) in_.fail(fmt::format("found {}; expected row + 65536 (L + 1)", both));
      words = both / 65536 - 1;
      row = both % 65536;
    }
    if (words < 1 || words > left - own || words % per_number != 0)
      in_.fail(fmt::format("found a string of {} words where the column has {} left", words, left - own));
    matrices_.begin_string(row, words / per_number);
    for (std::int64_t k = 0; k < words / per_number; ++k) matrices_.add(real());
    return words + own;
  }

  ByteStream& in_;
  Op4Matrices matrices_;
  bool swap_ = false;
  int word_ = 4;
};

}  // namespace

MatrixFile read_op4_binary(ByteStream& in, const MatrixRequest& request) { return Op4BinaryReader(in, request).read(); }

}  // namespace slipset::internal
