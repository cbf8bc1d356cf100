// Everything that a scenario file can name: `slipset list`, the tables of docs/scenarios.md.
#pragma once

#include <string_view>
#include <vector>

#include "slipset/scenario/keys.hpp"

namespace slipset {

struct CatalogueGroup {
  std::string_view name;
  std::string_view summary;
  std::vector<Entry> entries;
};

// shapes, laws, systems, integrators, tables.
std::vector<CatalogueGroup> catalogue();

}  // namespace slipset
