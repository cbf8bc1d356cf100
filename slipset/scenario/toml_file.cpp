// The whole of a scenario file: read, checked for depth, changed by settings and sweeps.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "slipset/io/files.hpp"
#include "slipset/scenario/key_path.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

TomlFile TomlFile::with_number(const std::string& dotted, double value, const TomlTable& where,
                               std::string_view key) const {
  const auto changed = std::make_shared<toml::table>(*table_);
  KeyPath path = where.located(key, [&] { return parse_key_path(dotted); });
  if (first_name(path) == "sweep") where.fail(key, "a sweep does not change itself; expected a key of another table");
  toml::node* const at = find_node(*changed, path);
  if (!at || !at->is_number())
    where.fail(key, fmt::format("\"{}\" is {} in this file; expected the dotted key of a number, as in "
                                "\"system.belt.angle\" or \"law.reservoir.semi_axes[0]\"",
                                dotted, at ? "not a number" : "not"));
  toml::node& node = *at;
  // The number takes the place of the old one, so that messages have a line and a column.
  if (auto* whole = node.as_integer(); whole && value == std::floor(value) && std::abs(value) < 1e15) {
    *whole = static_cast<std::int64_t>(value);
  } else if (auto* real = node.as_floating_point()) {
    *real = value;
  } else {  // a whole number that becomes another kind
    const auto last = path.back();
    path.pop_back();
    toml::node* const holder = find_node(*changed, path);
    if (auto* table = holder->as_table()) table->insert_or_assign(std::get<std::string>(last), value);
    if (auto* list = holder->as_array())
      list->replace(list->cbegin() + static_cast<std::ptrdiff_t>(std::get<std::size_t>(last)), value);
  }
  TomlFile result = *this;
  result.table_ = changed;
  return result;
}

TomlFile TomlFile::with_settings(std::span<const std::string> settings) const {
  const auto changed = std::make_shared<toml::table>(*table_);
  for (const std::string& setting : settings) set_value(*changed, setting);
  TomlFile result = *this;
  result.table_ = changed;
  return result;
}

std::string TomlFile::text() const {
  std::ostringstream out;
  out << toml::toml_formatter(*table_) << "\n";
  return out.str();
}

TomlFile::TomlFile(const std::filesystem::path& path) : TomlFile(read_file(path), path) {}

void require_shallow(std::string_view text, const std::filesystem::path& path) {
  constexpr int kDeepest = 64;
  int line = 1, dots = 0, depth = 0;
  const auto refuse = [&](const char* what) {
    throw ScenarioError(fmt::format("{}:{}: {}; at most {} are read", path.string(), line, what, kDeepest));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      dots = 0;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const std::string_view thrice = text.substr(i, 3), quote = text.substr(i, 1);
      const bool many = thrice == "\"\"\"" || thrice == "'''";
      for (i += many ? 3 : 1; i < text.size(); ++i) {
        if (text[i] == '\n') ++line;
        if (!many && text[i] == '\n') break;  // not closed: the parser says so
        if (text[i] == '\\' && c == '"')
          ++i;
        else if (text.substr(i).starts_with(many ? thrice : quote))
          break;
      }
      if (many) i += 2;
    } else if (c == '.') {
      if (++dots >= kDeepest) refuse("a key of too many parts");
    } else if (c == '[' || c == '{') {
      dots = 0;
      if (++depth > kDeepest) refuse("lists and tables inside each other");
    } else if (c == ']' || c == '}' || c == ',' || c == '=') {
      dots = 0;
      if (c == ']' || c == '}') --depth;
    }
  }
}

TomlFile::TomlFile(const std::string& text, const std::filesystem::path& path, std::span<const std::string> settings)
    : path_(path) {
  require_shallow(text, path);
  try {
    const auto table = std::make_shared<toml::table>(toml::parse(text, path.string()));
    for (const std::string& setting : settings) set_value(*table, setting);
    table_ = table;
  } catch (const toml::parse_error& error) {
    const auto place = error.source().begin;
    throw ScenarioError(fmt::format("{}:{}:{}: not TOML: {}; a scenario is a TOML file with a [law] table",
                                    path.string(), place.line, place.column, error.description()));
  }
}

}  // namespace slipset
