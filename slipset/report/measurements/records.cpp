#include "slipset/report/measurements/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/csv.hpp"
#include "slipset/io/measured_columns.hpp"

namespace slipset {
namespace {

// Names that instruments and people give them.
const std::vector<MeasuredRole> kRoles = {
    {"angle", "angle", "deg", {"phi", "rotation", "position", "winkel", "phi_deg"}},
    {"tangential", "force", "N", {"ft", "f_t", "lambda_t", "fy", "f_y", "friction"}},
    {"radial", "force", "N", {"fr", "f_r", "lambda_r", "fx", "f_x", "lateral"}},
    {"normal", "force", "N", {"fn", "f_n", "lambda_n", "fz", "f_z", "load"}}};

Eigen::Matrix3d matrix_of(const std::string& file) {
  const NumberTable table = read_number_table(file);
  if (table.columns.size() != 3 || table.rows() != 3)
    throw InvalidInput(
        fmt::format("{}: found {} rows and {} columns; expected the 3x3 matrix T, order radial, tangential, "
                    "normal",
                    file, table.rows(), table.columns.size()));
  Eigen::Matrix3d m;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index k = 0; k < 3; ++k)
      m(i, k) = table.columns[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
  return m;
}

// The column whose name begins with `name`, as in "Alpha [deg]"; in small letters or not.
std::optional<std::size_t> column_of(const NumberTable& table, std::string_view name) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    std::string small = table.names[i];
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
    if (small.starts_with(name)) return i;
  }
  return std::nullopt;
}

}  // namespace

PinRecord read_pin_record(const std::filesystem::path& file, const ColumnChoice& choice, const PinSensor& sensor) {
  std::vector<MeasuredRole> roles = kRoles;
  if (sensor.normal_force) roles.pop_back();
  roles.back().hint = sensor.normal_force ? "" : ", or give a constant normal force";
  std::vector<std::vector<double>> data = read_measured(file, roles, choice.columns, choice.units);
  PinRecord record;
  if (!sensor.normal_force) {
    record.normal = std::move(data[3]);
  } else {
    require_positive(*sensor.normal_force, "the normal force");
    record.normal_force = *sensor.normal_force;
  }
  record.angle = std::move(data[0]);
  record.tangential = std::move(data[1]);
  record.radial = std::move(data[2]);
  if (!sensor.compensation.empty() && !sensor.loads.empty())
    throw InvalidInput("the compensation matrix cannot be combined with known loads; remove one");
  if (!sensor.compensation.empty()) compensate(record, matrix_of(sensor.compensation));
  if (!sensor.loads.empty()) compensate(record, compensation_from_loads(read_number_table(sensor.loads).columns));
  return record;
}

StickSlipRecord read_stick_slip(const std::filesystem::path& file, const ColumnChoice& choice, double weight) {
  const std::vector<MeasuredRole> normalised = {
      {"time", "time", "s", {"t"}},
      {"force", "force", "-", {"fnorm", "y", "friction", "coefficient"}, "", true},
      {"newtons", "force", "N", {"f", "spring force", "load"}, "", true}};
  auto data = read_measured(file, normalised, choice.columns, choice.units);
  StickSlipRecord record{std::move(data[0]), std::move(data[1])};
  if (record.force.empty() || !data[2].empty()) {
    if (data[2].empty())
      throw InvalidInput(
          fmt::format("{}: no column for the force; name it, as force=NAME (over the weight) or newtons=NAME (in N)",
                      file.string()),
          "columns");
    if (!(weight > 0)) throw InvalidInput("stick-slip: the weight [N] must be given and positive");
    record.force = std::move(data[2]);
    for (double& f : record.force) f /= weight;
  }
  return record;
}

RateRecord read_rate_record(const std::filesystem::path& file, const ColumnChoice& choice, double normal_force,
                            bool needs_time) {
  std::vector<MeasuredRole> roles = {
      {"velocity", "velocity", "m/s", {"v", "speed"}},
      {"friction", "force", normal_force > 0 ? "N" : "-", {"f", "mu", "force", "coefficient"}}};
  if (needs_time) roles.insert(roles.begin(), {"time", "time", "s", {"t"}});
  auto data = read_measured(file, roles, choice.columns, choice.units);
  RateRecord record;
  if (needs_time) record.time = std::move(data.front());
  record.velocity = std::move(data[data.size() - 2]);
  record.friction = std::move(data.back());
  if (normal_force > 0)
    for (double& f : record.friction) f /= normal_force;
  return record;
}

SlidingPath read_sliding_path(const std::filesystem::path& file, const ColumnChoice& choice) {
  const std::vector<MeasuredRole> roles = {
      {"time", "time", "s", {"t"}}, {"x", "length", "m", {"x1", "pos_x"}}, {"y", "length", "m", {"x2", "pos_y"}}};
  auto data = read_measured(file, roles, choice.columns, choice.units);
  SlidingPath path;
  path.time = std::move(data[0]);
  for (std::size_t i = 0; i < data[1].size(); ++i) path.position.emplace_back(data[1][i], data[2][i]);
  try {
    require_valid(path);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", file.string(), error.what()));
  }
  return path;
}

std::vector<PullAngle> read_pull_angles(const std::filesystem::path& file) {
  const NumberTable table = read_number_table(file);
  if (table.columns.size() < 2)
    throw InvalidInput(fmt::format("{}: found {} columns; expected two, alpha and phi in degrees", file.string(),
                                   table.columns.size()));
  const auto alpha = column_of(table, "alpha"), phi = column_of(table, "phi");
  if (alpha.has_value() != phi.has_value())
    throw InvalidInput(fmt::format("{}: found a column {} but none {}; name both, or none of the columns",
                                   file.string(), alpha ? "alpha" : "phi", alpha ? "phi" : "alpha"));
  const std::size_t a = alpha.value_or(0), f = phi.value_or(1);
  std::vector<PullAngle> data;
  for (std::size_t i = 0; i < table.rows(); ++i)
    data.push_back({radians(table.columns[a][i]), radians(table.columns[f][i])});
  return data;
}

}  // namespace slipset
