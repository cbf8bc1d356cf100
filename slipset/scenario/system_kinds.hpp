// The registry of [system] kinds: name, keys, builder and a line of docs in one place.   docs/extending.md
// A new kind is one entry in the list of its family (*_systems.cpp); run, stability, cycle, `slipset list`, the tables
// of docs/scenarios.md and the messages know it from there.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "slipset/scenario/toml_table.hpp"
#include "slipset/systems/system.hpp"

namespace slipset {

class AxialSystem;
class Scenario;
struct AnyRun;

struct BuiltSystem {
  std::unique_ptr<System> system;
  State start;                         // if [initial] gives none
  std::optional<VectorX> equilibrium;  // of steady sliding
};

struct SystemKind : Entry {
  // One of the first two, or neither where the run is of a type of its own.
  BuiltSystem (*build)(const TomlTable&, const FrictionLaw&) = nullptr;  // contacts in the plane, with [law]
  AxialSystem (*build_axial)(const TomlTable&) = nullptr;                // along one line, friction limits in [system]
  AnyRun (*read_run)(const Scenario&) = nullptr;
  std::vector<std::string_view> tables{};  // of the file
  bool prescribed = false;                 // its motion is given: no [initial]
  bool steady_sliding = false;             // has a surface that moves: stability
  bool rolling_laws = false;               // takes laws with drilling and rolling
  bool structure = false;                  // large matrices: read by structure_setup.hpp, for stability alone
};

// All of them.
std::span<const SystemKind> system_kinds();
// Names of the kinds that have a property.
std::vector<std::string_view> kinds_with(bool SystemKind::*property);

// The kind that a table [system] names; null if it names none, or an unknown one.
const SystemKind* find_system_kind(const TomlTable& system);
// The same for [system] of `root`, or an error that names the nearest, or says that [system] is missing.
const SystemKind& system_kind_of(const TomlTable& root);
// Refuses tables of the file that the kind does not have.
void require_tables_of(const SystemKind& kind, const TomlTable& root);

// A table [system] of a kind with planar contacts, with that law. Throws InvalidInput with file, line, column, key and
// remedy; names the kinds that are supported where this one is not.
BuiltSystem read_system(const TomlTable& system, const FrictionLaw& law);
// A table [system] of a kind along one line, whose friction limits stand in it.
AxialSystem read_axial_system(const TomlTable& system);

// The families, each in a file of its own.
std::vector<SystemKind> belt_systems();
std::vector<SystemKind> free_systems();
std::vector<SystemKind> general_systems();
std::vector<SystemKind> axial_systems();
std::vector<SystemKind> spinning_systems();
std::vector<SystemKind> quasi_static_systems();
std::vector<SystemKind> body_systems();
std::vector<SystemKind> structure_systems();

}  // namespace slipset
