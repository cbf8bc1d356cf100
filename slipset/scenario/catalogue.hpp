// Everything that a scenario file can name, a line each: `slipset list`.
#pragma once

#include <string>
#include <vector>

namespace slipset {

struct CatalogueEntry {
  std::string name;
  std::vector<std::string> keys;
  std::string summary;
};

struct CatalogueGroup {
  std::string name;
  std::string summary;
  std::vector<CatalogueEntry> entries;
};

std::vector<CatalogueGroup> catalogue();

}  // namespace slipset
