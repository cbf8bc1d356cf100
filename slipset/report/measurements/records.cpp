#include "slipset/report/measurements/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/identification/angle_unit.hpp"
#include "slipset/report/measurements/record_roles.hpp"

namespace slipset {
namespace {

// The channels of a sensor, in the order of the matrix.
std::vector<MeasuredRole> channel_roles() { return {radial_role(), tangential_role(), normal_role()}; }

// A header that names the channels in another order would be a matrix for other channels.
void require_order(const Measured& matrix) {
  const std::vector<MeasuredRole> roles = channel_roles();
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t other = 0; other < 3; ++other)
      if (other != k && is_usual_name(roles[other], matrix.columns[k].name))
        throw InvalidInput(fmt::format("{}: column {} is named {}; expected the order radial, tangential, normal",
                                       matrix.file, k + 1, matrix.columns[k].name));
}

// T: numbers for channels in newtons; newtons per volt for voltages, which the record has in volts.
Eigen::Matrix3d matrix_of(const std::filesystem::path& file, Measured& record) {
  std::vector<MeasuredRole> roles;
  ColumnChoice places;
  for (const MeasuredRole& channel : channel_roles()) {
    roles.push_back({channel.name, {"number", "sensitivity"}, "", {}});
    places.columns.push_back(fmt::format("{}={}", channel.name, roles.size()));
  }
  const Measured matrix = read_measured(file, roles, places);
  if (matrix.file_columns != 3 || matrix.rows != 3)
    throw InvalidInput(
        fmt::format("{}: found {} rows and {} columns; expected the 3x3 matrix T, order radial, tangential, "
                    "normal",
                    matrix.file, matrix.rows, matrix.file_columns));
  require_order(matrix);
  Eigen::Matrix3d m;
  for (std::size_t k = 0; k < 3; ++k) {
    const MeasuredColumn& column = matrix.columns[k];
    const MeasuredColumn& channel = record.column(column.role);
    const bool volts = channel.quantity == "voltage";
    if (!column.unit.empty() && volts != (column.quantity == "sensitivity"))
      throw InvalidInput(fmt::format("{}: column {} is in {}, and the {} force of the record in {}; expected {}",
                                     matrix.file, column.name, column.unit, column.role,
                                     channel.found() ? channel.unit : "N", volts ? "N/V" : "numbers"));
    if (column.unit.empty() && volts)
      record.notes.push_back(
          fmt::format("nothing says the unit of column {} of {}: it is taken as N/V", k + 1, matrix.file));
    for (Eigen::Index i = 0; i < 3; ++i)
      m(i, static_cast<Eigen::Index>(k)) = column.values[static_cast<std::size_t>(i)];
  }
  return m;
}

// Six columns in their order; readings in the unit of the record's channels.
Eigen::Matrix3d matrix_from(const std::filesystem::path& file, const Measured& record) {
  constexpr std::string_view names[] = {"applied_radial", "applied_tangential", "applied_normal",
                                        "radial",         "tangential",         "normal"};
  std::vector<MeasuredRole> roles;
  ColumnChoice places;
  for (std::size_t k = 0; k < 6; ++k) {
    roles.push_back({names[k], {"force"}, "N", {}});
    if (k >= 3) roles.back().kinds.push_back("voltage");
    places.columns.push_back(fmt::format("{}={}", names[k], k + 1));
  }
  Measured loads = read_measured(file, roles, places);
  std::vector<std::vector<double>> columns;
  for (MeasuredColumn& column : loads.columns) {
    if (columns.size() >= 3)
      for (const MeasuredColumn& channel : record.columns)
        if (channel.role == column.role && channel.quantity != column.quantity)
          throw InvalidInput(fmt::format("{}: column {} is in {}, and column {} of the record in {}", loads.file,
                                         column.name, column.unit, channel.name, channel.unit),
                             "units");
    columns.push_back(std::move(column.values));
  }
  return compensation_from_loads(columns);
}

void require_increasing(std::span<const double> time, const std::string& file) {
  for (std::size_t i = 1; i < time.size(); ++i)
    if (!(time[i] > time[i - 1]))
      throw InvalidInput(fmt::format("{}: the time does not increase at row {} ({:.9g} s after {:.9g} s)", file, i + 1,
                                     time[i], time[i - 1]));
}

// The angle of the disk by integration, where the file has rates or times only.
std::vector<double> turned(Measured& input, const PinSensor& sensor) {
  const std::vector<double> time = std::move(input.column("time").values);
  require_increasing(time, input.file);
  std::vector<double> angle(time.size(), 0);
  if (sensor.rotation) {
    for (std::size_t i = 1; i < time.size(); ++i) angle[i] = *sensor.rotation * (time[i] - time[0]);
    input.notes.push_back(
        fmt::format("the angle is time x {:.6g} rpm; it is 0 in the first row", *sensor.rotation * 60 / (2 * kPi)));
    return angle;
  }
  const MeasuredColumn& rate = input.column("rate");
  if (rate.unit.empty())
    throw InvalidInput(fmt::format("{}: column {}: nothing says its unit; give it, as rotation=rpm or rotation=rad/s",
                                   input.file, rate.name),
                       "units");
  for (std::size_t i = 1; i < time.size(); ++i)
    angle[i] = angle[i - 1] + (time[i] - time[i - 1]) * (rate.values[i] + rate.values[i - 1]) / 2;
  input.notes.push_back(
      fmt::format("the angle is the integral of {} over the time; it is 0 in the first row", rate.name));
  return angle;
}

void decide_unit(MeasuredColumn& angle, const Measured& input, const PinRecord& record) {
  const AngleUnit told = tell_angle_unit(angle.values, record.tangential, record.radial);
  if (told.unit.empty())
    throw InvalidInput(fmt::format("{}: column {}: nothing says the unit of the angle, and the record does not tell it "
                                   "({}); give it",
                                   input.file, angle.name, told.why),
                       "angle unit");
  angle.unit = told.unit;
  angle.quantity = "angle";
  angle.from = fmt::format("told by the data: {}", told.why);
  for (double& x : angle.values) x *= told.factor;
}

// Beside a given normal force a column of it may be in any unit, or empty.
MeasuredRole unused_normal_role() {
  MeasuredRole role = if_there(normal_role());
  role.name_only = true;
  return role;
}

// A constant normal force is used instead of a column that is there: as asked for, but not in silence.
void note_unused_normal(Measured& input, double used) {
  MeasuredColumn& normal = input.column("normal");
  if (!normal.found()) return;
  input.notes.push_back(fmt::format("the normal force is {:.6g} N as given; column {} is not used", used, normal.name));
  normal = {normal.role, "", "", "", ""};
}

// A column that is named friction is a coefficient where nothing else is said, if its numbers can be one.
bool may_be_coefficient(const MeasuredColumn& column) { return internal::lower_case(column.name) == "friction"; }

void assume_coefficient(MeasuredColumn& column, Measured& input) {
  double largest = 0;
  for (const double f : column.values) largest = std::max(largest, std::abs(f));
  if (!column.unit.empty() || largest > 1.5 || !may_be_coefficient(column)) return;
  column.unit = "-";
  column.quantity = "number";
  column.from = "assumed";
  input.notes.push_back(fmt::format("nothing says the unit of {}: it is taken as a coefficient", column.name));
}

// A coefficient, or a force; which one must be said.
void require_quantity(MeasuredColumn& column, const std::string& file, bool divided, const char* by) {
  if (column.quantity == "number" && divided)
    throw InvalidInput(
        fmt::format("{}: column {} is a coefficient ({}), it is not divided by {}; remove that, or give its "
                    "unit",
                    file, column.name, column.from, by),
        "friction unit");
  if (column.quantity == "force" && !divided)
    throw InvalidInput(fmt::format("{}: column {} is a force in {}: give {}", file, column.name, column.unit, by),
                       "normal force");
}

}  // namespace

FromFile<PinRecord> read_pin_record(const std::filesystem::path& file, const ColumnChoice& choice,
                                    const PinSensor& sensor) {
  std::vector<MeasuredRole> roles = {angle_role(),      if_there(time_role()), rate_role(),
                                     tangential_role(), radial_role(),         normal_role()};
  if (sensor.rotation) roles = {required(time_role()), tangential_role(), radial_role(), normal_role()};
  if (sensor.normal_force)
    roles.back() = unused_normal_role();
  else
    roles.back().hint = ", or give a constant normal force";
  if (!sensor.compensation.empty() && !sensor.loads.empty())
    throw InvalidInput("the compensation matrix cannot be combined with known loads; remove one");
  if (!sensor.compensation.empty() || !sensor.loads.empty())
    for (MeasuredRole& role : roles)
      if (role.kinds.front() == "force") role.kinds.push_back("voltage");
  FromFile<PinRecord> read{{}, read_measured(file, roles, choice)};
  auto& [record, input] = read;
  if (!sensor.normal_force) {
    record.normal = std::move(input.column("normal").values);
  } else {
    require_positive(*sensor.normal_force, "the normal force");
    record.normal_force = *sensor.normal_force;
    note_unused_normal(input, *sensor.normal_force);
  }
  record.tangential = std::move(input.column("tangential").values);
  record.radial = std::move(input.column("radial").values);
  if (sensor.rotation || !input.column("angle").found()) {
    record.angle = turned(input, sensor);
  } else {
    MeasuredColumn& angle = input.column("angle");
    if (angle.unit.empty()) decide_unit(angle, input, record);
    record.angle = std::move(angle.values);
  }
  if (!sensor.compensation.empty()) compensate(record, matrix_of(sensor.compensation, input));
  if (!sensor.loads.empty()) compensate(record, matrix_from(sensor.loads, input));
  return read;
}

FromFile<StickSlipRecord> read_stick_slip(const std::filesystem::path& file, const ColumnChoice& choice,
                                          double weight) {
  const std::vector<MeasuredRole> roles = {
      required(time_role()),
      {"force",
       {"force", "number"},
       "",
       and_more(
           coefficient_names(),
           {{"y", "-"}, {"friction"}, {"springforce"}, {"frictionforce"}, {"reibkraft"}, {"kraft"}, {"f"}, {"ft"}}),
       false,
       {"newtons"}},
      {"newtons", {"force"}, "N", {{"load"}}, true}};
  FromFile<StickSlipRecord> read{{}, read_measured(file, roles, choice)};
  auto& [record, input] = read;
  record.time = std::move(input.column("time").values);
  MeasuredColumn& force = input.column(input.column("newtons").found() ? "newtons" : "force");
  if (input.column("newtons").found() && input.column("force").found())
    throw InvalidInput(fmt::format("{}: give either force=NAME or newtons=NAME, not both", file.string()), "columns");
  assume_coefficient(force, input);
  if (force.unit.empty())
    throw InvalidInput(
        fmt::format("{}: column {}: nothing says whether it is over the weight or a force; give its unit: "
                    "force=- or force=N",
                    file.string(), force.name),
        "friction unit");
  require_quantity(force, input.file, force.quantity == "force" && weight > 0, "the weight [N]");
  record.force = std::move(force.values);
  if (force.quantity == "force")
    for (double& f : record.force) f /= weight;
  return read;
}

FromFile<RateRecord> read_rate_record(const std::filesystem::path& file, const ColumnChoice& choice,
                                      std::optional<double> normal_force, bool needs_time) {
  std::vector<MeasuredRole> roles = {
      {"velocity",
       {"velocity"},
       "m/s",
       {{"v"},
        {"speed"},
        {"slidingspeed"},
        {"slidingvelocity"},
        {"slipvelocity"},
        {"geschwindigkeit"},
        {"gleitgeschwindigkeit"},
        {"vitesse"}},
       false,
       {"time", "position"}},
      needs_time ? required(time_role()) : if_there(time_role()),
      {"position", {"length"}, "m", {{"x"}, {"s"}, {"displacement"}, {"distance"}, {"weg"}, {"gleitweg"}}, true},
      {"friction",
       {"force", "number"},
       "",
       and_more(coefficient_names(),
                {{"frictionforce"}, {"force"}, {"f"}, {"ft"}, {"reibkraft"}, {"reibungskraft"}, {"kraft"}})}};
  if (normal_force) require_positive(*normal_force, "the normal force");
  roles.push_back(normal_force ? unused_normal_role() : if_there(normal_role()));
  FromFile<RateRecord> read{{}, read_measured(file, roles, choice)};
  auto& [record, input] = read;
  MeasuredColumn &friction = input.column("friction"), &velocity = input.column("velocity");
  std::vector<double> normal;
  const bool by_column = !normal_force && input.column("normal").found();
  if (by_column) normal = std::move(input.column("normal").values);
  if (normal_force) note_unused_normal(input, *normal_force);
  // "force" over "load" without units: both in newtons. "friction" over "load" could be a coefficient.
  const bool alike = by_column && input.column("normal").from == "assumed" && !may_be_coefficient(friction);
  if (friction.unit.empty() && (normal_force || alike)) {
    friction.unit = "N";
    friction.quantity = "force";
    friction.from = "assumed";
  }
  if (!by_column) assume_coefficient(friction, input);
  if (friction.unit.empty())
    throw InvalidInput(fmt::format("{}: column {}: nothing says whether it is a coefficient or a force; give its unit, "
                                   "friction=- or friction=N, and of a force the normal force",
                                   input.file, friction.name),
                       "friction unit");
  if (friction.quantity == "number" && by_column) normal.clear();  // a coefficient beside the load: not needed
  require_quantity(friction, input.file, normal_force || !normal.empty(), "the normal force");
  record.friction = std::move(friction.values);
  if (!normal.empty()) check_normal_force(normal);
  if (friction.quantity == "force")
    for (std::size_t i = 0; i < record.friction.size(); ++i)
      record.friction[i] /= normal.empty() ? *normal_force : normal[i];
  record.velocity = std::move(velocity.values);
  if (needs_time || !velocity.found()) record.time = std::move(input.column("time").values);
  if (!velocity.found()) {
    SlidingPath path;
    path.time = record.time;
    for (const double x : input.column("position").values) path.position.emplace_back(x, 0);
    require_increasing(path.time, input.file);
    require_valid(path);
    const SmoothedPath smooth = smooth_path(path);
    for (const Vec2& v : smooth.velocity) record.velocity.push_back(v.x());
    input.notes.push_back(
        fmt::format("the velocity is the slope of {} by local fits over ± {:.3g} s: ± {:.2g} m/s from "
                    "noise, bias up to {:.2g} m/s",
                    input.column("position").name, smooth.half_width, smooth.velocity_sigma, smooth.velocity_bias));
    if (!needs_time) record.time.clear();
  }
  return read;
}

FromFile<SlidingPath> read_sliding_path(const std::filesystem::path& file, const ColumnChoice& choice) {
  const std::vector<MeasuredRole> roles = {required(time_role()),
                                           {"x", {"length"}, "m", {{"x1"}, {"posx"}, {"xpos"}}},
                                           {"y", {"length"}, "m", {{"x2"}, {"posy"}, {"ypos"}}}};
  FromFile<SlidingPath> read{{}, read_measured(file, roles, choice)};
  auto& [path, input] = read;
  path.time = std::move(input.column("time").values);
  const std::vector<double> x = std::move(input.column("x").values), y = std::move(input.column("y").values);
  for (std::size_t i = 0; i < x.size(); ++i) path.position.emplace_back(x[i], y[i]);
  try {
    require_valid(path);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", file.string(), error.what()));
  }
  return read;
}

FromFile<std::vector<PullAngle>> read_pull_angles(const std::filesystem::path& file, const ColumnChoice& choice) {
  const std::vector<MeasuredRole> roles = {{"alpha", {"angle"}, "deg", {{"α"}}},
                                           {"phi", {"angle"}, "deg", {{"φ"}, {"ϕ"}}}};
  FromFile<std::vector<PullAngle>> read{{}, read_measured(file, roles, choice)};
  const std::vector<double> alpha = std::move(read.input.column("alpha").values),
                            phi = std::move(read.input.column("phi").values);
  for (std::size_t i = 0; i < alpha.size(); ++i) read.record.push_back({alpha[i], phi[i]});
  return read;
}

}  // namespace slipset
