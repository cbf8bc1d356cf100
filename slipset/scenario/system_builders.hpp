// Lists of builders, one a [system] kind: { SystemKind kind; ... build; }.
#pragma once

#include <algorithm>

#include "slipset/scenario/systems.hpp"

namespace slipset {

template <class Builder>
std::vector<SystemKind> kinds_of(const std::vector<Builder>& builders) {
  std::vector<SystemKind> kinds;
  for (const Builder& b : builders) kinds.push_back(b.kind);
  return kinds;
}

// The builder that `table` names, with the table's keys checked. `elsewhere`: kinds that exist but are not for here,
// named in messages.
template <class Builder>
const Builder& chosen_builder(const std::vector<Builder>& builders, const TomlTable& table,
                              std::span<const SystemKind> elsewhere = {}) {
  std::vector<std::string_view> names;
  for (const Builder& b : builders) names.push_back(b.kind.name);
  for (const SystemKind& kind : elsewhere) names.push_back(kind.name);
  const std::string name = table.choice("kind", names);
  const auto found =
      std::find_if(builders.begin(), builders.end(), [&](const Builder& b) { return b.kind.name == name; });
  if (found == builders.end()) table.fail("kind", "this system has a reader of its own and cannot stand here");
  std::vector<std::string_view> keys = found->kind.keys;
  keys.insert(keys.begin(), "kind");
  table.allow_only(keys);
  return *found;
}

}  // namespace slipset
