// [law], [system], [initial], [integrator], [output] of a scenario file → a run.       docs/scenarios.md
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

class Scenario;
struct AnyRun;

struct RunSetup {
  std::string title;
  std::unique_ptr<System> system;
  State start;
  Integrator integrator;  // with the friction that it takes: regularised, LuGre, or none
  RunOptions options;
  std::vector<std::string> formats;   // csv, hdf5
  std::vector<std::string> figures;   // path, force, time
  std::optional<TomlTable> settings;  // [integrator], to place what a run says of its step and duration
  std::vector<std::string> warnings;  // for the report
};

// The keys of [initial].
std::span<const Key> initial_keys();

// Each of [law], [system], [initial], [integrator], [output] is that of `over` if it has one, else that of `root`: for
// files with several cases. Throws InvalidInput with file, line, column, key and remedy.
RunSetup read_run(const TomlTable& root, const TomlTable& over);
AnyRun read_any_run_of_system(const Scenario& scenario);

}  // namespace slipset
