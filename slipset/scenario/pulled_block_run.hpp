// [system] kind = "pulled-block": a block on an elastic interface, without inertia.       docs/scenarios.md
#pragma once

#include <string>
#include <vector>

#include "slipset/motion/pulled_block.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct PulledBlockSetup {
  std::string title;
  ElasticReturn interface;
  std::string motion;           // pull, line, back-and-forth, circle, figure-eight
  std::vector<Vec2> positions;  // empty for pull
  double distance = 0;
  int increments = 0;
  InterfacePathOptions options;
};

// What `path` of the system can name.
std::span<const Entry> pulled_paths();

// Throws InvalidInput with file, line, column, key and remedy.
PulledBlockSetup read_pulled_block(const TomlTable& root);

InterfacePath run_pulled_block(const PulledBlockSetup& scenario);

}  // namespace slipset
