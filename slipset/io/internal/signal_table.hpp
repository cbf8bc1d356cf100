// Long tables of measured signals, as instruments write them.          docs/identify.md
//   A header of any lines, among them one with the columns' names and perhaps one with their units; then rows of
//   numbers. Columns by semicolons, tabs, commas or spaces; decimal points or commas. Lines that begin with # or % are
//   comments. The file is mapped, not copied; only the columns that are asked for are kept.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slipset::internal {

class SignalTable {
 public:
  // Reads the header. Throws InvalidInput, with what to do, for a file without a row of numbers.
  explicit SignalTable(const std::filesystem::path& path);
  ~SignalTable();
  SignalTable(const SignalTable&) = delete;
  SignalTable& operator=(const SignalTable&) = delete;

  std::size_t column_count() const { return names_.size(); }
  // Without their units; "1", "2", ... where the file names none.
  const std::vector<std::string>& names() const { return names_; }
  // As the file writes them, without brackets: "deg", "mN"; empty where it gives none.
  const std::vector<std::string>& units() const { return units_; }
  bool has_names() const { return has_names_; }
  // A column by its name (case does not count) or its number from 1. Throws InvalidInput with the names that there are.
  std::size_t column(std::string_view name) const;

  // These columns, all of one length. Throws InvalidInput, with line and column, for a field that is no finite number
  // and for a row with another number of fields.
  std::vector<std::vector<double>> read(std::span<const std::size_t> columns) const;

 private:
  void find_header();

  struct Mapped;
  std::unique_ptr<Mapped> file_;
  std::filesystem::path path_;
  std::vector<std::string> names_, units_;
  bool has_names_ = false;
  char separator_ = ',';
  bool decimal_comma_ = false;
  const char* first_row_ = nullptr;
  std::size_t first_line_ = 1;  // its number
};

// What one of a unit is in SI: "deg" → π/180, "mN" → 1e-3, "" → 1. Throws InvalidInput naming the units that are known.
double unit_factor(std::string_view unit);
bool is_known_unit(std::string_view unit);

}  // namespace slipset::internal
