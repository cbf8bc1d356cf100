// Scenario files of line systems: forced-oscillator, chain, two-blocks, spring-slider.       docs/scenarios.md
// Their friction limits stand in [system]; [law] holds `regularize`, or is left out for set-valued Coulomb friction.
#pragma once

#include <filesystem>
#include <optional>

#include "slipset/dynamics/piecewise_linear.hpp"
#include "slipset/scenario/systems.hpp"

namespace slipset {

std::span<const SystemKind> line_system_kinds();

bool is_line_system(const TomlTable& table);  // whether its kind is one of these
// The system of a table [system], of one of these kinds. Throws InvalidInput with file, line, column, key and remedy.
LineSystem read_line_system(const TomlTable& table);

struct LineScenario {
  std::string title;
  LineSystem system;
  State start;
  RegularizedCoulomb law;
  bool exact = false;  // event-driven; else `options` holds
  LineOptions options;
  LineEventOptions event_options;
  std::vector<std::string> figures;  // time, force
};

// Empty if the file's system is of another kind. Throws InvalidInput with file, line, column, key and remedy.
std::optional<LineScenario> read_line_scenario(const std::filesystem::path& path);

LineSimulation simulate(const LineScenario& scenario);

}  // namespace slipset
