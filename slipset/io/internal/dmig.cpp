// Nastran DMIG entries, as in punch files.
//   DMIG NAME 0 IFO TIN TOUT POLAR - NCOL            the header: form and type of the matrix
//   DMIG NAME GJ CJ -  G1 C1 A1 B1  G2 C2 A2 B2 ...  column (GJ, CJ), its entries A in rows (G, C)
// Fields of 8 columns, of 16 (the entry's name with *), or between commas; continuations begin with blanks, + or *.
// IFO: 1 square, 6 symmetric (each entry on one side of the diagonal, on either), 2 rectangular, 9 rectangular with
// columns 1 to NCOL. TIN 1 and 2 are real. Other entries that stand beside matrices in punch files are passed over.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "slipset/io/internal/dof_numbers.hpp"
#include "slipset/io/internal/fortran_numbers.hpp"
#include "slipset/io/internal/matrix_readers.hpp"

namespace slipset::internal {
namespace {

constexpr std::string_view kOtherEntries[] = {
    "ASET",   "ASET1",   "BEGIN",   "BNDFIX",  "BNDFREE", "BSET",  "BSET1",  "CORD1C", "CORD1R",
    "CORD1S", "CORD2C",  "CORD2R",  "CORD2S",  "CSET",    "CSET1", "DTI",    "EPOINT", "EXTRN",
    "GRID",   "OMIT",    "OMIT1",   "PARAM",   "PLOTEL",  "QSET",  "QSET1",  "RBAR",   "RBE2",
    "RBE3",   "RELEASE", "SEBNDRY", "SECONCT", "SPC",     "SPC1",  "SPOINT", "USET",   "USET1"};

struct Card {
  std::string name;  // empty for a continuation
  std::array<std::string_view, 8> field;
  std::size_t count = 0;  // 8, or 4 of a card with fields of 16
};

class DmigReader {
 public:
  DmigReader(ByteStream& in, const MatrixRequest& request)
      : lines_(in), choice_(request.name), entries_(request.watched) {}

  MatrixFile read() {
    while (const auto raw = lines_.next()) {
      const std::string_view line = raw->substr(0, raw->find('$'));
      if (without_blanks_around(line).empty()) continue;
      const Card card = card_of(line);
      if (!card.name.empty()) begin(card.name);
      if (ended_) break;
      if (kind_ == Kind::none) lines_.fail(fmt::format("found {}; a continuation cannot come first", in_quotes(line)));
      for (std::size_t k = 0; k < card.count && kind_ != Kind::other; ++k) field(card.field[k]);
    }
    begin("");
    choice_.check(lines_.stream().name());
    if (columns_.count() == 0) lines_.fail(fmt::format("the file ends before the first column of {}", name_));
    return finish();
  }

 private:
  enum class Kind { none, dmig, header, column, other };
  struct Header {
    int form = 0;
    std::int64_t columns = 0;  // NCOL, 0: not given
    bool taken = false;
  };

  Card card_of(std::string_view line) const {
    Card card;
    std::string_view first = line.substr(0, 8), rest = line.substr(std::min<std::size_t>(8, line.size()));
    const bool free = line.find(',') != std::string_view::npos;
    if (free) {
      const std::size_t comma = line.find(',');
      first = line.substr(0, comma);
      rest = line.substr(comma + 1);
    } else if (line.find('\t') != std::string_view::npos) {
      lines_.fail("a tab; use blanks in fields of fixed width, or commas between the fields");
    }
    first = without_blanks_around(first);
    const bool continued = first.empty() || first.front() == '+' || first.front() == '*';
    const bool large = first.find('*') != std::string_view::npos;
    if (!continued) {
      std::string_view name = first.substr(0, first.find('*'));
      card.name = upper_case(words_of(name).count > 0 ? words_of(name).word[0] : name);
    }
    card.count = large ? 4 : 8;
    const std::size_t width = large ? 16 : 8;
    for (std::size_t k = 0; k < card.count; ++k) {
      const std::size_t end = free ? std::min(rest.find(','), rest.size()) : std::min(width, rest.size());
      card.field[k] = without_blanks_around(rest.substr(0, end));
      rest.remove_prefix(std::min(end + (free ? 1 : 0), rest.size()));
    }
    // Then at most the name of the continuation.
    const std::string_view left = without_blanks_around(rest);
    if (free ? left.find(',') != std::string_view::npos || (!left.empty() && left.find_first_of("+*") != 0)
             : !without_blanks_around(rest.substr(std::min<std::size_t>(8, rest.size()))).empty())
      lines_.fail(fmt::format("found {} behind the last field of the line", in_quotes(left)));
    return card;
  }

  void begin(const std::string& name) {
    at_end_of_card_ = true;
    if (kind_ == Kind::header) end_header();
    if (kind_ == Kind::column && entries_of_column_ == 0)
      fail(fmt::format("column ({}) has no entry; the file may have been cut off", told(column_)));
    at_end_of_card_ = false;
    card_line_ = lines_.number();
    position_ = 0;
    header_.fill("");
    kind_ = Kind::dmig;
    if (name == "ENDDATA") ended_ = true;
    if (name == "DMIG" || name.empty() || ended_) return;
    if (std::find(std::begin(kOtherEntries), std::end(kOtherEntries), name) == std::end(kOtherEntries))
      lines_.fail(fmt::format("found the entry {}; expected DMIG", in_quotes(name)));
    kind_ = Kind::other;
  }

  // One after the other, through all lines of a card.
  void field(std::string_view text) {
    const std::size_t at = position_++;
    if (at == 0) {
      matrix_ = upper_case(text);
      if (matrix_.empty()) lines_.fail("a DMIG entry without the name of its matrix");
      return;
    }
    if (at == 1) kind_ = text == "0" ? Kind::header : Kind::column;
    if (kind_ == Kind::header) {
      if (at < header_.size()) {
        header_[at] = text;
      } else if (!text.empty()) {
        lines_.fail(fmt::format("found {} behind the last field of a header", in_quotes(text)));
      }
      return;
    }
    if (at < 4) {
      column_field_[at] = text;
      if (at == 3) begin_column();
      return;
    }
    row_field_[at % 4] = text;
    if (at % 4 == 3) end_entry();
  }

  // At the card, which may have begun some lines above.
  [[noreturn]] void fail(const std::string& what) const {
    lines_.fail_at(at_end_of_card_ ? card_line_ : lines_.number(), what);
  }

  int whole(std::string_view text, const char* what, int least, int most, int if_blank) const {
    if (text.empty() && if_blank >= 0) return if_blank;
    const auto value = whole_number(text);
    if (!value || *value < least || *value > most)
      fail(fmt::format("found {} as {}; expected a whole number from {} to {}", in_quotes(text), what, least, most));
    return static_cast<int>(*value);
  }

  void end_header() {
    Header header;
    header.form = whole(header_[2], "IFO", 1, 9, -1);
    if (header.form != 1 && header.form != 2 && header.form != 6 && header.form != 9)
      fail(fmt::format("matrix {} has form {}; expected 1 (square), 6 (symmetric), 2 or 9 (rectangular)",
                       in_quotes(matrix_), header.form));
    const int type = whole(header_[3], "TIN", 1, 4, -1);
    whole(header_[4], "TOUT", 0, 4, 0);
    header.columns = whole(header_[7], "NCOL", 0, static_cast<int>(kMostRows), 0);
    if (header.form == 9 && header.columns == 0) fail("a matrix of form 9 without NCOL, its number of columns");
    const bool known = headers_.count(matrix_) > 0;
    header.taken = choice_.take(matrix_) && !known;
    if (known) fail(fmt::format("a second header of matrix {}", in_quotes(matrix_)));
    if (header.taken && type > 2)
      fail(fmt::format("matrix {} is complex (TIN {}); only real ones are read", in_quotes(matrix_), type));
    headers_[matrix_] = header;
    if (header.taken && name_.empty()) {
      name_ = matrix_;
      chosen_ = header;
    }
  }

  DofLabel label(std::string_view point, std::string_view component) const {
    return {whole(point, "point", 1, 2'147'483'647, -1), whole(component, "component", 0, 6, 0)};
  }

  void begin_column() {
    const auto header = headers_.find(matrix_);
    if (header == headers_.end())
      lines_.fail(
          fmt::format("a column of matrix {} before its header (DMIG,{},0,IFO,TIN)", in_quotes(matrix_), matrix_));
    if (!column_field_[3].empty())
      lines_.fail(fmt::format("found {}; expected a blank field", in_quotes(column_field_[3])));
    taken_ = header->second.taken;
    column_ = label(column_field_[1], column_field_[2]);
    if (header->second.form == 9 && (column_.node > header->second.columns || column_.dof != 0))
      lines_.fail(fmt::format("column ({}); expected a number from 1 to {}, component 0", told(column_),
                              header->second.columns));
    entries_of_column_ = 0;
  }

  void end_entry() {
    const auto& [point, component, real, imaginary] = row_field_;
    if (point.empty() && component.empty() && real.empty() && imaginary.empty()) return;
    const DofLabel row = label(point, component);
    const auto value = fortran_real(real);
    if (!value) lines_.fail(fmt::format("found {}; expected a finite number", in_quotes(real)));
    ++entries_of_column_;
    if (!taken_) return;
    if (!imaginary.empty() && fortran_real(imaginary).value_or(1) != 0)
      lines_.fail(fmt::format("found {} as the imaginary part of an entry of a real matrix", in_quotes(imaginary)));
    if (rows_.count() + columns_.count() + 2 > static_cast<std::size_t>(kMostRows))
      lines_.fail("more than 10^8 rows and columns");
    const std::int32_t i = rows_.number(row), j = columns_.number(column_);
    if (!entries_.add(i, j, *value)) lines_.fail(fmt::format("entry ({}; {}) appears twice", told(row), told(column_)));
  }

  static bool rectangular(const Header& header) { return header.form == 2 || header.form == 9; }

  MatrixFile finish() {
    MatrixFile file;
    file.format = "Nastran DMIG";
    file.name = name_;
    if (rectangular(chosen_)) {
      std::vector<std::int32_t> columns = columns_.numbers_when_sorted();
      file.columns = columns_.sorted();
      if (chosen_.form == 9) {  // numbered from 1; some may be empty
        for (std::size_t k = 0; k < columns.size(); ++k)
          columns[k] = static_cast<std::int32_t>(columns_.label(static_cast<Eigen::Index>(k)).node - 1);
        file.columns.resize(static_cast<std::size_t>(chosen_.columns));
        for (std::size_t k = 0; k < file.columns.size(); ++k) file.columns[k] = {static_cast<std::int64_t>(k + 1), 0};
      }
      file.rows = rows_.sorted();
      entries_.renumber(rows_.numbers_when_sorted(), columns);
    } else {
      // Rows and columns are one set of degrees of freedom.
      DofNumbers all;
      std::vector<std::int32_t> rows(rows_.count()), columns(columns_.count());
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = all.number(rows_.label(static_cast<Eigen::Index>(k)));
      for (std::size_t k = 0; k < columns.size(); ++k)
        columns[k] = all.number(columns_.label(static_cast<Eigen::Index>(k)));
      const auto sorted = all.numbers_when_sorted();
      for (auto& k : rows) k = sorted[static_cast<std::size_t>(k)];
      for (auto& k : columns) k = sorted[static_cast<std::size_t>(k)];
      file.rows = file.columns = all.sorted();
      entries_.renumber(rows, columns);
    }
    file.matrix =
        entries_.assemble(static_cast<Eigen::Index>(file.rows.size()), static_cast<Eigen::Index>(file.columns.size()));
    if (chosen_.form != 6) return file;
    const Pairs pairs = pairs_of(file.matrix);
    if (pairs.equal + pairs.unequal > 0) {
      const Place at = pairs.equal > 0 ? pairs.first_equal : pairs.first_unequal;
      lines_.fail(fmt::format(
          "matrix {} is symmetric (form 6), but its entry between {} and {} is given on both sides of the diagonal; "
          "give it once, or use form 1",
          in_quotes(name_), told(file.rows[static_cast<std::size_t>(at.row)]),
          told(file.rows[static_cast<std::size_t>(at.column)])));
    }
    file.matrix = with_other_triangle(file.matrix, 1);
    file.stored_as = StoredAs::symmetric;
    return file;
  }

  TextLines lines_;
  NameChoice choice_;
  SparseEntries entries_;
  DofNumbers rows_, columns_;
  std::map<std::string, Header> headers_;
  std::string name_;  // of the matrix that is read
  Header chosen_;

  // Of the card that is being read:
  Kind kind_ = Kind::none;
  std::size_t position_ = 0;
  std::string matrix_;
  std::array<std::string, 8> header_;
  std::array<std::string, 4> column_field_, row_field_;  // copies: a card may go on in the next line
  DofLabel column_;
  bool taken_ = false, ended_ = false, at_end_of_card_ = false;
  std::size_t card_line_ = 0;
  std::size_t entries_of_column_ = 0;
};

}  // namespace

MatrixFile read_dmig(ByteStream& in, const MatrixRequest& request) { return DmigReader(in, request).read(); }

}  // namespace slipset::internal
