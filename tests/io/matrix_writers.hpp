// Small writers of matrix files, by the formats' descriptions and independent of the readers.
#pragma once

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "slipset/io/matrix_file.hpp"
#include "tests/support/random.hpp"

namespace slipset::test {

struct Entry {
  int row, column;  // from 0
  double value;
};

struct Entries {
  int rows = 0, columns = 0;
  std::vector<Entry> list;

  // The whole of what a reader should give; mirror: 0, or the sign of the other triangle.
  Eigen::MatrixXd dense(int mirror = 0) const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows, columns);
    for (const Entry& e : list) {
      m(e.row, e.column) = e.value;
      if (mirror != 0 && e.row != e.column) m(e.column, e.row) = mirror * e.value;
    }
    return m;
  }
  Entries shuffled(Random& random) const {
    Entries other = *this;
    for (std::size_t k = other.list.size(); k > 1; --k)
      std::swap(other.list[k - 1], other.list[static_cast<std::size_t>(random.integer(0, static_cast<int>(k) - 1))]);
    return other;
  }
};

enum class Part { all, lower, strictly_lower };

// Short numbers have few digits, so that they fit in eight columns and in single precision.
inline Entries random_entries(Random& random, int rows, int columns, Part part = Part::all,
                              bool short_numbers = false) {
  Entries entries{rows, columns, {}};
  for (int j = 0; j < columns; ++j)
    for (int i = part == Part::all ? 0 : part == Part::lower ? j : j + 1; i < rows; ++i) {
      if (random.integer(0, 2) != 0 && (i != j || part == Part::strictly_lower)) continue;
      const double value = short_numbers ? random.integer(1, 800) / 8.0 : random.log_uniform(1e-30, 1e30);
      entries.list.push_back({i, j, random.coin() ? value : -value});
    }
  return entries;
}

inline std::string matrix_market(const Entries& entries, const char* symmetry) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real {}\n% made for a test\n{} {} {}\n", symmetry,
                                 entries.rows, entries.columns, entries.list.size());
  for (const Entry& e : entries.list) text += fmt::format("{} {} {:.17g}\n", e.row + 1, e.column + 1, e.value);
  return text;
}

inline std::string abaqus_coordinate(const Entries& entries) {
  std::string text;
  for (const Entry& e : entries.list) text += fmt::format("{} {}  {:.17e}\n", e.row + 1, e.column + 1, e.value);
  return text;
}

inline std::string abaqus_matrix_input(const Entries& entries, const std::vector<DofLabel>& labels) {
  std::string text;
  for (const Entry& e : entries.list) {
    const DofLabel &a = labels.at(static_cast<std::size_t>(e.row)), &b = labels.at(static_cast<std::size_t>(e.column));
    text += fmt::format("{},{}, {},{}, {:.17e}\n", a.node, a.dof, b.node, b.dof, e.value);
  }
  return text;
}

enum class DmigFields { small, large, free };

// Entries of one column after the other; a column may come more than once.
inline std::string dmig(const std::string& name, int form, const Entries& entries, const std::vector<DofLabel>& rows,
                        const std::vector<DofLabel>& columns, DmigFields fields) {
  const bool large = fields == DmigFields::large, free = fields == DmigFields::free;
  std::string text = fmt::format("$ made for a test\nDMIG    {:<8}{:>8}{:>8}{:>8}{:>8}\n", name, 0, form, 2, 0);
  if (form == 9) {
    text.pop_back();
    text += fmt::format("{:>8}{:>8}{:>8}\n", "", "", entries.columns);
  }
  for (const Entry& e : entries.list) {
    const DofLabel &r = rows.at(static_cast<std::size_t>(e.row)), &c = columns.at(static_cast<std::size_t>(e.column));
    std::string value = fmt::format("{:.16E}", e.value);
    if (large) {
      // Sixteen columns are too few for all digits: short numbers only. The exponent has its sign alone.
      value = fmt::format("{:.6E}", e.value);
      value.erase(value.find('E'), 1);
      text += fmt::format("DMIG*   {:<16}{:>16}{:>16}\n*       {:>16}{:>16}{:>16}\n", name, c.node, c.dof, r.node,
                          r.dof, value);
    } else if (free) {
      value.replace(value.find('E'), 1, "D");
      text += fmt::format("dmig,{},{},{},,{},{},{}\n", name, c.node, c.dof, r.node, r.dof, value);
    } else {
      value = fmt::format("{:.3f}", e.value);
      text +=
          fmt::format("DMIG    {:<8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", name, c.node, c.dof, "", r.node, r.dof, value);
    }
  }
  return text;
}

enum class Op4Columns { dense, strings, big_strings };

// Runs of neighbours in one column: first row and values.
inline std::vector<std::pair<int, std::vector<double>>> runs(const Eigen::MatrixXd& m, int column, bool dense) {
  std::vector<std::pair<int, std::vector<double>>> all;
  for (int i = 0; i < m.rows(); ++i) {
    if (m(i, column) == 0 && (!dense || all.empty())) continue;
    const bool next = !all.empty() && all.back().first + static_cast<int>(all.back().second.size()) == i;
    if (!next) all.push_back({i, {}});
    all.back().second.push_back(m(i, column));
  }
  return all;
}

inline std::string op4_text(const std::string& name, const Eigen::MatrixXd& m, int form, int type, Op4Columns columns) {
  const int words = type == 2 ? 2 : 1;
  std::string text = fmt::format("{:8}{:8}{:8}{:8}{:<8}1P,3E24.16\n", m.cols(),
                                 columns == Op4Columns::big_strings ? -m.rows() : m.rows(), form, type, name);
  for (int j = 0; j < m.cols(); ++j) {
    const auto all = runs(m, j, columns == Op4Columns::dense);
    if (all.empty()) continue;
    std::size_t count = 0;
    for (const auto& [row, values] : all) {
      count += values.size() * static_cast<std::size_t>(columns == Op4Columns::dense ? 1 : words);
      count += columns == Op4Columns::dense ? 0U : columns == Op4Columns::strings ? 1U : 2U;
    }
    text += fmt::format("{:8}{:8}{:8}\n", j + 1, columns == Op4Columns::dense ? all[0].first + 1 : 0, count);
    for (const auto& [row, values] : all) {
      const auto length = static_cast<int>(values.size()) * words;
      if (columns == Op4Columns::strings) text += fmt::format("{:11}\n", row + 1 + 65536 * (length + 1));
      if (columns == Op4Columns::big_strings) text += fmt::format("{:8}{:8}\n", length + 1, row + 1);
      for (std::size_t k = 0; k < values.size(); ++k)
        text += fmt::format("{:24.16E}{}", values[k], k % 3 == 2 || k + 1 == values.size() ? "\n" : "");
    }
  }
  return text + fmt::format("{:8}{:8}{:8}\n{:24.16E}\n", m.cols() + 1, 1, 1, 1.0);
}

// Bytes in either order; words of 4 or 8 bytes.
class Bytes {
 public:
  Bytes(bool big_endian, int word) : swap_(big_endian != (std::endian::native == std::endian::big)), word_(word) {}

  template <class Number>
  void put(Number number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    if (swap_) std::reverse(bytes, bytes + sizeof number);
    text.append(bytes, sizeof number);
  }
  void word(std::int64_t value) { word_ == 4 ? put(static_cast<std::int32_t>(value)) : put(value); }
  void real(double value, bool is_double) { word_ == 4 && !is_double ? put(static_cast<float>(value)) : put(value); }
  // Between two counts of its bytes.
  void record(const Bytes& content) {
    put(static_cast<std::int32_t>(content.text.size()));
    text += content.text;
    put(static_cast<std::int32_t>(content.text.size()));
  }

  std::string text;

 private:
  bool swap_;
  int word_;
};

inline std::string op4_binary(const std::string& name, const Eigen::MatrixXd& m, int form, int type, Op4Columns columns,
                              bool big_endian, int word) {
  const int words = type == 2 && word == 4 ? 2 : 1;
  Bytes file(big_endian, word), header(big_endian, word);
  for (const std::int64_t value : {m.cols(), columns == Op4Columns::big_strings ? -m.rows() : m.rows(),
                                   static_cast<Eigen::Index>(form), static_cast<Eigen::Index>(type)})
    header.word(value);
  const std::string padded = fmt::format("{:<8}", name);
  header.text += word == 4 ? padded : padded.substr(0, 4) + "    " + padded.substr(4) + "    ";
  file.record(header);
  for (int j = 0; j < m.cols(); ++j) {
    const auto all = runs(m, j, columns == Op4Columns::dense);
    if (all.empty()) continue;
    Bytes strings(big_endian, word), column(big_endian, word);
    for (const auto& [row, values] : all) {
      const auto length = static_cast<int>(values.size()) * words;
      if (columns == Op4Columns::strings) strings.word(row + 1 + 65536 * (length + 1));
      if (columns == Op4Columns::big_strings) strings.word(length + 1);
      if (columns == Op4Columns::big_strings) strings.word(row + 1);
      for (const double value : values) strings.real(value, type == 2);
    }
    column.word(j + 1);
    column.word(columns == Op4Columns::dense ? all[0].first + 1 : 0);
    column.word(static_cast<std::int64_t>(strings.text.size()) / word);
    column.text += strings.text;
    file.record(column);
  }
  Bytes last(big_endian, word);
  for (const std::int64_t value : {static_cast<std::int64_t>(m.cols()) + 1, std::int64_t{1}, std::int64_t{words}})
    last.word(value);
  last.real(1, type == 2);
  file.record(last);
  return file.text;
}

// Numbers in lines of `per_line`, each by one format of fmt.
template <class Numbers>
std::string fields(const Numbers& numbers, std::size_t per_line, const char* format, std::size_t& lines) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    text += fmt::format(fmt::runtime(format), numbers[k]);
    if (k % per_line == per_line - 1 || k + 1 == numbers.size()) text += '\n';
  }
  lines = (numbers.size() + per_line - 1) / per_line;
  return text;
}

inline std::string harwell_boeing(const std::string& type, Entries entries) {
  std::stable_sort(entries.list.begin(), entries.list.end(),
                   [](const Entry& a, const Entry& b) { return a.column < b.column; });
  std::vector<int> starts(static_cast<std::size_t>(entries.columns) + 1, 1), rows;
  std::vector<double> values;
  for (const Entry& e : entries.list) {
    for (std::size_t j = static_cast<std::size_t>(e.column) + 1; j < starts.size(); ++j) ++starts[j];
    rows.push_back(e.row + 1);
    values.push_back(e.value);
  }
  std::size_t a = 0, b = 0, c = 0;
  const std::string pointers = fields(starts, 10, "{:8}", a), places = fields(rows, 13, "{:6}", b),
                    numbers = fields(values, 3, "{:25.16E}", c);
  return fmt::format("{:<72}{:<8}\n{:14}{:14}{:14}{:14}{:14}\n{:<14}{:14}{:14}{:14}{:14}\n{:<16}{:<16}{:<20}\n",
                     "made for a test", "KEY", a + b + c, a, b, c, 0, type, entries.rows, entries.columns,
                     entries.list.size(), 0, "(10I8)", "(13I6)", "(1P,3E25.16)") +
         pointers + places + numbers;
}

// MATLAB, version 5, not compressed: one variable after the other.
class MatWriter {
 public:
  MatWriter() : bytes_(false, 4) {
    bytes_.text = fmt::format("{:<124}", "MATLAB 5.0 MAT-file, made for a test");
    bytes_.put(std::uint16_t{0x0100});
    bytes_.text += "IM";
  }
  void sparse(const std::string& name, Entries entries) {
    std::sort(entries.list.begin(), entries.list.end(), [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    std::vector<std::int32_t> rows, starts(static_cast<std::size_t>(entries.columns) + 1);
    std::vector<double> values;
    for (const Entry& e : entries.list) {
      rows.push_back(e.row);
      values.push_back(e.value);
      for (std::size_t j = static_cast<std::size_t>(e.column) + 1; j < starts.size(); ++j) ++starts[j];
    }
    Bytes body = head(5, static_cast<std::int32_t>(values.size()), entries.rows, entries.columns, name);
    element(body, 5, rows);
    element(body, 5, starts);
    element(body, 9, values);
    variable(body);
  }
  void full(const std::string& name, const Eigen::MatrixXd& m, bool complex = false) {
    Bytes body =
        head(complex ? 0x806 : 6, 0, static_cast<std::int32_t>(m.rows()), static_cast<std::int32_t>(m.cols()), name);
    const std::vector<double> values(m.data(), m.data() + m.size());
    element(body, 9, values);
    if (complex) element(body, 9, values);
    variable(body);
  }
  const std::string& text() const { return bytes_.text; }

 private:
  template <class Number>
  static void element(Bytes& to, std::int32_t type, const std::vector<Number>& numbers) {
    to.put(type);
    to.put(static_cast<std::int32_t>(numbers.size() * sizeof(Number)));
    for (const Number number : numbers) to.put(number);
    to.text.resize((to.text.size() + 7) / 8 * 8, '\0');
  }
  static Bytes head(std::int32_t kind, std::int32_t most, std::int32_t rows, std::int32_t columns,
                    const std::string& name) {
    Bytes body(false, 4);
    element(body, 6, std::vector<std::int32_t>{kind, most});
    element(body, 5, std::vector<std::int32_t>{rows, columns});
    element(body, 1, std::vector<char>(name.begin(), name.end()));
    return body;
  }
  void variable(const Bytes& body) {
    bytes_.put(std::int32_t{14});
    bytes_.put(static_cast<std::int32_t>(body.text.size()));
    bytes_.text += body.text;
  }

  Bytes bytes_;
};

}  // namespace slipset::test
