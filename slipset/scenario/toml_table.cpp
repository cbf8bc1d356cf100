#include "slipset/scenario/toml_table.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "slipset/core/internal/names.hpp"

namespace slipset {
namespace {

std::string found(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return fmt::format("a list of {}", node.as_array()->size());
    case toml::node_type::string: return fmt::format("the string \"{}\"", node.as_string()->get());
    case toml::node_type::integer: return fmt::format("{}", node.as_integer()->get());
    case toml::node_type::floating_point: return fmt::format("{}", node.as_floating_point()->get());
    case toml::node_type::boolean: return node.as_boolean()->get() ? "true" : "false";
    default: return "a date or time";
  }
}

// FILE:LINE:COLUMN; the table of a whole file has no place of its own, nor has a value that is not from the file.
std::string place_of(const toml::source_region& source, const std::string& file) {
  if (source.path && *source.path != file) return *source.path;
  return source.begin.line == 0 ? file : fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

std::string suggestion(std::string_view name, std::span<const std::string_view> names) {
  constexpr std::size_t kMostShown = 60;  // bodies may be a million
  const std::string nearest = internal::nearest_name(name, names);
  const std::span<const std::string_view> shown = names.first(std::min(names.size(), kMostShown));
  return (nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest)) +
         fmt::format("allowed: {}", fmt::join(shown, ", ")) +
         (shown.size() < names.size() ? fmt::format(" and {} more", names.size() - shown.size()) : "");
}

}  // namespace

void TomlTable::allow_only(std::span<const std::string_view> names) const {
  for (const auto& [key, node] : *table_) {
    if (std::find(names.begin(), names.end(), key.str()) != names.end()) continue;
    throw ScenarioError(fmt::format("{}: {}: unknown key; {}", place_of(key.source(), file_), key_of(key.str()),
                                    suggestion(key.str(), names)));
  }
}

TomlTable TomlTable::described_by(std::span<const Key> keys, std::string_view first) const {
  std::vector<std::string_view> names = names_in(keys);
  if (!first.empty()) names.insert(names.begin(), first);
  allow_only(names);
  TomlTable described = *this;
  described.keys_ = keys;
  described.prefix_.clear();
  return described;
}

const toml::node* TomlTable::find(std::string_view name) const { return table_->get(name); }
bool TomlTable::has(std::string_view name) const { return find(name) != nullptr; }
bool TomlTable::is_number(std::string_view name) const { return has(name) && find(name)->is_number(); }
bool TomlTable::is_text(std::string_view name) const { return has(name) && find(name)->is_string(); }

const Default* TomlTable::default_of(std::string_view name) const {
  if (has(name)) return nullptr;
  for (const Key& key : keys_)
    if (key.name.size() == prefix_.size() + name.size() && key.name.starts_with(prefix_) && key.name.ends_with(name))
      return &key.otherwise;
  return nullptr;
}

double TomlTable::number(std::string_view name) const {
  if (const Default* otherwise = default_of(name); otherwise && otherwise->number) return *otherwise->number;
  return number_of(required(name, "a number"), name);
}

double TomlTable::not_negative(std::string_view name) const {
  const double value = number(name);
  if (value < 0) fail(name, fmt::format("found {}; expected a number that is not negative", value));
  return value;
}

double TomlTable::positive(std::string_view name) const {
  const double value = number(name);
  if (!(value > 0)) fail(name, fmt::format("found {}; expected a number above 0", value));
  return value;
}

std::vector<std::string> TomlTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : *table_) names.emplace_back(name.str());
  return names;
}

int TomlTable::whole(std::string_view name, int from, int to) const {
  const double value = number(name);
  if (value != std::floor(value) || value < from || value > to)
    fail(name, fmt::format("found {}; expected a whole number from {} to {}", value, from, to));
  return static_cast<int>(value);
}

bool TomlTable::truth(std::string_view name) const {
  if (const Default* otherwise = default_of(name); otherwise && !otherwise->word.empty())
    return otherwise->word == "true";
  const toml::node& node = required(name, "true or false");
  if (!node.is_boolean()) fail(name, fmt::format("found {}; expected true or false", found(node)));
  return node.as_boolean()->get();
}

std::string TomlTable::text(std::string_view name) const {
  const toml::node& node = required(name, "a string");
  if (!node.is_string()) fail(name, fmt::format("found {}; expected a string in quotes", found(node)));
  return node.as_string()->get();
}

std::filesystem::path TomlTable::path(std::string_view name) const {
  const std::filesystem::path named = text(name);
  return named.is_absolute() ? named : std::filesystem::path(file_).parent_path() / named;
}

std::string TomlTable::choice(std::string_view name, std::span<const std::string_view> choices) const {
  if (const Default* otherwise = default_of(name); otherwise && !otherwise->word.empty())
    return std::string(otherwise->word);
  std::string value = text(name);
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    fail(name, fmt::format("found \"{}\"; {}", value, suggestion(value, choices)));
  return value;
}

std::vector<std::vector<double>> TomlTable::rows(std::string_view name) const {
  const std::string expected = "rows of numbers of one length, as in [[1, 0], [0, 1]]";
  const toml::node& node = required(name, expected);
  const toml::array* array = node.as_array();
  if (!array || array->empty()) fail(name, fmt::format("found {}; expected {}", found(node), expected));
  std::vector<std::vector<double>> matrix;
  for (const toml::node& element : *array) {
    const toml::array* row = element.as_array();
    if (!row || row->empty() || (!matrix.empty() && row->size() != matrix[0].size()))
      fail_at(element, key_of(name), fmt::format("found {}; expected {}", found(element), expected));
    matrix.emplace_back();
    for (const toml::node& number : *row) matrix.back().push_back(number_of(number, name));
  }
  return matrix;
}

std::vector<TomlTable> TomlTable::tables(std::string_view name) const {
  const toml::node& node = required(name, "a list of tables");
  const toml::array* array = node.as_array();
  if (!array)
    fail(name, fmt::format("found {}; expected a list of tables{}", found(node),
                           node.is_table() && key_.empty() ? fmt::format(": write [[{0}]], not [{0}]", name) : ""));
  std::vector<TomlTable> all;
  for (const toml::node& element : *array) {
    const std::string key = fmt::format("{}[{}]", key_of(name), all.size());
    if (!element.is_table()) fail_at(element, key, fmt::format("found {}; expected a table", found(element)));
    all.push_back(inner(*element.as_table(), name, key));
  }
  return all;
}

std::vector<std::string> TomlTable::choices(std::string_view name, std::span<const std::string_view> choices) const {
  const toml::node& node = required(name, "a list of words");
  const toml::array* array = node.as_array();
  if (!array) fail(name, fmt::format("found {}; expected a list of words", found(node)));
  std::vector<std::string> words;
  for (const toml::node& element : *array) {
    if (!element.is_string())
      fail_at(element, key_of(name), fmt::format("found {}; expected a word in quotes", found(element)));
    const std::string& word = element.as_string()->get();
    if (std::find(choices.begin(), choices.end(), word) == choices.end())
      fail_at(element, key_of(name), fmt::format("found \"{}\"; {}", word, suggestion(word, choices)));
    words.push_back(word);
  }
  return words;
}

bool TomlTable::is_list_of_lists(std::string_view name) const {
  const toml::node* node = table_->get(name);
  return node && node->is_array() && !node->as_array()->empty() && (*node->as_array())[0].is_array();
}

Vec2 TomlTable::pair(std::string_view name) const {
  const toml::node& node = required(name, "two numbers, as in [0.6, 0.3]");
  const toml::array* array = node.as_array();
  if (!array || array->size() != 2)
    fail(name, fmt::format("found {}; expected two numbers, as in [0.6, 0.3]", found(node)));
  return {number_of((*array)[0], name), number_of((*array)[1], name)};
}

Vec2 TomlTable::positive_pair(std::string_view name) const {
  const Vec2 value = pair(name);
  if (!(value.minCoeff() > 0))
    fail(name, fmt::format("found [{}, {}]; expected two numbers above 0", value.x(), value.y()));
  return value;
}

std::vector<double> TomlTable::list(std::string_view name) const {
  const toml::node& node = required(name, "a list of numbers");
  const toml::array* array = node.as_array();
  if (!array || array->empty()) fail(name, fmt::format("found {}; expected a list of numbers", found(node)));
  std::vector<double> values;
  for (const toml::node& element : *array) values.push_back(number_of(element, name));
  return values;
}

Eigen::VectorXd TomlTable::vector(std::string_view name, Eigen::Index size) const {
  const std::vector<double> values = list(name);
  if (static_cast<Eigen::Index>(values.size()) != size)
    fail(name, fmt::format("found {} numbers; expected {}, one per degree of freedom", values.size(), size));
  return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
}

std::vector<Vec2> TomlTable::points(std::string_view name) const {
  const toml::node& node = required(name, "a list of points, as in [[1, 0], [0, 1], [-1, -1]]");
  const toml::array* array = node.as_array();
  if (!array)
    fail(name, fmt::format("found {}; expected a list of points, as in [[1, 0], [0, 1], [-1, -1]]", found(node)));
  std::vector<Vec2> values;
  for (const toml::node& element : *array) {
    const toml::array* point = element.as_array();
    if (!point || point->size() != 2)
      fail_at(element, key_of(name),
              fmt::format("found {}; expected a point of two numbers, as in [1, 0]", found(element)));
    values.emplace_back(number_of((*point)[0], name), number_of((*point)[1], name));
  }
  return values;
}

TomlTable TomlTable::table(std::string_view name, std::string_view expected) const {
  const toml::node& node = required(name, expected);
  if (!node.is_table()) fail(name, fmt::format("found {}; expected {}", found(node), expected));
  return inner(*node.as_table(), name, key_of(name));
}

TomlTable TomlTable::inner(const toml::table& table, std::string_view name, std::string key) const {
  TomlTable result({table_, &table}, std::move(key), file_);
  const std::string prefix = fmt::format("{}{}.", prefix_, name);
  const std::vector<std::string_view> names = names_in(keys_, prefix);
  if (names.empty()) return result;
  result.allow_only(names);
  result.keys_ = keys_;
  result.prefix_ = prefix;
  return result;
}

void TomlTable::fail(std::string_view name, const std::string& what) const {
  const toml::node* node = table_->get(name);
  fail_at(node ? *node : static_cast<const toml::node&>(*table_), key_of(name), what);
}

void TomlTable::fail(const std::string& what) const { fail_at(*table_, key_, what); }

const toml::node& TomlTable::required(std::string_view name, std::string_view expected) const {
  if (const toml::node* node = table_->get(name)) return *node;
  fail_at(*table_, key_of(name), fmt::format("missing; give {}", expected));
}

double TomlTable::number_of(const toml::node& node, std::string_view name) const {
  // Whole numbers above 2^53, too: value<double>() would refuse what it has to round.
  const auto value = node.is_integer()          ? std::optional(static_cast<double>(node.as_integer()->get()))
                     : node.is_floating_point() ? std::optional(node.as_floating_point()->get())
                                                : std::nullopt;
  if (!value) fail_at(node, key_of(name), fmt::format("found {}; expected a number", found(node)));
  if (!std::isfinite(*value))
    fail_at(node, key_of(name), fmt::format("found {}; expected a finite number", found(node)));
  return *value;
}

std::string TomlTable::key_of(std::string_view name) const {
  return key_.empty() ? std::string(name) : fmt::format("{}.{}", key_, name);
}

void TomlTable::fail_at(const toml::node& node, const std::string& key, const std::string& what) const {
  const std::string where = place_of(node.source(), file_);
  throw ScenarioError(key.empty() ? fmt::format("{}: {}", where, what) : fmt::format("{}: {}: {}", where, key, what));
}

namespace {

void add_texts(const toml::node& node, std::vector<std::string>& texts) {
  if (const toml::table* table = node.as_table())
    for (const auto& [key, child] : *table) add_texts(child, texts);
  if (const toml::array* array = node.as_array())
    for (const toml::node& child : *array) add_texts(child, texts);
  if (node.is_string()) texts.push_back(node.as_string()->get());
}

void add_numbers(const toml::node& node, const std::string& key, std::vector<std::pair<std::string, double>>& numbers) {
  const auto quoted = [](std::string_view name) {
    const bool bare = std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-');
    });
    return bare ? std::string(name) : fmt::format("\"{}\"", name);
  };
  if (const toml::table* table = node.as_table())
    for (const auto& [name, child] : *table)
      add_numbers(child, key.empty() ? quoted(name.str()) : fmt::format("{}.{}", key, quoted(name.str())), numbers);
  if (const toml::array* array = node.as_array())
    for (std::size_t i = 0; i < array->size(); ++i) add_numbers((*array)[i], fmt::format("{}[{}]", key, i), numbers);
  if (const auto* whole = node.as_integer()) numbers.emplace_back(key, static_cast<double>(whole->get()));
  if (const auto* real = node.as_floating_point()) numbers.emplace_back(key, real->get());
}

void add_extremes(const toml::node& node, const std::string& key, const std::string& file, std::string& found) {
  if (const toml::table* table = node.as_table())
    for (const auto& [name, child] : *table)
      add_extremes(child, key.empty() ? std::string(name.str()) : fmt::format("{}.{}", key, name.str()), file, found);
  if (const toml::array* array = node.as_array())
    for (const toml::node& child : *array) add_extremes(child, key, file, found);
  const double size = std::abs(node.is_floating_point() ? node.as_floating_point()->get() : 1);
  if (size != 0 && (size < 1e-30 || size > 1e30))
    found += fmt::format("{}{} = {} ({})", found.empty() ? "" : ", ", key, node.as_floating_point()->get(),
                         place_of(node.source(), file));
}

}  // namespace

std::string TomlTable::extreme_numbers() const {
  std::string found;
  add_extremes(*table_, key_, file_, found);
  return found;
}

std::vector<std::pair<std::string, double>> TomlTable::all_numbers() const {
  std::vector<std::pair<std::string, double>> numbers;
  add_numbers(*table_, key_, numbers);
  return numbers;
}

std::vector<std::string> TomlTable::all_texts() const {
  std::vector<std::string> texts;
  add_texts(*table_, texts);
  return texts;
}

}  // namespace slipset
