#include "slipset/io/measured_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/io/internal/signal_table.hpp"
#include "slipset/io/mat_file.hpp"

namespace slipset {
namespace {

using Assigned = std::map<std::string, std::string>;

Assigned assignments(const std::vector<std::string>& texts, const char* setting,
                     const std::vector<std::string_view>& allowed) {
  Assigned result;
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    const std::string key = text.substr(0, at);
    if (at == std::string::npos || std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      const std::string nearest = internal::nearest_name(key, allowed);
      throw InvalidInput(fmt::format("{}: found \"{}\"; {}expected {}=...", setting, text,
                                     nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                     fmt::join(allowed, "=..., ")),
                         setting);
    }
    result[key] = text.substr(at + 1);
  }
  return result;
}

// The place of a role among names.
std::optional<std::size_t> usual_place(const MeasuredRole& role, const std::vector<std::string>& names) {
  std::vector<std::string_view> wanted = role.usual;
  wanted.insert(wanted.begin(), role.name);
  for (const std::string_view usual : wanted)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (internal::lower_case(names[i]) == usual) return i;
  return std::nullopt;
}

[[noreturn]] void fail_missing(const std::filesystem::path& file, const MeasuredRole& role,
                               const std::vector<std::string>& names, bool named) {
  throw InvalidInput(fmt::format("{}: no column for {}: found {} column{}{}; name it, as in {}=NAME{}{}", file.string(),
                                 role.name, names.size(), names.size() == 1 ? "" : "s",
                                 named ? fmt::format(" {}", fmt::join(names, ", ")) : " without names", role.name,
                                 named ? "" : " (or its number)", role.hint),
                     "columns");
}

std::vector<std::vector<double>> read_mat(const std::filesystem::path& file, const std::vector<MeasuredRole>& roles,
                                          const Assigned& given) {
  auto arrays = read_mat_file(file);
  std::vector<std::string> names;
  for (const auto& [name, values] : arrays) names.push_back(name);
  std::vector<std::vector<double>> data;
  for (const MeasuredRole& role : roles) {
    std::optional<std::size_t> place;
    if (const auto at = given.find(std::string(role.name)); at != given.end()) {
      const auto found = std::find(names.begin(), names.end(), at->second);
      if (found == names.end())
        throw InvalidInput(
            fmt::format("{}: no array \"{}\"; arrays: {}", file.string(), at->second, fmt::join(names, ", ")));
      place = static_cast<std::size_t>(found - names.begin());
    } else {
      place = usual_place(role, names);
    }
    if (!place && !role.optional) fail_missing(file, role, names, true);
    data.push_back(place ? arrays[names[*place]] : std::vector<double>{});
  }
  return data;
}

}  // namespace

std::vector<std::vector<double>> read_measured(const std::filesystem::path& file,
                                               const std::vector<MeasuredRole>& roles,
                                               const std::vector<std::string>& columns,
                                               const std::vector<std::string>& units) {
  std::vector<std::string_view> names, unit_keys;
  for (const MeasuredRole& role : roles) {
    names.push_back(role.name);
    if (std::find(unit_keys.begin(), unit_keys.end(), role.kind) == unit_keys.end()) unit_keys.push_back(role.kind);
  }
  for (const std::string_view name : names)
    if (std::find(unit_keys.begin(), unit_keys.end(), name) == unit_keys.end()) unit_keys.push_back(name);
  const Assigned given = assignments(columns, "columns", names), given_units = assignments(units, "units", unit_keys);
  for (const auto& [key, unit] : given_units) internal::unit_factor(unit);  // says which are known

  std::vector<std::vector<double>> data;
  std::vector<std::string> file_units(roles.size());
  if (internal::lower_case(file.extension().string()) == ".mat") {
    data = read_mat(file, roles, given);
  } else {
    const internal::SignalTable table(file);
    std::vector<std::size_t> wanted, place(roles.size(), roles.size());
    for (std::size_t k = 0; k < roles.size(); ++k) {
      std::optional<std::size_t> column;
      if (const auto at = given.find(std::string(roles[k].name)); at != given.end())
        column = table.column(at->second);
      else
        column = usual_place(roles[k], table.names());
      if (!column && !table.has_names() && given.empty() && k < table.column_count()) column = k;
      if (!column && !roles[k].optional) fail_missing(file, roles[k], table.names(), table.has_names());
      if (!column) continue;
      if (std::find(wanted.begin(), wanted.end(), *column) != wanted.end())
        throw InvalidInput(
            fmt::format("{}: column {} is used twice; name the columns", file.string(), table.names()[*column]),
            "columns");
      place[k] = wanted.size();
      wanted.push_back(*column);
      file_units[k] = table.units()[*column];
    }
    std::vector<std::vector<double>> read = table.read(wanted);
    for (std::size_t k = 0; k < roles.size(); ++k)
      data.push_back(place[k] < read.size() ? std::move(read[place[k]]) : std::vector<double>{});
  }
  for (std::size_t k = 0; k < roles.size(); ++k) {
    std::string unit = file_units[k];
    if (unit.empty() || !internal::is_known_unit(unit)) unit = roles[k].unit;
    if (const auto at = given_units.find(std::string(roles[k].kind)); at != given_units.end()) unit = at->second;
    if (const auto at = given_units.find(std::string(roles[k].name)); at != given_units.end()) unit = at->second;
    const double factor = internal::unit_factor(unit);
    if (factor != 1)
      for (double& x : data[k]) x *= factor;
  }
  return data;
}

}  // namespace slipset
