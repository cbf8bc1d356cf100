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
#include "slipset/io/measured_columns.hpp"

namespace slipset {

template <class Record>
struct FromFile {
  Record record;
  Measured input;  // which columns it came from, without their numbers
};

// All throw InvalidInput, with what to do. `choice` is for where names and units in the file do not say it.

struct PinSensor {
  std::optional<double> normal_force;         // where the file has no column for it [N]
  std::optional<double> rotation;             // where it has neither an angle nor a rotation rate, only times [rad/s]
  std::filesystem::path compensation, loads;  // files: the matrix; or known loads with readings
};
// Columns angle, or time and rotation; tangential, radial and normal. Where nothing says the angle's unit, the record
// must tell it (tell_angle_unit).
FromFile<PinRecord> read_pin_record(const std::filesystem::path& file, const ColumnChoice& choice,
                                    const PinSensor& sensor = {});

// Columns time and force: over the weight, or in newtons, which are divided by it.
FromFile<StickSlipRecord> read_stick_slip(const std::filesystem::path& file, const ColumnChoice& choice, double weight);

// Columns velocity, or time and position; friction, a coefficient, or a force that is divided by the column normal or by
// `normal_force` [N]; for LuGre also time.
FromFile<RateRecord> read_rate_record(const std::filesystem::path& file, const ColumnChoice& choice,
                                      std::optional<double> normal_force, bool needs_time);

// Columns time, x, y.
FromFile<SlidingPath> read_sliding_path(const std::filesystem::path& file, const ColumnChoice& choice);

// Columns alpha and phi.
FromFile<std::vector<PullAngle>> read_pull_angles(const std::filesystem::path& file, const ColumnChoice& choice = {});

}  // namespace slipset
