// [system] of a scenario file → a mechanical system and where it starts.       docs/scenarios.md
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "slipset/dynamics/mechanical_system.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct SystemKind {
  std::string_view name;
  std::vector<std::string_view> keys;  // besides kind
  std::string_view summary;            // one line
};
std::span<const SystemKind> system_kinds();

struct BuiltSystem {
  std::unique_ptr<MechanicalSystem> system;
  State start;                         // if [initial] gives none
  std::optional<VectorX> equilibrium;  // of steady sliding
  bool takes_initial = true;           // else it moves as it is led
};

// Throws InvalidInput with file, line, column, key and remedy.
BuiltSystem read_system(const TomlTable& table, const FrictionLaw& law);

// A list of `size` numbers, one a degree of freedom.
VectorX read_vector(const TomlTable& table, std::string_view name, Eigen::Index size);

}  // namespace slipset
