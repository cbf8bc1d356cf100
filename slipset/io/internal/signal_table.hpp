// Long tables of measured signals, as instruments write them.          docs/identify.md
//   A header of any lines, among them one with the columns' names and perhaps one with their units; then rows of
//   numbers (see table_text.hpp). The file is mapped, not copied; only the columns that are asked for are kept.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/io/internal/table_text.hpp"

namespace slipset::internal {

struct ColumnUnit {
  std::string text;  // without brackets: "deg", "mN"; empty where the file gives none
  std::string from;  // "header", "unit row", or empty
};

struct SignalRows {
  std::vector<std::vector<double>> columns;  // all of one length
  std::size_t skipped = 0;                   // rows left out
  std::string first_skipped;                 // why, with its line
};

class SignalTable {
 public:
  // Reads the header. Throws InvalidInput, with what to do, for a file without a row of numbers.
  explicit SignalTable(const std::filesystem::path& path);

  std::size_t column_count() const { return names_.size(); }
  // Without their units; "1", "2", ... where the file names none.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<ColumnUnit>& units() const { return units_; }
  bool has_names() const { return has_names_; }
  // No new line at the end: the last number may be cut off.
  bool ends_within_line() const { return !file_.text().ends_with('\n') && !file_.text().ends_with('\r'); }

  // These columns. Throws InvalidInput, with line and column, for a field that is no finite number and for a row with
  // another number of fields; or leaves such rows out (a footer, a gap) and counts them.
  SignalRows read(std::span<const std::size_t> columns, bool skip_bad_rows = false) const;

 private:
  void find_header();
  void name_columns(std::span<const Line> header, bool in_comments = false);
  void refuse_other_count(const Line& line) const;

  std::filesystem::path path_;
  TableBytes file_;
  std::vector<std::string> names_;
  std::vector<ColumnUnit> units_;
  bool has_names_ = false;
  Layout layout_;
  std::string_view rows_;               // from the first row on
  std::size_t first_line_ = 1;          // its number
  std::vector<std::string> lost_rows_;  // rows with gaps above the first whole one, as messages
};

}  // namespace slipset::internal
