#include "slipset/scenario/system_kinds.hpp"

#include <fmt/format.h>

#include "slipset/systems/axial_system.hpp"

namespace slipset {

std::span<const SystemKind> system_kinds() {
  static const std::vector<SystemKind> all = [] {
    std::vector<SystemKind> list;
    for (const auto& family : {free_systems(), belt_systems(), general_systems(), axial_systems(), spinning_systems(),
                               quasi_static_systems(), body_systems(), structure_systems()})
      list.insert(list.end(), family.begin(), family.end());
    return list;
  }();
  return all;
}

std::vector<std::string_view> kinds_with(bool SystemKind::*property) {
  std::vector<std::string_view> names;
  for (const SystemKind& kind : system_kinds())
    if (kind.*property) names.push_back(kind.name);
  return names;
}

const SystemKind* find_system_kind(const TomlTable& system) {
  return system.is_text("kind") ? find_entry(system_kinds(), system.text("kind")) : nullptr;
}

const SystemKind& system_kind_of(const TomlTable& root) {
  const TomlTable system = root.table("system", "a table [system] with its kind");
  return *find_entry(system_kinds(), system.choice("kind", names_of(system_kinds())));
}

void require_tables_of(const SystemKind& kind, const TomlTable& root) {
  for (const std::string& name : root.names())
    if (std::find(kind.tables.begin(), kind.tables.end(), name) == kind.tables.end())
      root.fail(name, fmt::format("[system] kind = \"{}\" does not have this table; it has: {}", kind.name,
                                  fmt::join(kind.tables, ", ")));
}

namespace {

template <class Builder>
const SystemKind& chosen_kind(const TomlTable& system, Builder SystemKind::*builder) {
  const SystemKind& kind = *find_entry(system_kinds(), system.choice("kind", names_of(system_kinds())));
  if (kind.*builder) return kind;
  std::vector<std::string_view> others;
  for (const SystemKind& other : system_kinds())
    if (other.*builder) others.push_back(other.name);
  system.fail("kind",
              fmt::format("this command does not support \"{}\"; it supports: {}", kind.name, fmt::join(others, ", ")));
}

}  // namespace

BuiltSystem read_system(const TomlTable& system, const FrictionLaw& law) {
  const SystemKind& kind = chosen_kind(system, &SystemKind::build);
  const TomlTable t = system.described_by(kind.keys, "kind");
  return t.located("", [&] { return kind.build(t, law); });
}

AxialSystem read_axial_system(const TomlTable& system) {
  const SystemKind& kind = chosen_kind(system, &SystemKind::build_axial);
  const TomlTable t = system.described_by(kind.keys, "kind");
  return t.located("", [&] { return kind.build_axial(t); });
}

}  // namespace slipset
