// Keys of scenario files: what is accepted, with unit, default and a line each. The readers, their messages,
// `slipset list` and the tables of docs/scenarios.md all go by these lists.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slipset {

// The value of a key that is not given.
struct Default {
  constexpr Default(double value) : number(value) {}       // NOLINT: written as plain numbers and words
  constexpr Default(const char* choice) : word(choice) {}  // NOLINT
  constexpr explicit Default(bool must) : required(must) {}

  std::optional<double> number;
  std::string_view word;  // one of the choices of a key, or "true", "false"
  bool required = false;
};
inline constexpr Default kRequired{true};
inline constexpr Default kOptional{false};  // `meaning` says what holds without it

struct Key {
  std::string_view name;  // dotted for a key of an inner table: "belt.speed"
  std::string_view unit;  // "m/s"; "" for none
  Default otherwise;
  std::string_view meaning;  // one line
};

// Something that a file can name, as a shape or a kind of system.
struct Entry {
  std::string_view name;
  std::string_view summary;  // one line
  std::vector<Key> keys;     // besides the one that names it
};

// The names that stand in one table: of "belt.speed" and "belt.angle" with prefix "" one "belt", with "belt." both.
std::vector<std::string_view> names_in(std::span<const Key> keys, std::string_view prefix = "");

template <class Entries>
std::vector<std::string_view> names_of(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

// The entry of that name; null if there is none.
template <class Entries>
auto find_entry(const Entries& entries, std::string_view name) -> decltype(&*entries.begin()) {
  for (const auto& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace slipset
