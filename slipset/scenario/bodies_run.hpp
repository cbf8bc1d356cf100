// [system] kind = "rigid-bodies": spheres, boxes and planes.           docs/scenarios.md
#pragma once

#include "slipset/scenario/run_setup.hpp"

namespace slipset {

// [[body]], [[pile]], [[stack]], [[joint]], [[pair]] with their keys.
std::span<const Entry> body_tables();

// The system is a BodyWorld. Throws InvalidInput with file, line, column, key and remedy.
RunSetup read_bodies_run(const TomlTable& root);

}  // namespace slipset
