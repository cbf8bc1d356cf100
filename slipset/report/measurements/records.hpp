// Records of measurements, files with named columns → signals for identification.   docs/identify.md
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "slipset/identification/pin_record.hpp"
#include "slipset/identification/pull_calibration.hpp"
#include "slipset/identification/rate_fit.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "slipset/identification/stick_slip.hpp"

namespace slipset {

// Where names and units in the file do not say it; see io/measured_columns.hpp.
struct ColumnChoice {
  std::vector<std::string> columns, units;  // "tangential=Ft", "angle=rad", "force=mN"
};

// All throw InvalidInput, with what to do.

struct PinSensor {
  std::optional<double> normal_force;         // where the file has no column for it [N]
  std::filesystem::path compensation, loads;  // files: the matrix; or known loads with readings
};
// Columns angle, tangential, radial and normal.
PinRecord read_pin_record(const std::filesystem::path& file, const ColumnChoice& choice, const PinSensor& sensor = {});

// Columns time (t) and force (Fnorm: over the weight; or F in newtons, which is divided by it).
StickSlipRecord read_stick_slip(const std::filesystem::path& file, const ColumnChoice& choice, double weight);

// Columns velocity (v), friction (per unit normal force, or in newtons with `normal_force`), for LuGre also time (t).
RateRecord read_rate_record(const std::filesystem::path& file, const ColumnChoice& choice, double normal_force,
                            bool needs_time);

// Columns time (t), x, y in metres, or with units.
SlidingPath read_sliding_path(const std::filesystem::path& file, const ColumnChoice& choice);

// Columns alpha and phi in degrees by name, else the first two.
std::vector<PullAngle> read_pull_angles(const std::filesystem::path& file);

}  // namespace slipset
