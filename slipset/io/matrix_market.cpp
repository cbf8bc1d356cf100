#include "slipset/io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

using Eigen::Index;

class MatrixMarketReader {
 public:
  explicit MatrixMarketReader(const std::filesystem::path& path) : name_(path.string()), in_(read_file(path)) {}

  Eigen::MatrixXd read() {
    read_header();
    read_sizes();
    return coordinate_ ? read_coordinate() : read_array();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, line_number_, what));
  }

  // The words of the next line that has any and is no comment; empty at the end of the file.
  std::vector<std::string> next_line() {
    std::string line;
    while (std::getline(in_, line)) {
      ++line_number_;
      std::istringstream words(line);
      std::vector<std::string> all;
      for (std::string word; words >> word;) all.push_back(word);
      if (!all.empty() && all[0][0] != '%') return all;
    }
    ++line_number_;
    return {};
  }

  std::string choice(const std::string& found, const std::vector<std::string>& allowed) const {
    std::string lower = found;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(allowed.begin(), allowed.end(), lower) == allowed.end())
      fail(fmt::format("found \"{}\"; expected {}", found, fmt::join(allowed, " or ")));
    return lower;
  }

  void read_header() {
    std::string line;
    std::getline(in_, line);
    ++line_number_;
    std::istringstream words(line);
    std::string banner, object, format, field, symmetry, rest;
    words >> banner >> object >> format >> field >> symmetry;
    if (banner != "%%MatrixMarket" || symmetry.empty() || words >> rest)
      fail("not a Matrix Market file: the first line must be like \"%%MatrixMarket matrix coordinate real general\"");
    choice(object, {"matrix"});
    coordinate_ = choice(format, {"coordinate", "array"}) == "coordinate";
    integer_ = choice(field, {"real", "integer"}) == "integer";
    const std::string kind = choice(symmetry, {"general", "symmetric", "skew-symmetric"});
    mirror_ = kind == "general" ? 0 : kind == "symmetric" ? 1 : -1;
  }

  Index index(const std::string& word, const char* what, Index most) const {
    Index value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < 1 || value > most)
      fail(fmt::format("found \"{}\" as {}; expected a whole number from 1 to {}", word, what, most));
    return value;
  }

  double value(const std::string& word) const {
    double number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(first, word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(number))
      fail(fmt::format("found \"{}\"; expected a finite number", word));
    if (integer_ && number != std::floor(number)) fail(fmt::format("found {} in a file of integers", word));
    return number;
  }

  void read_sizes() {
    const auto words = next_line();
    if (words.size() != (coordinate_ ? 3U : 2U))
      fail(fmt::format("found {} numbers as sizes; expected {}", words.size(),
                       coordinate_ ? "three: rows, columns, entries" : "two: rows, columns"));
    constexpr Index most = 100'000'000;
    rows_ = index(words[0], "number of rows", most);
    columns_ = index(words[1], "number of columns", most);
    if (rows_ > most / columns_) fail(fmt::format("{} x {} is more than 10^8 numbers", rows_, columns_));
    if (mirror_ != 0 && rows_ != columns_)
      fail(fmt::format("{} x {} is not square, so it can be neither symmetric nor skew-symmetric", rows_, columns_));
    const Index triangle = rows_ * (rows_ + mirror_) / 2;
    entries_ = mirror_ == 0 ? rows_ * columns_ : triangle;
    if (coordinate_ && words[2] != "0") entries_ = index(words[2], "number of entries", entries_);
    if (coordinate_ && words[2] == "0") entries_ = 0;
  }

  // The words of one entry, of which there must be so many.
  std::vector<std::string> entry(Index number, std::size_t words) {
    auto found = next_line();
    if (found.empty()) fail(fmt::format("the file ends after {} of {} entries", number, entries_));
    if (found.size() != words)
      fail(fmt::format("found {} fields; expected {}", found.size(),
                       words == 3 ? "three: row, column, value" : "one value"));
    return found;
  }

  void expect_end() {
    if (!next_line().empty()) fail(fmt::format("more than the {} entries declared in the size line", entries_));
  }

  void put(Eigen::MatrixXd& m, Index i, Index j, double x) const {
    m(i, j) = x;
    if (mirror_ != 0 && i != j) m(j, i) = mirror_ * x;
  }

  Eigen::MatrixXd read_coordinate() {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows_, columns_);
    std::vector<bool> seen(static_cast<std::size_t>(rows_ * columns_));
    for (Index k = 0; k < entries_; ++k) {
      const auto words = entry(k, 3);
      const Index i = index(words[0], "row", rows_) - 1, j = index(words[1], "column", columns_) - 1;
      if (mirror_ == 1 && i < j)
        fail(fmt::format("entry ({}, {}) is above the diagonal; a symmetric file has the lower triangle only", i + 1,
                         j + 1));
      if (mirror_ == -1 && i <= j)
        fail(fmt::format(
            "entry ({}, {}) is not below the diagonal; a skew-symmetric file has only entries below the diagonal",
            i + 1, j + 1));
      const auto place = static_cast<std::size_t>(i * columns_ + j);
      if (seen[place]) fail(fmt::format("entry ({}, {}) appears twice", i + 1, j + 1));
      seen[place] = true;
      put(m, i, j, value(words[2]));
    }
    expect_end();
    return m;
  }

  Eigen::MatrixXd read_array() {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows_, columns_);
    Index k = 0;
    for (Index j = 0; j < columns_; ++j)
      for (Index i = mirror_ == 0 ? 0 : mirror_ == 1 ? j : j + 1; i < rows_; ++i) put(m, i, j, value(entry(k++, 1)[0]));
    expect_end();
    return m;
  }

  std::string name_;
  std::istringstream in_;
  int line_number_ = 0;
  bool coordinate_ = true, integer_ = false;
  int mirror_ = 0;  // of the other triangle: 0 none, 1 symmetric, -1 skew-symmetric
  Index rows_ = 0, columns_ = 0, entries_ = 0;
};

}  // namespace

Eigen::MatrixXd read_matrix_market(const std::filesystem::path& path) { return MatrixMarketReader(path).read(); }

}  // namespace slipset
