#include "slipset/io/internal/column_chooser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/io/units.hpp"

namespace slipset::internal {
namespace {

std::map<std::string, std::string, std::less<>> assignments(const std::vector<std::string>& texts, const char* setting,
                                                            const std::vector<std::string_view>& allowed) {
  std::map<std::string, std::string, std::less<>> result;
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    const std::string key = text.substr(0, at);
    if (at == std::string::npos || std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      const std::string nearest = nearest_name(key, allowed);
      throw InvalidInput(fmt::format("{}: found \"{}\"; {}expected {}=...", setting, text,
                                     nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                     fmt::join(allowed, "=..., ")),
                         setting);
    }
    if (!result.emplace(key, text.substr(at + 1)).second)
      throw InvalidInput(fmt::format("{}: \"{}\" is given twice", setting, key), setting);
  }
  return result;
}

// The first kind of the role that this unit measures.
std::optional<std::string_view> kind_of(std::string_view unit, const MeasuredRole& role) {
  for (const std::string_view kind : role.kinds)
    if (is_unit_of(unit, kind)) return kind;
  return std::nullopt;
}

bool same(const std::string& a, const std::string& b, const MeasuredRole& role) {
  const auto kind = kind_of(a, role);
  return kind && is_unit_of(b, *kind) && unit_factor(a, *kind) == unit_factor(b, *kind);
}

// The caller says which of two meanings the file's unit has: lbf for "lb", rad/s for "1/s", rad for "-".
bool settles(const std::string& given, const std::string& in_file, const MeasuredRole& role) {
  const std::string_view kind = kind_of(given, role).value_or("");
  const std::optional<Unit> unit = find_unit(in_file);
  if (!unit || kind.empty()) return !unit;  // what is no unit says nothing
  const double ratio = unit_factor(given, kind) / unit->factor;
  const auto is = [&](double expected) { return std::abs(ratio / expected - 1) < 1e-9; };
  return (kind == "force" && is_unit_of(in_file, "mass") && is(9.80665)) ||
         (kind == "rotation" && is_unit_of(in_file, "frequency") && (is(1) || is(2 * kPi))) ||
         (kind == "angle" && is_unit_of(in_file, "number") && is(1));
}

[[noreturn]] void explain(const std::string& where, const std::string& unit, const MeasuredRole& role) {
  try {
    unit_factor(unit, role.kinds.front());
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", where, error.what()), "units");
  }
  throw InvalidInput(fmt::format("{}: unit \"{}\" cannot be used", where, unit), "units");
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string small = lower_case(name);
  std::erase_if(small, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; });
  return small;
}

std::string ColumnSource::list() const {
  if (!has_names) return fmt::format("{} column{} without names", names.size(), names.size() == 1 ? "" : "s");
  std::vector<std::string> all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all.push_back(units[i].text.empty() ? names[i] : fmt::format("{} [{}]", names[i], units[i].text));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::optional<std::size_t> ColumnSource::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (lower_case(names[i]) == lower_case(name)) return i;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc{} && end == name.data() + name.size() && number >= 1 && number <= names.size())
    return number - 1;
  return std::nullopt;
}

ColumnChooser::ColumnChooser(const ColumnSource& source, const std::vector<MeasuredRole>& roles,
                             const ColumnChoice& choice)
    : source_(source), roles_(roles) {
  std::vector<std::string_view> names, kinds;
  const auto add = [](std::vector<std::string_view>& to, std::string_view name) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  };
  for (const MeasuredRole& role : roles) {
    add(names, role.name);
    for (const std::string_view kind : role.kinds)
      if (kind != "number") add(kinds, kind);
  }
  for (const std::string_view name : names) add(kinds, name);
  columns_ = assignments(choice.columns, "columns", names);
  units_ = assignments(choice.units, "units", kinds);
}

std::vector<MeasuredColumn> ColumnChooser::columns() {
  places_.assign(roles_.size(), std::nullopt);
  std::vector<MeasuredColumn> all(roles_.size());
  for (std::size_t k = 0; k < roles_.size(); ++k) all[k].role = roles_[k].name;
  place_given(all);
  place_usual(all);
  require_all();
  for (std::size_t k = 0; k < roles_.size(); ++k) {
    if (!places_[k]) continue;
    all[k].name = source_.names[*places_[k]].empty() ? std::to_string(*places_[k] + 1) : source_.names[*places_[k]];
    if (roles_[k].name_only)
      places_[k].reset();
    else
      find_unit_of(all[k], roles_[k], source_.units[*places_[k]]);
  }
  require_units_used(all);
  require_units_together(all);
  return all;
}

bool ColumnChooser::taken(std::size_t place) const {
  return std::find(places_.begin(), places_.end(), place) != places_.end();
}

bool ColumnChooser::found(std::string_view role) const {
  for (std::size_t k = 0; k < roles_.size(); ++k)
    if (roles_[k].name == role) return places_[k].has_value();
  return false;
}

bool ColumnChooser::replaced(const MeasuredRole& role) const {
  return !role.or_these.empty() &&
         std::all_of(role.or_these.begin(), role.or_these.end(), [&](std::string_view name) { return found(name); });
}

// A role that only replaces another one is looked for only where that one is missing.
bool ColumnChooser::needed(const MeasuredRole& role) const {
  if (!role.optional) return true;
  for (const MeasuredRole& other : roles_)
    if (std::find(other.or_these.begin(), other.or_these.end(), role.name) != other.or_these.end() && found(other.name))
      return false;
  return true;
}

void ColumnChooser::place_given(std::vector<MeasuredColumn>& all) {
  for (std::size_t k = 0; k < roles_.size(); ++k) {
    const auto at = columns_.find(roles_[k].name);
    if (at == columns_.end()) continue;
    std::string_view wanted = at->second;
    std::optional<std::size_t> place = source_.find(wanted);
    if (!place && wanted.starts_with('-')) {
      place = source_.find(wanted.substr(1));
      all[k].negated = true;
    }
    if (!place) {
      const std::vector<std::string_view> names(source_.names.begin(), source_.names.end());
      const std::string nearest = internal::nearest_name(wanted, names);
      throw InvalidInput(
          fmt::format("{}: no column \"{}\"; {}columns: {} (or by number, from 1)", source_.file, wanted,
                      nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest), source_.list()),
          "columns");
    }
    if (taken(*place))
      throw InvalidInput(fmt::format("{}: column {} is used twice; name the columns", source_.file, wanted), "columns");
    places_[k] = place;
  }
}

// First plain names whose unit fits, then names with a unit behind them, "angle_deg"; last those whose unit does not fit,
// which is reported.
void ColumnChooser::place_usual(std::vector<MeasuredColumn>& all) {
  for (const Match match : {Match::plain, Match::with_unit, Match::any_unit})
    for (std::size_t k = 0; k < roles_.size(); ++k)
      if (!places_[k] && source_.has_names && needed(roles_[k]) && !replaced(roles_[k]))
        places_[k] = usual_place(roles_[k], match, all[k]);
  if (source_.has_names || !columns_.empty()) return;
  // Without names the columns are those that are needed, in their order.
  std::size_t count = 0;
  for (const MeasuredRole& role : roles_) count += role.optional ? 0 : 1;
  if (count != source_.names.size()) return;
  for (std::size_t k = 0, next = 0; k < roles_.size(); ++k)
    if (!roles_[k].optional) places_[k] = next++;
}

std::optional<std::size_t> ColumnChooser::usual_place(const MeasuredRole& role, Match match,
                                                      MeasuredColumn& column) const {
  std::vector<UsualName> wanted = role.usual;
  wanted.insert(wanted.begin(), {role.name});
  for (const UsualName& usual : wanted) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < source_.names.size(); ++i) {
      if (taken(i)) continue;
      std::string name = source_.names[i], unit(usual.unit);
      if (match == Match::with_unit) {
        const std::size_t at = name.find_last_of("_ ");
        if (at == std::string::npos || at == 0) continue;
        unit = name.substr(at + 1);
        name.resize(at);
        // "F_N" may be the normal force.
        if (unit.empty() || (name.size() < 3 && unit.size() < 2) || !kind_of(unit, role)) continue;
      }
      if (plain_name(name) != plain_name(usual.name)) continue;
      const std::string& in_file = source_.units[i].text;
      if (match != Match::any_unit && find_unit(in_file) && !in_file.empty() && !kind_of(in_file, role)) continue;
      if (found)
        throw InvalidInput(fmt::format("{}: columns {} and {} are both named {}; give the number of one, as {}={}",
                                       source_.file, *found + 1, i + 1, source_.names[i], role.name, *found + 1),
                           "columns");
      found = i;
      column.unit = unit;
      column.from = unit.empty() ? "" : "name";
    }
    if (found) return found;
  }
  return std::nullopt;
}

void ColumnChooser::require_all() const {
  std::vector<std::string> missing, examples;
  std::string hints;
  for (std::size_t k = 0; k < roles_.size(); ++k) {
    const MeasuredRole& role = roles_[k];
    if (places_[k] || role.optional || replaced(role)) continue;
    missing.push_back(role.or_these.empty() ? std::string(role.name)
                                            : fmt::format("{} (or {})", role.name, fmt::join(role.or_these, " and ")));
    examples.push_back(fmt::format("{}={}", role.name, source_.has_names ? "NAME" : "NUMBER"));
    hints += role.hint;
  }
  if (missing.empty()) return;
  throw InvalidInput(
      fmt::format("{}: no column for {}; found {}; name {}, as in {}{}", source_.file, fmt::join(missing, ", "),
                  source_.list(), missing.size() == 1 ? "it" : "them", fmt::join(examples, ","), hints),
      "columns");
}

// What the caller says, what the file says, and what the name says must not contradict each other.
void ColumnChooser::find_unit_of(MeasuredColumn& column, const MeasuredRole& role, const ColumnUnit& in_file) const {
  const auto where = fmt::format("{}: column {}", source_.file, column.name);
  std::optional<std::string> given;
  for (const std::string_view kind : role.kinds)
    if (const auto at = units_.find(kind); at != units_.end()) given = at->second;
  if (const auto at = units_.find(role.name); at != units_.end()) given = at->second;
  if (given && !kind_of(*given, role)) explain(fmt::format("units for {}", role.name), *given, role);
  const bool settled = given && !in_file.text.empty() && settles(*given, in_file.text, role);
  if (!in_file.text.empty() && !settled) {
    if (!kind_of(in_file.text, role)) explain(where, in_file.text, role);
    if (given && !same(*given, in_file.text, role))
      throw InvalidInput(fmt::format("{}: the file says \"{}\" ({}), and units say \"{}\"; remove one of the two, or "
                                     "correct the file",
                                     where, in_file.text, in_file.from, *given),
                         "units");
    if (!column.unit.empty() && !is_unit_of(in_file.text, *kind_of(column.unit, role)))
      throw InvalidInput(fmt::format("{}: its name says \"{}\", its unit \"{}\"; name the column and its unit", where,
                                     column.unit, in_file.text),
                         "columns");
    column.unit = in_file.text;
    column.from = in_file.from;
  } else if (given) {
    if (!column.unit.empty() && !same(*given, column.unit, role))
      throw InvalidInput(
          fmt::format("{}: its name says \"{}\", and units say \"{}\"; name the column, or remove the unit", where,
                      column.unit, *given),
          "units");
    column.unit = given->empty() ? "-" : *given;
    column.from = settled ? fmt::format("option, for the file's \"{}\"", in_file.text) : "option";
  } else if (column.unit.empty() && !role.assumed.empty()) {
    column.unit = role.assumed;
    column.from = "assumed";
  }
  if (!column.unit.empty()) column.quantity = *kind_of(column.unit, role);
}

void ColumnChooser::require_units_used(const std::vector<MeasuredColumn>& all) const {
  for (const auto& [key, unit] : units_) {
    bool used = false;
    for (std::size_t k = 0; k < all.size(); ++k)
      used =
          used || (all[k].found() && (key == roles_[k].name || std::find(roles_[k].kinds.begin(), roles_[k].kinds.end(),
                                                                         key) != roles_[k].kinds.end()));
    if (!used)
      throw InvalidInput(fmt::format("units: {}={}, but the file has no such column; remove it", key, unit), "units");
  }
}

// One force in mN and another without a word: which is it?
void ColumnChooser::require_units_together(const std::vector<MeasuredColumn>& all) const {
  for (std::size_t a = 0; a < all.size(); ++a)
    for (const MeasuredColumn& b : all)
      if (all[a].found() && b.found() && all[a].from == "assumed" && b.from != "assumed" &&
          b.quantity == all[a].quantity)
        throw InvalidInput(
            fmt::format("{}: column {} is in {} ({}), and nothing says the unit of column {}; give it, as "
                        "{}={}",
                        source_.file, b.name, b.unit, b.from, all[a].name, all[a].role, b.unit),
            "units");
}

}  // namespace slipset::internal
