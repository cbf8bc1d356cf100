// Columns of a measured record by what they are: by name, by number, or by the names that are usual.  docs/identify.md
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slipset {

struct MeasuredRole {
  std::string_view name;                // "tangential", as in tangential=Ft
  std::string_view kind;                // "force", as in force=mN
  std::string_view unit;                // where neither the file nor the caller says it
  std::vector<std::string_view> usual;  // other names under which it is found, in small letters
  std::string_view hint = "";           // added to the message if it is missing
  bool optional = false;
};

// One column per role, in SI units; empty for an optional one that is not there. `columns` as "tangential=Ft", `units`
// as "force=mN" or by the role's name. Files *.mat are MATLAB's, others text. Throws InvalidInput, with what to do.
std::vector<std::vector<double>> read_measured(const std::filesystem::path& file,
                                               const std::vector<MeasuredRole>& roles,
                                               const std::vector<std::string>& columns,
                                               const std::vector<std::string>& units);

}  // namespace slipset
