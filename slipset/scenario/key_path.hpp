// The place of a value in a file by its dotted key: system.belt.angle, law.reservoir.semi_axes[0], laws."my steel".
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace toml {
inline namespace v3 {
class node;
class table;
}  // namespace v3
}  // namespace toml

namespace slipset {

using KeyPath = std::vector<std::variant<std::string, std::size_t>>;  // names, and places in lists from 0

// Throws InvalidInput if this is no dotted key, as where a bracket is not closed.
KeyPath parse_key_path(std::string_view text);
std::string first_name(const KeyPath& path);  // the table, or key, of the file

// Null if there is nothing.
toml::node* find_node(toml::table& root, const KeyPath& path);

// "KEY=VALUE", as typed: VALUE is one of TOML, or a word without quotes. Makes what tables are missing on the way; values
// of lists must be there. Messages name `given` as the place of the value. Throws InvalidInput.
void set_value(toml::table& root, const std::string& given);
KeyPath key_of_setting(const std::string& given);

}  // namespace slipset
