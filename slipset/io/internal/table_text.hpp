// The text of a table: its bytes in UTF-8, its lines, the fields of a line. For io's own use.
//   Columns by semicolons, tabs, commas or spaces; a field may stand in quotes. Lines that begin with # or % are
//   comments. In a file whose columns are not separated by commas, or whose numbers are quoted, a comma is a decimal
//   comma.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipset::internal {

// The bytes of a file: mapped where that is possible, else read; UTF-16 is converted, and so are lines that end with \r alone. Throws InvalidInput for what is no
// text, as workbooks and archives, with what to do.
class TableBytes {
 public:
  explicit TableBytes(const std::filesystem::path& path);
  ~TableBytes();
  TableBytes(const TableBytes&) = delete;
  TableBytes& operator=(const TableBytes&) = delete;

  std::string_view text() const { return text_; }  // without a byte order mark

 private:
  void* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::string copy_;
  std::string_view text_;
};

// As UTF-8: what is not is taken as Latin-1 (Windows-1252), as instruments write "°" and "µ".
std::string utf8(std::string_view text);

bool is_blank(char c);  // space, tab, carriage return
std::string_view trimmed(std::string_view text);
bool is_comment(std::string_view line);  // which is not empty

struct Layout {
  char separator = ',';
  bool decimal_comma = false;  // a comma in a number is a decimal comma
};
Layout layout_of(std::string_view line);
// Without their quotes and the blanks around them.
std::vector<std::string_view> fields_of(std::string_view line, char separator);
std::optional<double> number_of(std::string_view field, bool decimal_comma);

struct Line {
  std::string_view text;
  std::size_t number;  // from 1
};
// Lines that are neither empty nor comments, trimmed.
class Lines {
 public:
  explicit Lines(std::string_view text, std::size_t number = 1) : text_(text), number_(number) {}
  std::optional<Line> next();

 private:
  std::string_view text_;
  std::size_t number_;
};

}  // namespace slipset::internal
