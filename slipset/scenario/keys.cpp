#include "slipset/scenario/keys.hpp"

#include <algorithm>

namespace slipset {

std::vector<std::string_view> names_in(std::span<const Key> keys, std::string_view prefix) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) {
    if (!key.name.starts_with(prefix)) continue;
    const std::string_view rest = key.name.substr(prefix.size());
    const std::string_view name = rest.substr(0, rest.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace slipset
