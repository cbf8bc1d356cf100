#include "slipset/io/internal/table_text.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset::internal {
namespace {

constexpr std::string_view kBom8 = "\xef\xbb\xbf", kBom16 = "\xff\xfe", kBom16Swapped = "\xfe\xff";

void refuse_binary(std::string_view text, const std::filesystem::path& path) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"PK\x03\x04"sv, "this is an Excel or OpenDocument workbook, or another zip archive; save the sheet as CSV"},
      {"\xd0\xcf\x11\xe0"sv, "this is an Excel workbook; save the sheet as CSV"},
      {"\x89HDF"sv, "this is an HDF5 file; export the table as CSV (MATLAB: name it *.mat)"},
      {"MATLAB 5.0"sv, "this is a MATLAB file; name it *.mat"},
      {"TDSm"sv, "this is a LabVIEW TDMS file; export it as CSV"},
      {"%PDF"sv, "this is a PDF; export the table as CSV"},
      {"\x1f\x8b"sv, "this file is compressed; unpack it (gunzip)"}};
  for (const auto& [start, what] : kinds)
    if (text.starts_with(start)) throw InvalidInput(fmt::format("{}: {}", path.string(), what));
  if (const std::size_t zero = text.substr(0, 4096).find('\0'); zero != std::string_view::npos)
    throw InvalidInput(fmt::format("{}: not a text file (byte {} is zero); export the table as CSV in UTF-8",
                                   path.string(), zero + 1));
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3f));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  std::string out;
  out.reserve(bytes.size() / 2);
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(big_endian ? a << 8 | b : b << 8 | a);
  };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size()) {
      code = 0x10000 + ((code - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    }
    append_utf8(out, code);
  }
  return out;
}

// Some instruments write no mark: then every other byte of the first characters is zero.
std::optional<bool> unmarked_utf16(std::string_view text) {
  const std::size_t n = std::min<std::size_t>(text.size(), 64) & ~std::size_t{1};
  std::size_t even = 0, odd = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (text[i] == '\0') ++(i % 2 == 0 ? even : odd);
  if (n < 8 || even + odd != std::max(even, odd) || 8 * std::max(even, odd) < 3 * n) return std::nullopt;
  return even > 0;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t more = c < 0x80                ? 0
                             : c >= 0xc2 && c < 0xe0 ? 1
                             : c >= 0xe0 && c < 0xf0 ? 2
                             : c >= 0xf0 && c < 0xf5 ? 3
                                                     : 9;
    if (more == 9 || i + more >= text.size()) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    i += more + 1;
  }
  return true;
}

// Outside quotes.
std::size_t find_outside(std::string_view line, char c, std::size_t from = 0) {
  bool quoted = false;
  for (std::size_t i = from; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == c && !quoted) return i;
  }
  return std::string_view::npos;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

TableBytes::TableBytes(const std::filesystem::path& path) {
  const Input input = open_input(path);
  if (input.size && *input.size > 0) {
    void* const at = ::mmap(nullptr, *input.size, PROT_READ, MAP_PRIVATE, input.file.number(), 0);
    if (at != MAP_FAILED) {
      ::madvise(at, *input.size, MADV_SEQUENTIAL);
      mapped_ = at;
      size_ = *input.size;
      text_ = {static_cast<const char*>(at), size_};
    }
  }
  if (mapped_ == nullptr) {
    copy_ = read_all(input, kLargestInput);
    text_ = copy_;
  }
  std::optional<bool> big_endian;
  if (text_.starts_with(kBom16) || text_.starts_with(kBom16Swapped)) {
    big_endian = text_.starts_with(kBom16Swapped);
    text_.remove_prefix(2);
  } else {
    big_endian = unmarked_utf16(text_);
  }
  if (big_endian) {
    copy_ = from_utf16(text_, *big_endian);
    text_ = copy_;
  }
  if (text_.starts_with(kBom8)) text_.remove_prefix(kBom8.size());
  refuse_binary(text_, path);
  if (text_.find('\n') == std::string_view::npos && text_.find('\r') != std::string_view::npos) {
    std::string lines(text_);  // lines end as they once did on the Macintosh
    std::replace(lines.begin(), lines.end(), '\r', '\n');
    copy_ = std::move(lines);
    text_ = copy_;
  }
}

TableBytes::~TableBytes() {
  if (mapped_ != nullptr) ::munmap(mapped_, size_);
}

std::string utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_comment(std::string_view line) { return line.front() == '#' || line.front() == '%' || line.starts_with("//"); }

Layout layout_of(std::string_view line) {
  const auto has = [&](char c) { return find_outside(line, c) != std::string_view::npos; };
  if (has(';')) return {';', true};
  if (has('\t')) return {'\t', true};
  if (!has(',')) return {' ', true};
  // "0,5 1,25" has decimal commas; "0.5, 1.25" and "0,1,2" have not.
  bool words_with_one_comma = has(' ') && !has('.');
  for (std::size_t i = 0; i < line.size() && words_with_one_comma; ++i)
    if (line[i] == ',')
      words_with_one_comma = i > 0 && i + 1 < line.size() && is_digit(line[i - 1]) && is_digit(line[i + 1]);
  if (words_with_one_comma) return {' ', true};
  return {',', line.find('"') != std::string_view::npos};  // "0,5","1,25"
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  line = trimmed(line);
  while (true) {
    const std::size_t end = std::min(find_outside(line, separator), line.size());
    std::string_view field = trimmed(line.substr(0, end));
    if (separator != ' ' || !field.empty()) {
      if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
        field = trimmed(field.substr(1, field.size() - 2));
      fields.push_back(field);
    }
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

std::optional<double> number_of(std::string_view field, bool decimal_comma) {
  std::array<char, 64> copy;
  if (field.starts_with('+')) field.remove_prefix(1);
  if (decimal_comma && field.find(',') != std::string_view::npos) {
    if (field.size() > copy.size()) return std::nullopt;
    std::replace_copy(field.begin(), field.end(), copy.begin(), ',', '.');
    field = {copy.data(), field.size()};
  }
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return value;
}

std::optional<Line> Lines::next() {
  while (!text_.empty()) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = trimmed(text_.substr(0, end));
    text_.remove_prefix(std::min(end + 1, text_.size()));
    const std::size_t number = number_++;
    if (!line.empty() && !is_comment(line)) return Line{line, number};
  }
  return std::nullopt;
}

}  // namespace slipset::internal
