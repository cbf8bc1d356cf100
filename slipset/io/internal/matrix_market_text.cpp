#include "slipset/io/internal/matrix_market_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "slipset/io/internal/matrix_readers.hpp"

namespace slipset::internal {
namespace {

using Eigen::Index;

class Parser {
 public:
  Parser(TextLines& lines, MatrixMarketSink& sink) : lines_(lines), sink_(sink) {}

  void parse() {
    read_header();
    read_sizes();
    sink_.begin(size_);
    size_.coordinate ? read_coordinate() : read_array();
    if (next_line().count > 0)
      lines_.fail(fmt::format("more than the {} entries declared in the size line", size_.entries));
  }

 private:
  // The words of the next line that has any and is no comment; none at the end of the file.
  Words next_line() {
    while (const auto line = lines_.next())
      if (const Words words = words_of(*line); words.count > 0 && words.word[0][0] != '%') return words;
    return {};
  }

  std::string choice(std::string_view found, const std::vector<std::string>& allowed) const {
    std::string lower(found);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(allowed.begin(), allowed.end(), lower) == allowed.end())
      lines_.fail(fmt::format("found {}; expected {}", in_quotes(found), fmt::join(allowed, " or ")));
    return lower;
  }

  void read_header() {
    const Words words = words_of(lines_.next().value_or(""));
    if (words.count != 5 || words.word[0] != "%%MatrixMarket")
      lines_.fail(
          "not a Matrix Market file: the first line must be like \"%%MatrixMarket matrix coordinate real general\"");
    choice(words.word[1], {"matrix"});
    size_.coordinate = choice(words.word[2], {"coordinate", "array"}) == "coordinate";
    integer_ = choice(words.word[3], {"real", "integer"}) == "integer";
    const std::string kind = choice(words.word[4], {"general", "symmetric", "skew-symmetric"});
    size_.mirror = kind == "general" ? 0 : kind == "symmetric" ? 1 : -1;
  }

  Index index(std::string_view word, const char* what, Index most) const {
    Index value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < 1 || value > most)
      lines_.fail(fmt::format("found {} as {}; expected a whole number from 1 to {}", in_quotes(word), what, most));
    return value;
  }

  double value(std::string_view word) const {
    double number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(first, word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(number))
      lines_.fail(fmt::format("found {}; expected a finite number", in_quotes(word)));
    if (integer_ && number != std::floor(number)) lines_.fail(fmt::format("found {} in a file of integers", word));
    return number;
  }

  void read_sizes() {
    const Words words = next_line();
    if (words.count != (size_.coordinate ? 3U : 2U))
      lines_.fail(fmt::format("found {} numbers as sizes; expected {}", words.count,
                              size_.coordinate ? "three: rows, columns, entries" : "two: rows, columns"));
    const Index rows = size_.rows = index(words.word[0], "number of rows", kMostRows);
    const Index columns = size_.columns = index(words.word[1], "number of columns", kMostRows);
    if (size_.mirror != 0 && rows != columns)
      lines_.fail(
          fmt::format("{} x {} is not square, so it can be neither symmetric nor skew-symmetric", rows, columns));
    size_.entries = size_.mirror == 0 ? rows * columns : rows * (rows + size_.mirror) / 2;
    if (!size_.coordinate) return;
    size_.entries =
        words.word[2] == "0" ? 0 : index(words.word[2], "number of entries", std::min(size_.entries, kMostEntries));
  }

  // The words of one entry, of which there must be so many.
  Words entry(Index number, std::size_t count) {
    const Words words = next_line();
    if (words.count == 0) lines_.fail(fmt::format("the file ends after {} of {} entries", number, size_.entries));
    if (words.count != count)
      lines_.fail(fmt::format("found {} fields; expected {}", words.count,
                              count == 3 ? "three: row, column, value" : "one value"));
    return words;
  }

  void put(Index i, Index j, double x) {
    if (!sink_.add(i, j, x)) lines_.fail(fmt::format("entry ({}, {}) appears twice", i + 1, j + 1));
  }

  void read_coordinate() {
    for (Index k = 0; k < size_.entries; ++k) {
      const Words words = entry(k, 3);
      const Index i = index(words.word[0], "row", size_.rows) - 1,
                  j = index(words.word[1], "column", size_.columns) - 1;
      if (size_.mirror == 1 && i < j)
        lines_.fail(fmt::format("entry ({}, {}) is above the diagonal; a symmetric file has the lower triangle only",
                                i + 1, j + 1));
      if (size_.mirror == -1 && i <= j)
        lines_.fail(fmt::format(
            "entry ({}, {}) is not below the diagonal; a skew-symmetric file has only entries below the diagonal",
            i + 1, j + 1));
      put(i, j, value(words.word[2]));
    }
  }

  void read_array() {
    Index k = 0;
    for (Index j = 0; j < size_.columns; ++j)
      for (Index i = size_.mirror == 0 ? 0 : size_.mirror == 1 ? j : j + 1; i < size_.rows; ++i)
        put(i, j, value(entry(k++, 1).word[0]));
  }

  TextLines& lines_;
  MatrixMarketSink& sink_;
  MatrixMarketSize size_;
  bool integer_ = false;
};

class SparseSink final : public MatrixMarketSink {
 public:
  explicit SparseSink(const std::optional<Place>& watched) : entries_(watched) {}
  void begin(const MatrixMarketSize& size) override { size_ = size; }
  bool add(Index row, Index column, double value) override {
    return (value == 0 && !size_.coordinate) || entries_.add(row, column, value);
  }
  MatrixFile finish() {
    MatrixFile file;
    file.format = "Matrix Market";
    file.matrix = entries_.assemble(size_.rows, size_.columns);
    if (size_.mirror == 0) return file;
    file.matrix = with_other_triangle(file.matrix, size_.mirror);
    file.stored_as = size_.mirror == 1 ? StoredAs::symmetric : StoredAs::skew_symmetric;
    return file;
  }

 private:
  SparseEntries entries_;
  MatrixMarketSize size_;
};

}  // namespace

void parse_matrix_market(TextLines& lines, MatrixMarketSink& sink) { Parser(lines, sink).parse(); }

MatrixFile read_matrix_market_file(ByteStream& in, const MatrixRequest& request) {
  refuse_name(in.name(), request, "Matrix Market");
  TextLines lines(in);
  SparseSink sink(request.watched);
  parse_matrix_market(lines, sink);
  return sink.finish();
}

}  // namespace slipset::internal
