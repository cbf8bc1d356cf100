// Tables of numbers in text files: read, and written.
//   Columns by semicolons, tabs, commas or spaces; decimal commas except between commas; `#` starts a comment; one line
//   of names may come first. The numbers are as in the file: measurements have units, see measured_columns.hpp.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/table.hpp"

namespace slipset {

struct NumberTable {
  std::vector<std::string> names;                                      // empty if the file names no columns
  std::vector<std::vector<double>> columns;                            // all of one length; those of texts are zeros
  std::map<std::string, std::vector<std::string>, std::less<>> texts;  // columns of words, by name
  std::vector<std::size_t> lines;                                      // of the file, of each row
  bool ends_within_line = false;                                       // no new line: the last number may be cut off

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

// Throws InvalidInput with file, line and what was found where a field is no finite number or a row has
// another number of fields than the first. Columns named in `texts` hold words, fields of those in `may_be_empty` are NaN
// where they are empty; both may be left out at the end of a row.
NumberTable read_number_table(const std::filesystem::path& path, std::span<const std::string_view> texts = {},
                              std::span<const std::string_view> may_be_empty = {});

// Comma-separated, one line of names; numbers as short as they can be and still be read back exactly.
std::string csv_text(const Table& table);
// write_csv(run.table, "run.csv"). Throws InvalidInput, saying why, if the file cannot be written.
void write_csv(const Table& table, const std::filesystem::path& path);

}  // namespace slipset
