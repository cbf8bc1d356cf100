// Abaqus *MATRIX OUTPUT as text, in two forms, and the same below *MATRIX INPUT keyword lines.
//   matrix input: "row node, its dof, column node, its dof, value"; coordinate: "row column value", from 1
//   *MATRIX INPUT, NAME=name, TYPE=SYMMETRIC|UNSYMMETRIC, SCALE FACTOR=s;  comments with **
// A symmetric matrix has one triangle, in Abaqus' order of nodes, which is not that of their labels, or both. Without a
// keyword line the entries tell: it is symmetric if no (i, j) has its (j, i).
#include <fmt/format.h>

#include <cmath>

#include "slipset/io/internal/dof_numbers.hpp"
#include "slipset/io/internal/fortran_numbers.hpp"
#include "slipset/io/internal/matrix_readers.hpp"

namespace slipset::internal {
namespace {

enum class Declared { nothing, symmetric, unsymmetric };

struct Fields {
  std::array<std::string_view, 5> field;
  std::size_t count = 0;
};

// Between commas, where there are any, else between blanks. A comma may end the line.
Fields fields_of_line(std::string_view line) {
  Fields fields;
  const auto add = [&](std::string_view field) {
    if (fields.count < fields.field.size()) fields.field[fields.count] = field;
    ++fields.count;
  };
  if (line.find(',') == std::string_view::npos) {
    const Words words = words_of(line);
    for (std::size_t k = 0; k < std::min(words.count, words.word.size()); ++k) add(words.word[k]);
    return fields;
  }
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(','), line.size());
    add(without_blanks_around(line.substr(0, end)));
    line = without_blanks_around(line.substr(std::min(end + 1, line.size())));
  }
  return fields;
}

class AbaqusReader {
 public:
  AbaqusReader(ByteStream& in, const MatrixRequest& request)
      : lines_(in), request_(request), choice_(request.name), entries_(request.watched) {}

  MatrixFile read() {
    while (const auto raw = lines_.next()) {
      const std::string_view line = without_blanks_around(*raw);
      if (line.empty() || line.starts_with("**")) continue;
      line.starts_with('*') ? keyword(line) : data(line);
    }
    if (keywords_) {
      choice_.check(lines_.stream().name());
    } else {
      refuse_name(lines_.stream().name(), request_, "Abaqus matrix without a keyword line");
    }
    if (size_ == 0 && dofs_.count() == 0) lines_.fail("the file ends before the first entry of the matrix");
    return finish();
  }

 private:
  void keyword(std::string_view line) {
    if (!keywords_ && fields_ > 0)
      lines_.fail(fmt::format("found {} below entries; expected it above them, or no keyword at all", in_quotes(line)));
    // Abaqus ignores blanks and upper and lower case in keywords.
    std::vector<std::string> words(1);
    for (const char c : upper_case(line)) {
      if (c == ',') {
        words.emplace_back();
      } else if (c != ' ' && c != '\t') {
        words.back() += c;
      }
    }
    keywords_ = true;
    taken_ = false;
    in_matrix_ = words[0] == "*MATRIXINPUT";
    if (words[0] == "*MATRIXASSEMBLE") return;
    if (!in_matrix_)
      lines_.fail(fmt::format(
          "found {}; expected *MATRIX INPUT and its entries: write the matrix with *MATRIX OUTPUT, FORMAT=MATRIX INPUT "
          "or COORDINATE (matrices of substructures and of single elements are not read)",
          in_quotes(line)));
    std::string name;
    double scale = 1;
    Declared declared = Declared::symmetric;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const std::size_t equal = std::min(words[k].find('='), words[k].size());
      const std::string key = words[k].substr(0, equal), value = words[k].substr(std::min(equal + 1, words[k].size()));
      if (key == "NAME" && !value.empty()) {
        name = value;
      } else if (key == "TYPE" && (value == "SYMMETRIC" || value == "UNSYMMETRIC")) {
        declared = value == "SYMMETRIC" ? Declared::symmetric : Declared::unsymmetric;
      } else if (key == "SCALEFACTOR" && fortran_real(value).value_or(0) != 0) {
        scale = *fortran_real(value);
      } else if (key == "INPUT") {
        lines_.fail("the entries are in another file (INPUT=); read that one");
      } else {
        lines_.fail(fmt::format(
            "found {}; expected NAME=, TYPE=SYMMETRIC or UNSYMMETRIC, or SCALE FACTOR= with a number that is not 0",
            in_quotes(words[k])));
      }
    }
    if (name.empty()) lines_.fail("*MATRIX INPUT without NAME=; give the matrix a name");
    if (!choice_.take(name) || !name_.empty()) return;
    taken_ = true;
    name_ = name;
    scale_ = scale;
    declared_ = declared;
  }

  void data(std::string_view line) {
    if (keywords_ && !in_matrix_) lines_.fail(fmt::format("found {}; expected *MATRIX INPUT", in_quotes(line)));
    const Fields fields = fields_of_line(line);
    if (fields_ == 0) fields_ = fields.count;
    if (fields.count != fields_ || (fields_ != 5 && (fields_ != 3 || keywords_)))
      lines_.fail(fmt::format("found {} fields; expected {}", fields.count,
                              fields_ == 5 || keywords_ ? "five: row node, dof, column node, dof, value"
                              : fields_ == 3
                                  ? "three: row, column, value"
                                  : "five (row node, dof, column node, dof, value) or three (row, column, value)"));
    const std::optional<double> value = fortran_real(fields.field[fields_ - 1]);
    if (!value) lines_.fail(fmt::format("found {}; expected a finite number", in_quotes(fields.field[fields_ - 1])));
    if (!std::isfinite(*value * scale_)) lines_.fail("times the scale factor, the entry is not finite");
    if (fields_ == 3) {
      const Eigen::Index i = number(fields.field[0], "row"), j = number(fields.field[1], "column");
      size_ = std::max({size_, i, j});
      if (!entries_.add(i - 1, j - 1, *value)) repeated(fmt::format("({}, {})", i, j));
    } else {
      const DofLabel row = label(fields.field[0], fields.field[1]), column = label(fields.field[2], fields.field[3]);
      if (keywords_ && !taken_) return;
      if (dofs_.count() + 2 > static_cast<std::size_t>(kMostRows)) lines_.fail("more than 10^8 degrees of freedom");
      const std::int32_t i = dofs_.number(row), j = dofs_.number(column);
      if (!entries_.add(i, j, *value * scale_)) repeated(fmt::format("({}; {})", told(row), told(column)));
    }
  }

  [[noreturn]] void repeated(const std::string& place) {
    lines_.fail(fmt::format(
        "entry {} appears twice; if these are matrices of single elements, write the assembled one: *MATRIX GENERATE "
        "without ELEMENT BY ELEMENT",
        place));
  }

  Eigen::Index number(std::string_view field, const char* what) {
    const auto value = whole_number(field);
    if (!value || *value < 1 || *value > kMostRows)
      lines_.fail(
          fmt::format("found {} as {}; expected a whole number from 1 to {}", in_quotes(field), what, kMostRows));
    return *value;
  }

  DofLabel label(std::string_view node, std::string_view dof) {
    const auto n = whole_number(node), d = whole_number(dof);
    if (!n || *n == 0 || std::abs(*n) > 2'147'483'647)
      lines_.fail(fmt::format("found {}; expected the label of a node", in_quotes(node)));
    if (!d || *d < 0 || *d > 1000) lines_.fail(fmt::format("found {}; expected a degree of freedom", in_quotes(dof)));
    return {*n, static_cast<int>(*d)};
  }

  MatrixFile finish() {
    MatrixFile file;
    file.name = name_;
    file.format = fields_ == 5 ? "Abaqus matrix input" : "Abaqus coordinate";
    if (fields_ == 5) {
      const auto numbers = dofs_.numbers_when_sorted();
      entries_.renumber(numbers, numbers);
      file.rows = file.columns = dofs_.sorted();
      size_ = static_cast<Eigen::Index>(dofs_.count());
    }
    file.matrix = entries_.assemble(size_, size_);
    if (declared_ == Declared::unsymmetric) return file;
    const Pairs pairs = pairs_of(file.matrix);
    if (declared_ == Declared::symmetric && pairs.unequal > 0) {
      const auto side = [&](Eigen::Index k) { return told(file.rows[static_cast<std::size_t>(k)]); };
      lines_.fail(fmt::format(
          "the matrix is declared symmetric, but its entries between {} and {} differ; use TYPE=UNSYMMETRIC if that is "
          "what it is",
          side(pairs.first_unequal.row), side(pairs.first_unequal.column)));
    }
    const bool half =
        declared_ == Declared::symmetric ? pairs.single > 0 : pairs.single > 0 && pairs.equal + pairs.unequal == 0;
    if (!half) return file;
    file.matrix = with_other_triangle(file.matrix, 1);
    file.stored_as = StoredAs::symmetric;
    return file;
  }

  TextLines lines_;
  const MatrixRequest& request_;
  NameChoice choice_;
  SparseEntries entries_;
  DofNumbers dofs_;
  std::string name_;
  double scale_ = 1;
  Declared declared_ = Declared::nothing;
  bool keywords_ = false, in_matrix_ = false, taken_ = false;
  std::size_t fields_ = 0;  // of each line
  Eigen::Index size_ = 0;
};

}  // namespace

MatrixFile read_abaqus_matrix(ByteStream& in, const MatrixRequest& request) { return AbaqusReader(in, request).read(); }

}  // namespace slipset::internal
