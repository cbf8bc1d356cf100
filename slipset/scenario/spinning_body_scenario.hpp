// [system] kind = "spinning-body": a disk or a sphere with sliding, drilling and rolling friction.  docs/scenarios.md
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "slipset/io/figure.hpp"
#include "slipset/models/spinning_body.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct SpinningBodyScenario {
  std::string title;
  SpinningBody body;
  State start;
  SimulationOptions options;
  std::vector<std::string> figures;  // path, force, time
};

// Whether the file's [system] is of this kind; other mistakes are left to the readers.
bool is_spinning_body(const std::filesystem::path& path);
bool is_spinning_body(const TomlTable& system);
// Throws InvalidInput with file, line, column, key and remedy.
SpinningBodyScenario read_spinning_body(const std::filesystem::path& path);
// A table like [law] with drilling, rolling, patch or coupling; and its law, with the reservoir for sliding.
inline constexpr std::array<std::string_view, 4> kRollingKeys = {"drilling", "rolling", "patch", "coupling"};
bool has_rolling_keys(const TomlTable& law);
RollingLaw read_rolling_law(const TomlTable& law);

Figure spinning_path_figure(const Simulation& run, const std::string& title);
// Drilling torque over friction force with the reservoir's section, and for a patch the ellipse with the same limits.
Figure spinning_force_figure(const SpinningBody& body, const Simulation& run, const std::string& title);
Figure spinning_time_figure(const SpinningBody& body, const Simulation& run, const std::string& title);

}  // namespace slipset
