// [system] kind = "rigid-bodies": spheres, boxes and planes.           docs/scenarios.md
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipset/bodies/body_run.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct BodiesScenario {
  std::string title;
  BodyWorld world;
  BodyRunOptions options;
  std::vector<std::string> figures;  // path, snapshots, time
};

// Whether the file's [system] is of this kind; other mistakes are left to the readers.
bool is_bodies_scenario(const std::filesystem::path& path);
bool is_bodies_scenario(const TomlTable& system);
// Throws InvalidInput with file, line, column, key and remedy.
BodiesScenario read_bodies_scenario(const std::filesystem::path& path);

}  // namespace slipset
