// The flags of `slipset identify`, and what they say to the library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/options.hpp"
#include "slipset/identification/pin_on_disk.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/report/measurements/records.hpp"

namespace CLI {
class Option;
}

namespace slipset::app {

// A flag, and the models that use it.
struct IdentifyFlag {
  std::string name;
  std::vector<std::string> models;
  CLI::Option* option;
};

struct IdentifyOptions {
  std::vector<IdentifyFlag> flags;
  CommonOptions common;
  std::vector<std::string> files;
  std::string model = "pin-on-disk";
  ColumnChoice choice;
  PinSensor sensor;
  std::string compensation, loads;
  std::optional<double> rpm;  // of the disk
  std::string zero_at;        // start, middle, end; empty: unknown
  // As typed; the functions below check them.
  std::string sense = "1", offset = "0", misalignment = "0";  // each may be "auto"; the last two in degrees
  std::string reservoir = "auto", direction = "auto", axes = "auto";
  PinOptions pin;
  std::string simulate;  // scenario of the virtual tribometer; empty: none
  TribometerOptions machine;
  double turned_sensor = 0, turned_surface = 0;  // of the virtual tribometer [degrees]
  StickSlipOptions stick;
  std::vector<std::string> laws;  // scenarios to compare paths with
  bool no_fit = false;
  double gravity = 9.81;
  std::vector<double> friction;  // of an elastic interface
};

void add_identify_options(CLI::App& command, IdentifyOptions& options);

// These throw InvalidInput that names the flag. The first: a flag that the model does not use.
void require_used(const IdentifyOptions& options);
PinSensor pin_sensor(const IdentifyOptions& options);
PinOptions pin_options(const IdentifyOptions& options);
std::optional<PathFitOptions> path_options(const IdentifyOptions& options, const SlideOptions& slide);

}  // namespace slipset::app
