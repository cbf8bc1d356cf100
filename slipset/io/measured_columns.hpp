// Columns of a measured record by what they are: by name, by number, or by the names that are usual.  docs/identify.md
//   Every number comes with its unit and with where that unit was said; what was assumed is reported as such.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slipset {

struct UsualName {
  std::string_view name;       // in small letters, without spaces, underscores, hyphens and dots
  std::string_view unit = "";  // that it implies: "mu" is a number
};

struct MeasuredRole {
  std::string_view name;                // "tangential", as in tangential=Ft
  std::vector<std::string_view> kinds;  // of quantities that it may have, "force", as in force=mN
  std::string_view assumed;             // unit where nobody says it; empty: none, and the caller decides
  std::vector<UsualName> usual;         // other names under which it is found
  bool optional = false;
  std::vector<std::string_view> or_these{};  // roles that together replace it; they are looked for if it is missing
  std::string_view hint = "";                // added to the message if it is missing
  bool name_only = false;                    // whether there is one; neither its unit nor its numbers are read
};

// Whether a column of this name is found for the role.
bool is_usual_name(const MeasuredRole& role, std::string_view name);

// What the caller says about the file.
struct ColumnChoice {
  std::vector<std::string> columns, units;  // "tangential=Ft", "radial=-Fr" (its negative); "angle=rad", "force=mN"
  bool skip_bad_rows = false;               // leave out rows that are no numbers, else InvalidInput
};

struct MeasuredColumn {
  std::string role;
  std::string name;              // in the file; empty where it has none
  std::string unit;              // empty where nobody says it
  std::string from;              // where that is said: header, unit row, name, option, assumed
  std::string quantity;          // of the unit
  bool negated = false;          // as asked for
  std::vector<double> values{};  // in SI units; as in the file where the unit is not known

  bool found() const { return !name.empty(); }
};

struct Measured {
  std::string file;
  std::vector<MeasuredColumn> columns;  // one per role
  std::size_t rows = 0, skipped = 0;
  std::size_t file_columns = 0;    // of the file, used or not
  std::vector<std::string> notes;  // what was done besides

  MeasuredColumn& column(std::string_view role);
};

// Files *.mat are MATLAB's, others text. Throws InvalidInput, with what to do: columns that are missing (all of them at
// once), units that are unknown, of another quantity, or contradict the caller's; no rows, or more rows to leave out than
// to keep.
Measured read_measured(const std::filesystem::path& file, const std::vector<MeasuredRole>& roles,
                       const ColumnChoice& choice);

}  // namespace slipset
