// What a run leaves: table, JSON and pictures in a folder, a report on the screen.
#pragma once

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "slipset/io/figure.hpp"

namespace slipset::app {

// Where they go: --out, else out/NAME of the scenario file; empty with --json alone. Throws InvalidInput if the folder
// cannot be written, before the work is done.
std::filesystem::path results_folder(const std::string& file, const CommonOptions& options);

struct RunResults {
  std::string csv;  // empty: not wanted
  std::string text;
  nlohmann::ordered_json json;
  std::vector<Figure> figures;
  std::string last_line;  // after the files; may be empty
  std::string hdf5;       // empty: not wanted
};
void leave(const RunResults& results, const std::filesystem::path& folder, const CommonOptions& options);

}  // namespace slipset::app
