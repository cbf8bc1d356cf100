#include "slipset/io/internal/siconos_dat.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/internal/planar_problem.hpp"

namespace slipset::internal {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class SiconosReader {
 public:
  SiconosReader(const std::string& content, const std::string& name)
      : at_(content.data()), end_(content.data() + content.size()), name_(name) {}

  ProblemFile read() {
    ProblemFile file;
    const std::size_t dimension = count("the dimension", 5);
    if (dimension == 5) fail("dimension 5: a problem with rolling friction, which is not read yet");
    if (dimension != 2 && dimension != 3) fail(fmt::format("dimension {}; expected 2 or 3", dimension));
    dimension_ = dimension;
    // Every number takes two characters at least: what cannot be in the file is refused before it is allocated.
    const std::size_t most = static_cast<std::size_t>(end_ - at_) / 2;
    contacts_ = count("the number of contacts", most / dimension_);
    rows_ = dimension_ * contacts_;
    const std::size_t storage = count("the storage type", 2);
    if (storage == 2) fail("storage 2 (compressed columns), which is not read yet; 0 is dense, 1 sparse blocks");
    const std::size_t matrix_rows = token<std::size_t>("the number of rows", kNone);
    if (matrix_rows != rows_)
      fail(fmt::format(
          "the number of rows: found {}, expected {}, which is {} a contact; a global problem (M, H, q, b, mu) "
          "has other sizes, and is not read yet",
          matrix_rows, rows_, dimension_));
    expect("the number of columns", rows_);
    file.problem.delassus = std::make_shared<BlockDelassus>(storage == 0 ? read_dense() : read_blocks(most));
    refuse_global();
    file.dimension = static_cast<int>(dimension_);
    file.problem.free_velocity = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * contacts_));
    for (std::size_t i = 0; i < rows_; ++i)
      file.problem.free_velocity[static_cast<Eigen::Index>(3 * (i / dimension_) + i % dimension_)] = number("q", i);
    for (std::size_t i = 0; i < contacts_; ++i) {
      file.coefficient.push_back(number("mu", i));
      if (file.coefficient.back() < 0) fail(fmt::format("mu of contact {} is negative", i));
    }
    skip_guess();
    if (at_ != end_)
      fail("something is left over behind mu: not a local problem (W, q, mu), or not of this many contacts");
    return file;
  }

 private:
  // Siconos' own files may end with 0, or with 1 and, perhaps, a first guess: impulses and velocities.
  void skip_guess() {
    skip_space();
    if (at_ == end_ || (*at_ != '0' && *at_ != '1') || (at_ + 1 != end_ && !is_space(at_[1]))) return;
    const bool guess = *at_++ == '1';
    skip_space();
    for (std::size_t i = 0; guess && at_ != end_ && i < 2 * rows_; ++i) number("the first guess", i);
    skip_space();
  }

  // Where q should begin, a global problem has a second matrix: its storage, rows of M, columns of the contacts.
  void refuse_global() {
    const char* const before = at_;
    const std::size_t line = line_;
    bool global = true;
    for (const std::size_t most : {std::size_t{2}, rows_, rows_}) {
      skip_space();
      std::size_t value = 0;
      const auto [after, error] = std::from_chars(at_, end_, value);
      global = global && error == std::errc{} && (after == end_ || is_space(*after)) &&
               (most == 2 ? value <= 2 : value == most);
      at_ = after;
    }
    const auto left = static_cast<std::size_t>(end_ - at_);
    if (global && left / 2 > rows_ + contacts_)
      fail("a global problem (M, H, q, b, mu), which is not read yet; a local one has W, q, mu");
    at_ = before;
    line_ = line;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, line_, what));
  }

  void skip_space() {
    for (; at_ != end_ && is_space(*at_); ++at_) line_ += *at_ == '\n';
  }

  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

  template <class Value>
  Value token(const char* what, std::size_t index) {
    skip_space();
    const std::string of = index == kNone ? std::string() : fmt::format(" number {}", index);
    if (at_ == end_) fail(fmt::format("the file ends before {}{}", what, of));
    if (*at_ == '+') ++at_;
    Value value{};
    const auto [after, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{} || (after != end_ && !is_space(*after))) {
      const char* stop = at_;
      while (stop != end_ && !is_space(*stop) && stop - at_ < 30) ++stop;
      fail(fmt::format("{}{}: \"{}\" is not a number that fits here", what, of, printable(at_, stop)));
    }
    if (after == end_)
      fail(fmt::format(
          "{}{}: the file ends with this number, {}, and no new line: it may be cut off; if it is whole, add a "
          "new line",
          what, of, printable(at_, after)));
    at_ = after;
    return value;
  }

  static std::string printable(const char* from, const char* to) {
    std::string text(from, to);
    for (char& c : text)
      if (c < ' ' || c > '~') c = '?';
    return text;
  }

  double number(const char* what, std::size_t index) {
    const double value = token<double>(what, index);
    if (!std::isfinite(value)) fail(fmt::format("{} number {} is not finite", what, index));
    return value;
  }

  std::size_t count(const char* what, std::size_t most, std::size_t index = kNone) {
    const std::size_t value = token<std::size_t>(what, index);
    if (value > most) fail(fmt::format("{}: {} is too large; at most {} is possible here", what, value, most));
    return value;
  }

  void expect(const char* what, std::size_t value) {
    if (const std::size_t found = token<std::size_t>(what, kNone); found != value)
      fail(fmt::format("{}: found {}, expected {}", what, found, value));
  }

  BlockDelassus read_dense() {
    expect("the matrix' number of rows", rows_);
    expect("the matrix' number of columns", rows_);
    if (rows_ != 0 && rows_ > static_cast<std::size_t>(end_ - at_) / rows_) fail("the file ends within W");
    const auto all = static_cast<Eigen::Index>(3 * contacts_);
    const auto place = [&](std::size_t k) { return static_cast<Eigen::Index>(3 * (k / dimension_) + k % dimension_); };
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(all, all);
    for (std::size_t column = 0; column < rows_; ++column)
      for (std::size_t row = 0; row < rows_; ++row) dense(place(row), place(column)) = number("W", column);
    for (Eigen::Index i = 0; i < all && dimension_ == 2; i += 3) add_second_tangent(dense.block<3, 3>(i, i));
    return BlockDelassus(dense);
  }

  void read_block_ends(const char* what, std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i)
      if (const std::size_t end = count(what, rows_, i); end != dimension_ * (i + 1))
        fail(fmt::format("{} {}: block ends at {}; only blocks of {} rows and columns are supported", what, i, end,
                         dimension_));
  }

  BlockDelassus read_blocks(std::size_t most) {
    const std::size_t blocks = count("the number of blocks", most);
    expect("the number of block rows", contacts_);
    expect("the number of block columns", contacts_);
    read_block_ends("block row", contacts_);
    read_block_ends("block column", contacts_);
    const std::size_t filled_1 = count("the number of row starts", most),
                      filled_2 = count("the number of places", most);
    if (filled_1 > contacts_ + 1) fail("more row starts than block rows");
    if (filled_2 < blocks) fail(fmt::format("{} places for {} blocks", filled_2, blocks));
    std::vector<std::size_t> starts, columns;
    for (std::size_t i = 0; i < filled_1; ++i) {
      starts.push_back(count("row start", blocks, i));
      if (i > 0 && starts[i] < starts[i - 1]) fail(fmt::format("row start {} is before the one above it", i));
    }
    if (blocks > 0 && (starts.empty() || starts.front() != 0 || starts.back() != blocks))
      fail("the row starts must go from 0 to the number of blocks");
    for (std::size_t i = 0; i < filled_2; ++i) {
      columns.push_back(token<std::size_t>("block column number", i));  // those behind the last block mean nothing
      if (i < blocks && columns[i] >= contacts_)
        fail(fmt::format("block {} in column {}: outside the matrix", i, columns[i]));
    }
    std::vector<BlockDelassus::Entry> entries;
    entries.reserve(blocks);
    std::size_t row = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      expect("the block's number", b);
      while (row + 1 < starts.size() && starts[row + 1] <= b) ++row;
      entries.push_back({row, columns[b], Mat3::Zero()});
      for (std::size_t k = 0; k < dimension_ * dimension_; ++k)
        entries.back().values(static_cast<Eigen::Index>(k % dimension_), static_cast<Eigen::Index>(k / dimension_)) =
            number("a number of block", b);
      if (dimension_ == 2 && row == columns[b]) add_second_tangent(entries.back().values);
    }
    return BlockDelassus(contacts_, entries);
  }

  const char *at_, *end_;
  const std::string& name_;
  std::size_t line_ = 1;
  std::size_t dimension_ = 3, contacts_ = 0, rows_ = 0;
};

}  // namespace

ProblemFile parse_siconos_dat(const std::string& content, const std::string& name) {
  ProblemFile file = SiconosReader(content, name).read();
  try {
    set_isotropic_laws(file.problem, file.coefficient);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: mu: {}", name, error.what()));
  }
  return file;
}

std::string siconos_dat(const ContactProblem& problem, const std::vector<double>& coefficients) {
  const BlockDelassus& w = *problem.delassus->as_blocks();
  const std::size_t n = w.contacts();
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "3\n{}\n1\n{}\n{}\n{}\n{}\n{}\n", n, 3 * n, 3 * n, w.blocks(), n, n);
  for (int twice = 0; twice < 2; ++twice) {
    for (std::size_t i = 0; i < n; ++i) fmt::format_to(to, "{} ", 3 * (i + 1));
    fmt::format_to(to, "\n");
  }
  fmt::format_to(to, "{}\n{}\n", n + 1, w.blocks());
  std::size_t start = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    fmt::format_to(to, "{} ", start);
    if (i < n) start += w.blocks(i);
  }
  fmt::format_to(to, "\n");
  for (std::size_t i = 0; i < n; ++i)
    for (const std::uint32_t column : w.columns(i)) fmt::format_to(to, "{} ", column);
  fmt::format_to(to, "\n");
  std::size_t number = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < w.blocks(i); ++b) {
      fmt::format_to(to, "{}\n", number++);
      const auto block = w.at<3>(i, b);
      for (Eigen::Index k = 0; k < 9; ++k) fmt::format_to(to, "{:.17g} ", block.values(k % 3, k / 3));
      fmt::format_to(to, "\n");
    }
  for (const double value : problem.free_velocity) fmt::format_to(to, "{:.17g} ", value);
  fmt::format_to(to, "\n");
  for (const double value : coefficients) fmt::format_to(to, "{:.17g} ", value);
  fmt::format_to(to, "\n");
  return fmt::to_string(out);
}

}  // namespace slipset::internal
