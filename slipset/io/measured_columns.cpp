#include "slipset/io/measured_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/io/internal/column_chooser.hpp"
#include "slipset/io/internal/signal_table.hpp"
#include "slipset/io/mat_file.hpp"
#include "slipset/io/units.hpp"

namespace slipset {
namespace {

// Rows with a number that is not finite are refused or left out, as in text.
internal::SignalRows rows_of(const std::vector<std::vector<double>>& arrays, const std::vector<std::string>& names,
                             const std::string& file, bool skip_bad_rows) {
  internal::SignalRows rows;
  rows.columns.resize(arrays.size());
  for (std::size_t k = 1; k < arrays.size(); ++k)
    if (arrays[k].size() != arrays[0].size())
      throw InvalidInput(fmt::format("{}: {} has {} numbers, and {} has {}; they must have one length", file, names[0],
                                     arrays[0].size(), names[k], arrays[k].size()));
  for (std::size_t i = 0; !arrays.empty() && i < arrays[0].size(); ++i) {
    std::size_t bad = 0;
    while (bad < arrays.size() && std::isfinite(arrays[bad][i])) ++bad;
    if (bad < arrays.size()) {
      const std::string why = fmt::format("{}: number {} of {} is not finite", file, i + 1, names[bad]);
      if (!skip_bad_rows) throw InvalidInput(why + "; leave such rows out", "bad rows");
      if (rows.skipped++ == 0) rows.first_skipped = why;
      continue;
    }
    for (std::size_t k = 0; k < arrays.size(); ++k) rows.columns[k].push_back(arrays[k][i]);
  }
  return rows;
}

}  // namespace

bool is_usual_name(const MeasuredRole& role, std::string_view name) {
  const std::string plain = internal::plain_name(name);
  return plain == internal::plain_name(role.name) ||
         std::any_of(role.usual.begin(), role.usual.end(),
                     [&](const UsualName& usual) { return plain == internal::plain_name(usual.name); });
}

MeasuredColumn& Measured::column(std::string_view role) {
  for (MeasuredColumn& column : columns)
    if (column.role == role) return column;
  throw InvalidInput(fmt::format("no role {}", role));
}

Measured read_measured(const std::filesystem::path& file, const std::vector<MeasuredRole>& roles,
                       const ColumnChoice& choice) {
  Measured measured;
  measured.file = file.string();
  internal::ColumnSource source{file.string()};
  std::optional<internal::SignalTable> table;
  std::map<std::string, std::vector<double>> arrays;
  if (internal::lower_case(file.extension().string()) == ".mat") {
    arrays = read_mat_file(file);
    for (const auto& [name, values] : arrays) source.names.push_back(name);
    source.units.resize(source.names.size());
  } else {
    table.emplace(file);
    source.has_names = table->has_names();
    source.names = table->names();
    source.units = table->units();
  }
  measured.file_columns = source.names.size();
  internal::ColumnChooser chooser(source, roles, choice);
  measured.columns = chooser.columns();
  std::vector<std::size_t> places;
  std::vector<std::string> names;
  std::vector<std::vector<double>> numbers;
  for (const auto& place : chooser.places()) {
    if (!place) continue;
    places.push_back(*place);
    names.push_back(source.names[*place]);
    if (!table) numbers.push_back(std::move(arrays[names.back()]));
  }
  internal::SignalRows rows =
      table ? table->read(places, choice.skip_bad_rows) : rows_of(numbers, names, measured.file, choice.skip_bad_rows);
  measured.rows = rows.columns.empty() ? 0 : rows.columns[0].size();
  measured.skipped = rows.skipped;
  if (rows.skipped > measured.rows)
    throw InvalidInput(fmt::format("{}: {} of {} rows would be left out, the first one: {}", measured.file,
                                   rows.skipped, rows.skipped + measured.rows, rows.first_skipped));
  if (measured.rows == 0) throw InvalidInput(fmt::format("{}: no row of numbers", measured.file));
  if (rows.skipped > 0)
    measured.notes.push_back(fmt::format("{} of {} rows left out; the first one: {}", rows.skipped,
                                         rows.skipped + measured.rows, rows.first_skipped));
  if (table && table->ends_within_line())
    measured.notes.push_back("the file does not end with a new line: its last number may be cut off");
  std::size_t next = 0;
  for (std::size_t k = 0; k < measured.columns.size(); ++k) {
    if (!chooser.places()[k]) continue;
    MeasuredColumn& column = measured.columns[k];
    column.values = std::move(rows.columns[next++]);
    double factor = column.unit.empty() ? 1 : unit_factor(column.unit, column.quantity);
    if (column.negated) factor = -factor;
    if (factor != 1)
      for (double& x : column.values) x *= factor;
  }
  return measured;
}

}  // namespace slipset
