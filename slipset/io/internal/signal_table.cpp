#include "slipset/io/internal/signal_table.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset::internal {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr double kDegree = std::numbers::pi / 180;
constexpr std::array<Unit, 30> kUnits = {{{"", 1},
                                          {"-", 1},
                                          {"1", 1},
                                          {"rad", 1},
                                          {"deg", kDegree},
                                          {"degrees", kDegree},
                                          {"°", kDegree},
                                          {"rev", 2 * std::numbers::pi},
                                          {"N", 1},
                                          {"mN", 1e-3},
                                          {"kN", 1e3},
                                          {"cN", 1e-2},
                                          {"gf", 9.80665e-3},
                                          {"kgf", 9.80665},
                                          {"lbf", 4.4482216152605},
                                          {"s", 1},
                                          {"ms", 1e-3},
                                          {"us", 1e-6},
                                          {"µs", 1e-6},
                                          {"m", 1},
                                          {"cm", 1e-2},
                                          {"mm", 1e-3},
                                          {"um", 1e-6},
                                          {"µm", 1e-6},
                                          {"m/s", 1},
                                          {"mm/s", 1e-3},
                                          {"um/s", 1e-6},
                                          {"µm/s", 1e-6},
                                          {"%", 1e-2},
                                          {"turn", 2 * std::numbers::pi}}};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_comment(std::string_view line) { return line.front() == '#' || line.front() == '%' || line.starts_with("//"); }

// What separates the columns of a line, and whether its numbers have decimal commas.
struct Layout {
  char separator;
  bool decimal_comma;
};
Layout layout_of(std::string_view line) {
  const auto has = [&](char c) { return line.find(c) != std::string_view::npos; };
  if (has(';')) return {';', has(',')};
  if (has('\t')) return {'\t', has(',')};
  if (!has(',')) return {' ', false};
  // "0,5 1,25" has decimal commas; "0.5, 1.25" and "0,1,2" have not.
  bool words_with_one_comma = has(' ') && !has('.');
  for (std::size_t i = 0; i < line.size() && words_with_one_comma; ++i)
    if (line[i] == ',')
      words_with_one_comma = i > 0 && i + 1 < line.size() && std::isdigit(static_cast<unsigned char>(line[i - 1])) &&
                             std::isdigit(static_cast<unsigned char>(line[i + 1]));
  return words_with_one_comma ? Layout{' ', true} : Layout{',', false};
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  line = trimmed(line);
  while (true) {
    const std::size_t end = std::min(line.find(separator), line.size());
    const std::string_view field = trimmed(line.substr(0, end));
    if (separator != ' ' || !field.empty()) fields.push_back(field);
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> number_of(std::string_view field, bool decimal_comma) {
  std::array<char, 64> copy;
  if (field.starts_with('+')) field.remove_prefix(1);
  if (decimal_comma) {
    if (field.size() > copy.size()) return std::nullopt;
    std::replace_copy(field.begin(), field.end(), copy.begin(), ',', '.');
    field = {copy.data(), field.size()};
  }
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return value;
}

// How many numbers the line has, if it has nothing else.
std::size_t numbers_in(std::string_view line) {
  const Layout layout = layout_of(line);
  const auto fields = fields_of(line, layout.separator);
  for (const std::string_view field : fields)
    if (!number_of(field, layout.decimal_comma)) return 0;
  return fields.size();
}

// "Ft [mN]" → Ft, mN; also with round brackets.
std::pair<std::string, std::string> name_and_unit(std::string_view field) {
  for (const auto& [open, close] : {std::pair('[', ']'), std::pair('(', ')')}) {
    const std::size_t from = field.rfind(open), to = field.rfind(close);
    if (from != std::string_view::npos && to != std::string_view::npos && to > from)
      return {std::string(trimmed(field.substr(0, from))), std::string(trimmed(field.substr(from + 1, to - from - 1)))};
  }
  return {std::string(field), ""};
}

bool is_line_of_units(const std::vector<std::string_view>& fields) {
  bool some = false;
  for (const std::string_view field : fields) {
    const auto [name, in_brackets] = name_and_unit(field);
    if (!(name.empty() && is_known_unit(in_brackets)) && !is_known_unit(field)) return false;
    some = some || !field.empty();
  }
  return some;
}

struct Line {
  std::string_view text;
  std::size_t number;
};

// Lines that are neither empty nor comments.
class Lines {
 public:
  Lines(const char* at, const char* end, std::size_t number = 1) : at_(at), end_(end), number_(number) {}
  std::optional<Line> next() {
    while (at_ < end_) {
      const auto* stop = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
      if (stop == nullptr) stop = end_;
      const std::string_view text = trimmed({at_, static_cast<std::size_t>(stop - at_)});
      at_ = stop + 1;
      const std::size_t number = number_++;
      if (!text.empty() && !is_comment(text)) return Line{text, number};
    }
    return std::nullopt;
  }

 private:
  const char *at_, *end_;
  std::size_t number_;
};

}  // namespace

bool is_known_unit(std::string_view unit) {
  return std::any_of(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == unit; });
}

double unit_factor(std::string_view unit) {
  for (const Unit& u : kUnits)
    if (u.name == unit) return u.factor;
  std::vector<std::string_view> names;
  for (const Unit& u : kUnits)
    if (!u.name.empty()) names.push_back(u.name);
  throw InvalidInput(fmt::format("unknown unit \"{}\"; known: {}", unit, fmt::join(names, ", ")));
}

// The bytes of a file: mapped, or read where that is not possible (a pipe).
struct SignalTable::Mapped {
  explicit Mapped(const std::filesystem::path& path) {
    const Input input = open_input(path);
    if (input.size && *input.size > 0) {
      size = *input.size;
      void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, input.file.number(), 0);
      if (at != MAP_FAILED) {
        ::madvise(at, size, MADV_SEQUENTIAL);
        mapped = at;
        data = static_cast<const char*>(at);
        return;
      }
    }
    copy = read_all(input, kLargestInput);
    data = copy.data();
    size = copy.size();
  }
  ~Mapped() {
    if (mapped != nullptr) ::munmap(mapped, size);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  void* mapped = nullptr;
  std::string copy;
  const char* data = nullptr;
  std::size_t size = 0;
};

SignalTable::SignalTable(const std::filesystem::path& path) : file_(std::make_unique<Mapped>(path)), path_(path) {
  find_header();
}
SignalTable::~SignalTable() = default;

// The first line of numbers alone whose successor has as many fields begins the rows.
void SignalTable::find_header() {
  const char *begin = file_->data, *end = begin + file_->size;
  if (file_->size >= 3 && std::memcmp(begin, "\xef\xbb\xbf", 3) == 0) begin += 3;
  if (file_->size >= 2 && (std::memcmp(begin, "\xff\xfe", 2) == 0 || std::memcmp(begin, "\xfe\xff", 2) == 0))
    throw InvalidInput(fmt::format("{}: this is UTF-16; save it as UTF-8 or ASCII", path_.string()));
  Lines lines(begin, end);
  std::vector<Line> header;
  std::optional<Line> line = lines.next();
  std::size_t count = 0;
  for (; line; ++count) {
    const std::size_t numbers = numbers_in(line->text);
    const std::optional<Line> after = lines.next();
    if (numbers > 0 && (!after || fields_of(after->text, layout_of(line->text).separator).size() == numbers)) break;
    if (header.size() == 64) header.erase(header.begin());
    header.push_back(*line);
    line = after;
  }
  if (!line)
    throw InvalidInput(
        fmt::format("{}: no row of numbers{}; expected a table with columns between commas, semicolons, tabs or spaces",
                    path_.string(), file_->size == 0 ? ": the file is empty" : fmt::format(" in {} lines", count)));
  const Layout layout = layout_of(line->text);
  separator_ = layout.separator;
  decimal_comma_ = layout.decimal_comma;
  first_row_ = line->text.data();
  first_line_ = line->number;
  const std::size_t columns = numbers_in(line->text);
  names_.resize(columns);
  units_.resize(columns);
  for (std::size_t i = 0; i < columns; ++i) names_[i] = std::to_string(i + 1);
  bool units_given = false;
  for (auto h = header.rbegin(); h != header.rend(); ++h) {
    // A header may have other separators than the rows: "angle, Ft, Fr" over columns between spaces.
    std::vector<std::string_view> fields = fields_of(h->text, separator_);
    if (fields.size() != columns) fields = fields_of(h->text, layout_of(h->text).separator);
    if (fields.size() != columns) continue;
    if (!units_given && is_line_of_units(fields)) {
      for (std::size_t i = 0; i < columns; ++i) {
        const auto [name, in_brackets] = name_and_unit(fields[i]);
        units_[i] = in_brackets.empty() ? name : in_brackets;
      }
      units_given = true;
      continue;
    }
    for (std::size_t i = 0; i < columns; ++i) {
      const auto [name, unit] = name_and_unit(fields[i]);
      names_[i] = name;
      if (!units_given) units_[i] = unit;
    }
    has_names_ = true;
    break;
  }
}

std::size_t SignalTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (lower_case(names_[i]) == lower_case(name)) return i;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc{} && end == name.data() + name.size() && number >= 1 && number <= names_.size())
    return number - 1;
  const std::vector<std::string_view> all(names_.begin(), names_.end());
  const std::string nearest = nearest_name(name, all);
  throw InvalidInput(fmt::format("{}: no column \"{}\"; {}columns: {} (or by number, from 1)", path_.string(), name,
                                 nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                 fmt::join(names_, ", ")));
}

std::vector<std::vector<double>> SignalTable::read(std::span<const std::size_t> columns) const {
  const std::size_t count = names_.size();
  constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(count, kUnwanted);
  for (std::size_t i = 0; i < columns.size(); ++i) place.at(columns[i]) = i;
  std::vector<std::vector<double>> values(columns.size());
  const char* const end = file_->data + file_->size;
  // The number of rows, from the length of the first ones: one allocation, and no more than a tenth too much.
  {
    const char* at = first_row_;
    std::size_t rows = 0;
    while (at < end && rows < 1000) {
      const auto* stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      at = stop == nullptr ? end : stop + 1;
      ++rows;
    }
    const double each = static_cast<double>(at - first_row_) / static_cast<double>(rows);
    for (auto& column : values)
      column.reserve(static_cast<std::size_t>(1.02 * static_cast<double>(end - first_row_) / each) + 16);
  }
  const auto fail = [&](const char* at, std::size_t field, const char* from, const char* to, std::string_view what) {
    const std::size_t line = first_line_ + static_cast<std::size_t>(std::count(first_row_, at, '\n'));
    throw InvalidInput(fmt::format("{}:{}: {} in column {} ({}): \"{}\"; fix the row, or comment it out with #",
                                   path_.string(), line, what, field + 1, names_[field],
                                   std::string(from, std::min(to, from + 40))));
  };
  std::vector<double> row(columns.size());
  const char* at = first_row_;
  while (at < end) {
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* stop = newline == nullptr ? end : newline;
    const char* const next = stop + 1;
    while (at < stop && is_blank(*at)) ++at;
    while (stop > at && is_blank(stop[-1])) --stop;
    if (at == stop || is_comment({at, static_cast<std::size_t>(stop - at)})) {
      at = next;
      continue;
    }
    for (std::size_t field = 0; field < count; ++field) {
      while (at < stop && (*at == ' ' || *at == '"')) ++at;
      double value = 0;
      const char* to = at;
      if (decimal_comma_ || place[field] == kUnwanted) {
        const auto* found = static_cast<const char*>(std::memchr(at, separator_, static_cast<std::size_t>(stop - at)));
        to = found == nullptr ? stop : found;
        if (place[field] != kUnwanted) {
          const auto number = number_of(trimmed({at, static_cast<std::size_t>(to - at)}), true);
          if (!number) fail(at, field, at, to, "not a number");
          value = *number;
        }
      } else {
        const auto [after, error] = std::from_chars(at < stop && *at == '+' ? at + 1 : at, stop, value);
        if (error != std::errc{}) fail(at, field, at, stop, at == stop ? "a number is missing" : "not a number");
        to = after;
        while (to < stop && is_blank(*to) && *to != separator_) ++to;
      }
      if (!std::isfinite(value)) fail(at, field, at, to, "not a finite number");
      if (place[field] != kUnwanted) row[place[field]] = value;
      const bool last = field + 1 == count;
      if (last ? to != stop : (to == stop || *to != separator_)) {
        if (last && to < stop && *to == '#') break;
        fail(at, field, at, stop,
             last ? "more fields than columns, or text after the number"
                  : (to == stop ? "too few fields" : "not a number"));
      }
      at = last ? to : to + 1;
    }
    for (std::size_t i = 0; i < row.size(); ++i) values[i].push_back(row[i]);
    at = next;
  }
  return values;
}

}  // namespace slipset::internal
