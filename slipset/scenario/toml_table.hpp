// Reading scenario files so that every mistake is told with its place and its remedy.
//   FILE:LINE:COLUMN: law.reservoir.semi_axes: found a string; expected two numbers, as in [0.6, 0.3]
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/error.hpp"
#include "slipset/core/vec.hpp"

namespace slipset {

// A mistake whose message already names file, line and column.
class ScenarioError : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

// One table of a scenario file, with the dotted key that leads to it. Reading throws ScenarioError.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string key, std::string file)
      : table_(&table), key_(std::move(key)), file_(std::move(file)) {}

  // Refuses any key that is not among these, with the nearest of them.
  void allow_only(std::span<const std::string_view> names) const;

  std::vector<std::string> names() const;  // of its keys, sorted
  bool has(std::string_view name) const { return table_->contains(name); }
  double number(std::string_view name) const;    // finite
  double positive(std::string_view name) const;  // finite, above 0
  double number_or(std::string_view name, double otherwise) const { return has(name) ? number(name) : otherwise; }
  int whole(std::string_view name, int from, int to) const;  // a whole number of this range
  bool truth(std::string_view name) const;                   // true or false
  std::string text(std::string_view name) const;
  std::filesystem::path path(std::string_view name) const;  // of a file that is looked for beside the scenario
  // One of `choices`, or an error that names the nearest.
  std::string choice(std::string_view name, std::span<const std::string_view> choices) const;
  Vec2 pair(std::string_view name) const;
  Vec2 positive_pair(std::string_view name) const;
  std::vector<double> list(std::string_view name) const;
  std::vector<Vec2> points(std::string_view name) const;
  TomlTable table(std::string_view name, std::string_view expected = "a table") const;
  // Rows of numbers, all of one length: [[1, 0], [0, 1]].
  std::vector<std::vector<double>> rows(std::string_view name) const;
  // A list of tables, keyed name[1], name[2], ...
  std::vector<TomlTable> tables(std::string_view name) const;
  // A list of words, each one of `choices`; may be empty.
  std::vector<std::string> choices(std::string_view name, std::span<const std::string_view> choices) const;
  bool is_number(std::string_view name) const { return (*table_)[name].is_number(); }
  bool is_list_of_lists(std::string_view name) const;
  bool is_text(std::string_view name) const { return (*table_)[name].is_string(); }

  // An error at a key of this table, or at the table itself.
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;
  // Runs f; what it throws as InvalidInput is told again with the place of a key, or of this table for "".
  template <class Function>
  auto located(std::string_view name, Function&& f) const {
    try {
      return f();
    } catch (const ScenarioError&) {
      throw;
    } catch (const InvalidInput& error) {
      if (name.empty()) fail(error.what());
      fail(name, error.what());
    }
  }

  const std::string& file() const { return file_; }

 private:
  const toml::node& required(std::string_view name, std::string_view expected) const;
  double number_of(const toml::node& node, std::string_view name) const;
  std::string key_of(std::string_view name) const;
  [[noreturn]] void fail_at(const toml::node& node, const std::string& key, const std::string& what) const;

  const toml::table* table_;
  std::string key_;  // "" for the whole file
  std::string file_;
};

// The whole file as a table. Throws InvalidInput if it cannot be read or is not TOML. The table lives as long
// as the result.
class TomlFile {
 public:
  explicit TomlFile(const std::filesystem::path& path);
  // A text that is in no file; `name` stands for it in messages.
  TomlFile(const std::string& text, const std::filesystem::path& name);
  TomlTable root() const { return {table_, "", path_.string()}; }
  const std::filesystem::path& path() const { return path_; }
  // The same file with another number under a dotted key, as "system.belt.angle". Throws ScenarioError, at `key` of
  // `where`, unless there is a number.
  TomlFile with_number(const std::string& dotted, double value, const TomlTable& where, std::string_view key) const;

 private:
  std::filesystem::path path_;
  toml::table table_;
};

}  // namespace slipset
