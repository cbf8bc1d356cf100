// Reading scenario files so that errors report their place and their remedy.
//   FILE:LINE:COLUMN: law.reservoir.semi_axes: found a string; expected two numbers, as in [0.6, 0.3]
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/error.hpp"
#include "slipset/core/vec.hpp"
#include "slipset/scenario/keys.hpp"

namespace toml {
inline namespace v3 {
class node;
class table;
}  // namespace v3
}  // namespace toml

namespace slipset {

// A mistake whose message already names file, line and column.
class ScenarioError : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

// One table of a scenario file, with the dotted key that leads to it; it keeps the file alive. Reading throws
// ScenarioError.
class TomlTable {
 public:
  TomlTable(std::shared_ptr<const toml::table> table, std::string key, std::string file)
      : table_(std::move(table)), key_(std::move(key)), file_(std::move(file)) {}

  // Refuses any key that is not among these, with the nearest of them.
  void allow_only(std::span<const std::string_view> names) const;
  // The same table with its keys described: others are refused, at once and in inner tables when those are read, and
  // keys that are left out have their defaults. `first` is allowed besides, as "kind". The list must outlive the table.
  TomlTable described_by(std::span<const Key> keys, std::string_view first = "") const;

  std::vector<std::string> names() const;        // of its keys, sorted
  bool has(std::string_view name) const;         // in the file, not by default
  double number(std::string_view name) const;    // finite
  double positive(std::string_view name) const;  // finite, above 0
  double not_negative(std::string_view name) const;
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
  // A list of `size` numbers, one per degree of freedom.
  Eigen::VectorXd vector(std::string_view name, Eigen::Index size) const;
  std::vector<Vec2> points(std::string_view name) const;
  TomlTable table(std::string_view name, std::string_view expected = "a table") const;
  // Rows of numbers, all of one length: [[1, 0], [0, 1]].
  std::vector<std::vector<double>> rows(std::string_view name) const;
  // A list of tables, keyed name[0], name[1], ...
  std::vector<TomlTable> tables(std::string_view name) const;
  // A list of words, each one of `choices`; may be empty.
  std::vector<std::string> choices(std::string_view name, std::span<const std::string_view> choices) const;
  bool is_number(std::string_view name) const;
  bool is_list_of_lists(std::string_view name) const;
  bool is_text(std::string_view name) const;
  std::vector<std::string> all_texts() const;  // every string in it and in what it holds
  // Every number in it and in what it holds, by its dotted key: system.belt.angle, law.reservoir.semi_axes[0].
  std::vector<std::pair<std::string, double>> all_numbers() const;
  // Numbers in it and in what it holds that are hardly meant, far from 1 as 5e-324, with their places; "" for none.
  std::string extreme_numbers() const;

  // An error at a key of this table, or at the table itself.
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;
  // Runs f; what it throws as InvalidInput is thrown again with the place of a key, or of this table for "".
  template <class Function>
  auto located(std::string_view name, Function&& f) const {
    try {
      return f();
    } catch (const ScenarioError&) {
      throw;
    } catch (const InvalidInput& error) {
      if (!error.setting().empty()) throw;  // a mistake of an option, not of the file
      if (name.empty()) fail(error.what());
      fail(name, error.what());
    }
  }

  const std::string& file() const { return file_; }

 private:
  const toml::node* find(std::string_view name) const;
  const toml::node& required(std::string_view name, std::string_view expected) const;
  const Default* default_of(std::string_view name) const;  // of a described key that the file does not have; or null
  double number_of(const toml::node& node, std::string_view name) const;
  std::string key_of(std::string_view name) const;
  TomlTable inner(const toml::table& table, std::string_view name, std::string key) const;
  [[noreturn]] void fail_at(const toml::node& node, const std::string& key, const std::string& what) const;

  std::shared_ptr<const toml::table> table_;
  std::string key_;  // "" for the whole file
  std::string file_;
  std::span<const Key> keys_{};  // of the table that was described, and
  std::string prefix_{};         // of this one in it: "belt."
};

// Throws ScenarioError if keys of a file have too many parts, or its values are nested too deeply: their reader, and
// whoever visits them, goes down by recursion.
void require_shallow(std::string_view text, const std::filesystem::path& path);

// The whole file as a table. Throws InvalidInput if it cannot be read or is not TOML.
class TomlFile {
 public:
  explicit TomlFile(const std::filesystem::path& path);
  // A text that is in no file; `name` stands for it in messages. `settings`, as "system.mass=2" (key_path.hpp), are made
  // first.
  TomlFile(const std::string& text, const std::filesystem::path& name, std::span<const std::string> settings = {});
  TomlTable root() const { return {table_, "", path_.string()}; }
  const std::filesystem::path& path() const { return path_; }
  std::string text() const;  // as TOML, without the comments of the file
  // The same file with another number under a dotted key, as "system.belt.angle". Throws ScenarioError, at `key` of
  // `where`, unless there is a number, outside of the table [sweep].
  TomlFile with_number(const std::string& dotted, double value, const TomlTable& where, std::string_view key) const;
  // The same file with values set, as "system.mass=2".
  TomlFile with_settings(std::span<const std::string> settings) const;

 private:
  std::filesystem::path path_;
  std::shared_ptr<const toml::table> table_;
};

}  // namespace slipset
