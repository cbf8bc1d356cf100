#include "slipset/io/internal/signal_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/table_header.hpp"
#include "slipset/io/units.hpp"

namespace slipset::internal {
namespace {

// The numbers of the wanted columns of one row: quickly where it is as expected, else field by field.
class RowReader {
 public:
  RowReader(std::size_t count, std::span<const std::size_t> columns, Layout layout)
      : place_(count, kUnwanted), layout_(layout), row_(columns.size()), kinds_(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i) place_.at(columns[i]) = i;
  }
  const std::vector<double>& row() const { return row_; }

  // False where slow() must look.
  bool quick(std::string_view line) {
    const char *at = line.data(), *const stop = at + line.size();
    for (std::size_t field = 0; field < place_.size(); ++field) {
      while (at < stop && *at == ' ') ++at;
      const char* to = at;
      if (place_[field] == kUnwanted) {
        const auto* found =
            static_cast<const char*>(std::memchr(at, layout_.separator, static_cast<std::size_t>(stop - at)));
        to = found == nullptr ? stop : found;
      } else {
        double& value = row_[place_[field]];
        const auto [after, error] = std::from_chars(at < stop && *at == '+' ? at + 1 : at, stop, value);
        if (error != std::errc{} || !std::isfinite(value)) return false;
        to = after;
        while (to < stop && is_blank(*to) && *to != layout_.separator) ++to;
      }
      const bool last = field + 1 == place_.size();
      if (last ? to != stop : (to == stop || *to != layout_.separator)) return false;
      at = to + 1;
    }
    return true;
  }

  struct Problem {
    std::string what;
    std::size_t field = 0;
    std::string_view text{};
    bool of_file = false;  // not of this row alone
  };
  std::optional<Problem> slow(std::string_view line) {
    if (const std::size_t comment = line.find('#'); comment != std::string_view::npos)
      line = trimmed(line.substr(0, comment));
    const auto fields = fields_of(line, layout_.separator);
    const std::size_t count = place_.size();
    if (used_fields(fields) > count)
      return Problem{"more fields than columns, or text after the number", count - 1, line};
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= fields.size()) return Problem{"too few fields", i - 1, line};
      if (place_[i] == kUnwanted) continue;
      if (fields[i].empty()) return Problem{"a number is missing", i, line};
      const std::optional<double> value = number_of(fields[i], layout_.decimal_comma);
      if (!value) return Problem{"not a number", i, fields[i]};
      if (!std::isfinite(*value)) return Problem{"not a finite number", i, fields[i]};
      row_[place_[i]] = *value;
      note_decimals(fields[i], place_[i]);
      if (comma_ && point_) return Problem{"both decimal points and decimal commas in this file", i, fields[i], true};
    }
    return std::nullopt;
  }
  bool decimal_commas() const { return comma_; }
  // "1,234" may be a thousand, and nothing in the file says otherwise: in quotes between commas; or, since decimals are
  // written in every row or with as many digits as they need, beside whole numbers below 1000 in its column.
  bool perhaps_thousands() const {
    if (!comma_ || !thousands_) return false;
    return layout_.separator == ',' ||
           std::any_of(kinds_.begin(), kinds_.end(), [](const Kinds& k) { return k.commas && k.whole; });
  }

 private:
  static constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);

  void note_decimals(std::string_view field, std::size_t place) {
    point_ = point_ || field.find('.') != std::string_view::npos;
    const std::size_t comma = field.find(','), first = std::min(field.find_first_of("0123456789"), field.size());
    Kinds& kinds = kinds_[place];
    if (comma == std::string_view::npos) {
      kinds.whole = true;
      kinds.long_whole = kinds.long_whole || field.size() > first + 3;  // thousands would have a comma
      thousands_ = thousands_ && !(kinds.commas && kinds.long_whole);
      return;
    }
    comma_ = kinds.commas = true;
    thousands_ =
        thousands_ && !kinds.long_whole && field.size() == comma + 4 && comma <= first + 3 && field[first] != '0';
  }

  std::vector<std::size_t> place_;
  Layout layout_;
  std::vector<double> row_;
  bool comma_ = false, point_ = false, thousands_ = true;
  struct Kinds {  // of numbers in one column
    bool commas = false, whole = false, long_whole = false;
  };
  std::vector<Kinds> kinds_;
};

// One allocation, and no more than a tenth too much: the number of rows from the length of the first ones.
std::size_t estimated_rows(std::string_view rows) {
  std::size_t count = 0, at = 0;
  while (at < rows.size() && count < 1000) {
    at = std::min(rows.find('\n', at), rows.size() - 1) + 1;
    ++count;
  }
  return static_cast<std::size_t>(1.02 * static_cast<double>(rows.size()) / static_cast<double>(at) *
                                  static_cast<double>(count)) +
         16;
}

// The first field that begins like a number and is none, with its line and what it may be; empty if there is none.
std::string first_unread(const std::filesystem::path& path, std::string_view text) {
  Lines lines(text);
  while (const std::optional<Line> line = lines.next()) {
    const Layout layout = layout_of(line->text);
    const auto fields = fields_of(line->text, layout.separator);
    for (std::size_t i = 0; i < fields.size() && fields.size() > 1; ++i) {
      const std::string_view field = fields[i];
      const std::size_t digit = field.find_first_not_of("+-.,");
      // A number in another notation: digits and their signs, and an exponent's letter. Dates are not.
      if (digit == std::string_view::npos || field[digit] < '0' || field[digit] > '9' ||
          field.find_first_not_of("0123456789+-., '_eEdD") != std::string_view::npos ||
          number_of(field, layout.decimal_comma))
        continue;
      const bool date =
          field.find_first_of(",eEdD") == std::string_view::npos &&
          (std::count(field.begin(), field.end(), '.') > 1 || field.find('-', digit) != std::string_view::npos);
      if (date) continue;
      const bool exponent = field.find_first_of("dD") != std::string_view::npos;
      const bool both = field.find('.') != std::string_view::npos && field.find(',') != std::string_view::npos;
      return fmt::format("; {}:{}: column {}: \"{}\" is not understood as a number{}", path.string(), line->number,
                         i + 1, utf8(field.substr(0, 40)),
                         exponent ? ": write its exponent with E, as in 1.0E+00"
                         : both   ? ": write numbers without thousands separators"
                                  : "");
    }
  }
  return "";
}

}  // namespace

SignalTable::SignalTable(const std::filesystem::path& path) : path_(path), file_(path) { find_header(); }

// The first row of data whose successor has as many fields begins the rows.
void SignalTable::find_header() {
  Lines lines(file_.text());
  std::vector<Line> header;
  std::optional<Line> line = lines.next();
  std::size_t count = 0;
  for (; line; ++count) {
    const std::size_t fields = row_fields(line->text);
    const std::optional<Line> after = lines.next();
    if (fields > 0 && (!after || has_fields(after->text, layout_of(line->text).separator, fields))) break;
    if (header.size() == 64) header.erase(header.begin());
    header.push_back(*line);
    line = after;
  }
  if (!line)
    throw InvalidInput(fmt::format(
        "{}: no row of numbers{}; expected a table with columns between commas, semicolons, tabs or spaces{}",
        path_.string(), file_.text().empty() ? ": the file is empty" : fmt::format(" in {} lines", count),
        first_unread(path_, file_.text())));
  layout_ = layout_of(line->text);
  rows_ = file_.text().substr(static_cast<std::size_t>(line->text.data() - file_.text().data()));
  first_line_ = line->number;
  names_.resize(row_fields(line->text));
  units_.resize(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) names_[i] = std::to_string(i + 1);
  name_columns(header);
  if (has_names_ || !units_.front().text.empty()) return;
  // Some programs write the names as a comment.
  const std::string_view before = file_.text().substr(0, file_.text().size() - rows_.size());
  const std::vector<Line> comments = comments_in(before);
  name_columns(comments, true);
  if (!has_names_ && !header.empty()) refuse_other_count(header.back());
}

void SignalTable::name_columns(std::span<const Line> header, bool in_comments) {
  const std::size_t columns = names_.size();
  // Lines with as many fields, the last one first.
  std::vector<std::vector<std::string_view>> candidates;
  for (auto h = header.rbegin(); h != header.rend(); ++h) {
    // A header may have other separators than the rows: "angle, Ft, Fr" over columns between spaces.
    std::vector<std::string_view> fields = header_fields(h->text, layout_.separator);
    if (used_fields(fields) != columns && fields.size() != columns)
      fields = header_fields(h->text, layout_of(h->text).separator);
    if (used_fields(fields) > columns || fields.size() < columns) continue;
    fields.resize(columns);
    std::size_t numbers = 0, others = 0;
    for (const std::string_view field : fields)
      if (!field.empty()) ++(number_of(field, layout_.decimal_comma) ? numbers : others);
    if (candidates.empty() && numbers > others &&
        !in_comments) {  // a row of data with a gap, directly above the first whole one
      lost_rows_.push_back(fmt::format("{}:{}: not all of the fields are numbers: \"{}\"", path_.string(), h->number,
                                       utf8(h->text.substr(0, 60))));
      continue;
    }
    if (others == 0) continue;
    candidates.push_back(std::move(fields));
  }
  std::size_t next = 0;
  if (!candidates.empty() && is_line_of_units(candidates[0], candidates.size() > 1)) {
    for (std::size_t i = 0; i < columns; ++i) {
      const std::string field = utf8(candidates[0][i]);
      const auto [name, in_brackets] = name_and_unit(field);
      const std::string unit = name.empty() ? in_brackets : field;
      if (!unit.empty()) units_[i] = {unit, "unit row"};
    }
    next = 1;
  }
  if (candidates.size() <= next) return;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::string field = utf8(candidates[next][i]);
    auto [name, unit] = name_and_unit(field);
    if (!unit.empty() && !units_[i].text.empty() && unit != units_[i].text && find_unit(unit))
      throw InvalidInput(
          fmt::format("{}: column {} has two units, \"{}\" beside its name and \"{}\" in the row of units; "
                      "remove one",
                      path_.string(), name, unit, units_[i].text));
    if (!unit.empty() && units_[i].text.empty()) units_[i] = {unit, "header"};
    names_[i] = std::move(name);
  }
  has_names_ = true;
}

// Names that are more or less than the columns: R leaves out the name of the row's number.
void SignalTable::refuse_other_count(const Line& line) const {
  const std::size_t count = used_fields(fields_of(line.text, layout_.separator));
  if (count != names_.size() && (count + 1 == names_.size() || (count > 1 && layout_.separator != ' ')))
    throw InvalidInput(fmt::format("{}:{}: {} names over rows of {} columns: \"{}\"; name all of the columns",
                                   path_.string(), line.number, count, names_.size(), utf8(line.text.substr(0, 60))),
                       "columns");
}

SignalRows SignalTable::read(std::span<const std::size_t> columns, bool skip_bad_rows) const {
  const auto told = [&](std::string_view line, const RowReader::Problem& problem) {
    const auto number = first_line_ + static_cast<std::size_t>(std::count(rows_.data(), line.data(), '\n'));
    return fmt::format("{}:{}: {} in column {} ({}): \"{}\"", path_.string(), number, problem.what, problem.field + 1,
                       names_[problem.field], utf8(problem.text.substr(0, 40)));
  };
  constexpr const char* remedy = "; fix the row, comment it out with #, or leave such rows out";
  bool careful = false;  // every row field by field: there are decimal commas
  while (true) {
    SignalRows result;
    result.columns.resize(columns.size());
    for (auto& column : result.columns) column.reserve(estimated_rows(rows_));
    const auto skip = [&](const std::string& why) {
      if (!skip_bad_rows) throw InvalidInput(why + remedy, "bad rows");
      if (result.skipped++ == 0) result.first_skipped = why;
    };
    for (const std::string& lost : lost_rows_) skip(lost);
    RowReader reader(names_.size(), columns, layout_);
    bool again = false;
    for (std::string_view rest = rows_; !rest.empty() && !again;) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.empty() || is_comment(line)) continue;
      if (careful || !reader.quick(line)) {
        const auto problem = reader.slow(line);
        again = !careful && reader.decimal_commas();
        if (problem && !again) {
          if (problem->of_file) throw InvalidInput(told(line, *problem));
          skip(told(line, *problem));
          continue;
        }
      }
      for (std::size_t i = 0; i < columns.size(); ++i) result.columns[i].push_back(reader.row()[i]);
    }
    if (again) {
      careful = true;
      continue;
    }
    if (reader.perhaps_thousands())
      throw InvalidInput(
          fmt::format("{}: are the commas in numbers such as \"1,234\" decimal commas or thousands? Save the table "
                      "{}, or without thousands separators",
                      path_.string(),
                      layout_.separator == ',' ? "with semicolons or tabs between the columns"
                                               : "with decimal points, or with all decimals in every row"));
    return result;
  }
}

}  // namespace slipset::internal
