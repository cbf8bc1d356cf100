#include "slipset/scenario/key_path.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cctype>
#include <charconv>

#include "slipset/core/error.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  KeyPath read() {
    KeyPath path;
    while (true) {
      path.emplace_back(name());
      while (at_ < text_.size() && text_[at_] == '[') path.emplace_back(index());
      if (at_ == text_.size()) return path;
      if (text_[at_++] != '.') fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw InvalidInput(
        fmt::format("\"{}\" is no dotted key; expected one as in system.belt.angle or "
                    "law.reservoir.semi_axes[0]",
                    text_));
  }

  std::string name() {
    const std::size_t start = at_;
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos) fail();
      at_ = end + 1;
      return std::string(text_.substr(start + 1, end - start - 1));
    }
    while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
    if (at_ == start) fail();
    return std::string(text_.substr(start, at_ - start));
  }

  std::size_t index() {
    std::size_t value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [after, error] = std::from_chars(text_.data() + at_ + 1, end, value);
    if (error != std::errc{} || after == end || *after != ']') fail();
    at_ = static_cast<std::size_t>(after - text_.data()) + 1;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

toml::node* child_of(toml::node& node, const KeyPath::value_type& part) {
  if (const auto* name = std::get_if<std::string>(&part))
    return node.is_table() ? node.as_table()->get(*name) : nullptr;
  return node.is_array() ? node.as_array()->get(std::get<std::size_t>(part)) : nullptr;
}

struct Setting {
  std::string key, value;
};

Setting split(const std::string& given) {
  char quote = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (quote == 0 && given[i] == '=') {
      const auto trimmed = [](std::string text) {
        const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
        return first == std::string::npos ? "" : text.substr(first, last - first + 1);
      };
      return {trimmed(given.substr(0, i)), trimmed(given.substr(i + 1))};
    }
    if (quote != 0)
      quote = given[i] == quote ? '\0' : quote;
    else if (given[i] == '"' || given[i] == '\'')
      quote = given[i];
  }
  throw InvalidInput(fmt::format("--set {}: expected KEY=VALUE, as in --set system.mass=2", given));
}

bool is_word(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_bare(c) || c == '.' || c == '/' || c == ':'; });
}

// The value under the one key "value" of a table of its own.
toml::table parse_value(const Setting& setting, const std::string& where) {
  const auto parsed = [&](const std::string& value) {
    require_shallow("value = " + value, where);
    return toml::parse("value = " + value + "\n", where);
  };
  try {
    toml::table table = parsed(setting.value);
    if (table.size() == 1) return table;
  } catch (const toml::parse_error& error) {
    const bool number = std::isdigit(static_cast<unsigned char>(setting.value[0]));  // as 1e400: beyond the range
    if (is_word(setting.value) && !number) return parsed("\"" + setting.value + "\"");
    throw InvalidInput(fmt::format("{}: not a value of TOML: {}", where, error.description()));
  }
  throw InvalidInput(where + ": expected one value");
}

}  // namespace

KeyPath parse_key_path(std::string_view text) { return PathReader(text).read(); }

std::string first_name(const KeyPath& path) { return std::get<std::string>(path.front()); }

toml::node* find_node(toml::table& root, const KeyPath& path) {
  toml::node* node = &root;
  for (const auto& part : path) {
    node = child_of(*node, part);
    if (!node) return nullptr;
  }
  return node;
}

KeyPath key_of_setting(const std::string& given) { return parse_key_path(split(given).key); }

void set_value(toml::table& root, const std::string& given) {
  const Setting setting = split(given);
  const std::string where = "--set " + given;
  const KeyPath path = parse_key_path(setting.key);
  toml::table parsed = parse_value(setting, where);
  toml::node& value = *parsed.get("value");
  const toml::source_region place = value.source();
  toml::node* holder = &root;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    toml::node* next = child_of(*holder, path[i]);
    if (!next && holder->is_table() && std::holds_alternative<std::string>(path[i])) {
      holder->as_table()->insert(toml::key(std::get<std::string>(path[i]), place), toml::table{});
      next = child_of(*holder, path[i]);
    }
    if (!next) throw InvalidInput(where + ": there is no such value in the file");
    holder = next;
  }
  value.visit([&](auto& typed) {
    if (const auto* name = std::get_if<std::string>(&path.back()); name && holder->is_table()) {
      holder->as_table()->erase(*name);
      holder->as_table()->insert(toml::key(*name, place), std::move(typed));
    } else if (!name && holder->is_array() && std::get<std::size_t>(path.back()) < holder->as_array()->size()) {
      toml::array& list = *holder->as_array();
      list.replace(list.cbegin() + static_cast<std::ptrdiff_t>(std::get<std::size_t>(path.back())), std::move(typed));
    } else {
      throw InvalidInput(where + ": there is no such value in the file");
    }
  });
}

}  // namespace slipset
