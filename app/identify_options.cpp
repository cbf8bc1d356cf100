#include "app/identify_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"

namespace slipset::app {
namespace {

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Degrees, or empty for "auto".
std::optional<double> angle_or_auto(const std::string& text, const char* flag, const char* example) {
  if (text == "auto") return std::nullopt;
  const std::optional<double> value = parse_number(text);
  if (!value)
    throw InvalidInput(
        fmt::format("{}: found \"{}\"; expected auto or a number, as in {} {}", flag, text, flag, example));
  return radians(*value);
}

// The kind of this name, or empty for "auto".
template <class Kind, std::size_t N>
std::optional<Kind> kind_or_auto(const std::string& text, const char* flag,
                                 const std::array<std::string_view, N>& names) {
  if (text == "auto") return std::nullopt;
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) {
    const std::string nearest = internal::nearest_name(text, names);
    throw InvalidInput(fmt::format("{}: found \"{}\"; {}expected auto, {}", flag, text,
                                   nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                   fmt::join(names, ", ")));
  }
  return static_cast<Kind>(at - names.begin());
}

struct Axes {
  AxesKind kind = AxesKind::common;
  double angle = 0;  // [rad]
};
Axes parse_axes(const std::string& text) {
  if (text == "common") return {};
  if (text == "separate") return {AxesKind::separate, 0};
  const std::optional<double> value = parse_number(text);
  if (!value)
    throw InvalidInput(fmt::format("--axes: found \"{}\"; expected common, separate or an angle in degrees", text));
  return {AxesKind::fixed, radians(*value)};
}

void add_pin_options(CLI::App& command, IdentifyOptions& o) {
  command
      .add_option(
          "--columns", o.choice.columns,
          "Which column is what, by name or number: angle=..,tangential=..,radial=-NAME (its negative),normal=..")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ROLE=NAME");
  command.add_option("--units", o.choice.units, "Units, where the file does not give them: angle=rad,force=mN")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("KIND=UNIT");
  command.add_flag("--skip-bad-rows", o.choice.skip_bad_rows,
                   "Leave out rows that are no numbers (gaps, NaN, a footer); the report counts them");
  command.add_option("--rpm", o.rpm, "Speed of the disk [revolutions per minute], where the file has only the time")
      ->type_name("N");
  command
      .add_option("--normal-force", o.sensor.normal_force, "A constant normal force [N], where the file has no column")
      ->type_name("N");
  command.add_option("--compensation", o.compensation, "File with the 3x3 matrix that compensates crosstalk")
      ->type_name("FILE");
  command.add_option("--loads", o.loads, "File with known loads and readings: the matrix is computed from them")
      ->type_name("FILE");
  command.add_option("--lowpass", o.pin.signals.lowpass, "Zero-phase Butterworth low-pass [cycles per revolution]")
      ->type_name("F");
  command.add_option("--order", o.pin.signals.order, "Order of the low-pass, 1 to 20; default 4")->type_name("N");
  CLI::Option* detrend = command.add_flag("--detrend", o.pin.signals.detrend, "Remove linear drift from the forces");
  command.add_option("--zero-at", o.zero_at, "With --detrend: when the zero was right: start, middle or end")
      ->check(CLI::IsMember({"start", "middle", "end"}))
      ->needs(detrend);
  command.add_option("--sense", o.sense, "1 or -1: the slip angle increases or decreases with the angle; or auto")
      ->type_name("S");
  command.add_option("--offset", o.offset, "Angle of the grooves' frame at angle zero [degrees], or auto")
      ->type_name("DEG");
  command.add_option("--misalignment", o.misalignment, "Angle from the tangent to the sensor [degrees], or auto")
      ->type_name("DEG");
  command
      .add_option("--outliers", o.pin.signals.outliers,
                  "Reject samples beyond this many robust deviations; 0: keep all")
      ->type_name("X");
  command.add_option("--reservoir", o.reservoir, "auto, disk, ellipse, superellipse, fourier, spline")
      ->type_name("SHAPE");
  command.add_option("--direction", o.direction, "auto, disk, ellipse, superellipse, series, associated")
      ->type_name("SHAPE");
  command.add_option("--axes", o.axes, "common, separate, or a fixed angle [degrees]")->type_name("AXES");
  command.add_flag("--hull", o.pin.hull, "D is the convex hull of the data, smoothed");
  command.add_option("--bootstrap", o.pin.fit.bootstrap, "Replications for the bands; default 400")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
}

void add_machine_options(CLI::App& command, IdentifyOptions& o) {
  command
      .add_option("--simulate", o.simulate,
                  "Virtual tribometer: simulate signals of this law and identify it from them; writes signals.csv")
      ->type_name("LAW.toml");
  command.add_option("--revolutions", o.machine.revolutions, "Revolutions of the virtual tribometer; default 20")
      ->type_name("N");
  command.add_option("--samples", o.machine.samples, "Samples per revolution; default 3600")->type_name("N");
  command.add_option("--noise", o.machine.noise, "Noise over the mean force; default 0.01")->type_name("X");
  command.add_option("--crosstalk", o.machine.crosstalk, "Crosstalk between the channels; default 0")->type_name("X");
  command
      .add_option("--wobble", o.machine.wobble,
                  "Variation of the normal force, once per revolution, over its mean; default 0")
      ->type_name("X");
  command.add_option("--quantum", o.machine.quantum, "Step of the converter [N]; default 0")->type_name("N");
  command.add_option("--turned-sensor", o.turned_sensor, "Misalignment of the virtual sensor [degrees]; default 0")
      ->type_name("DEG");
  command.add_option("--turned-surface", o.turned_surface, "Slip angle at angle zero [degrees]; default 0")
      ->type_name("DEG");
  command.add_option("--seed", o.machine.seed, "Seed of the noise; default 1")->type_name("N");
}

}  // namespace

void add_identify_options(CLI::App& command, IdentifyOptions& o) {
  command.add_option("FILE", o.files, "Record (CSV and the like, or MATLAB's .mat); several for --model path");
  command.add_option("--model", o.model, "pin-on-disk (default), stick-slip, stribeck, lugre, path, elastic-interface")
      ->check(CLI::IsMember({"pin-on-disk", "stick-slip", "stribeck", "lugre", "path", "elastic-interface"}));
  add_pin_options(command, o);
  add_machine_options(command, o);
  command.add_option("--stiffness", o.stick.stiffness, "stick-slip: stiffness of the spring [N/m]")->type_name("K");
  command.add_option("--speed", o.stick.speed, "stick-slip: speed of the drive [m/s]")->type_name("V");
  command.add_option("--weight", o.stick.weight, "stick-slip: normal force of the slider [N]")->type_name("W");
  command.add_option("--mass", o.stick.mass, "stick-slip: moving mass [kg]; default weight/9.81")->type_name("M");
  command.add_option("--prominence", o.stick.prominence, "stick-slip: smallest rise and fall of an event")
      ->type_name("X");
  command.add_option("--law", o.laws, "path: a law to compare with; may be repeated")
      ->allow_extra_args(false)
      ->type_name("LAW.toml");
  command.add_flag("--no-fit", o.no_fit, "path: compare only");
  command.add_option("--gravity", o.gravity, "path: [m/s2]; 9.81")->type_name("G");
  command
      .add_option(
          "--friction", o.friction,
          "elastic-interface: friction coefficients MU1,MU2 from force readings: the ratio of stiffnesses follows")
      ->delimiter(',')
      ->expected(2)
      ->type_name("MU1,MU2");
  add_common_options(command, o.common);
}

PinSensor pin_sensor(const IdentifyOptions& o) {
  PinSensor sensor = o.sensor;
  sensor.compensation = o.compensation;
  sensor.loads = o.loads;
  if (o.rpm) {
    if (!(std::isfinite(*o.rpm) && *o.rpm != 0))
      throw InvalidInput(
          fmt::format("--rpm: found {}; expected a speed that is not zero, negative if it turns back", *o.rpm));
    sensor.rotation = *o.rpm * 2 * kPi / 60;
  }
  return sensor;
}

PinOptions pin_options(const IdentifyOptions& o) {
  PinOptions pin = o.pin;
  pin.signals.zero_at = o.zero_at == "start"    ? ZeroAt::start
                        : o.zero_at == "middle" ? ZeroAt::middle
                        : o.zero_at == "end"    ? ZeroAt::end
                                                : ZeroAt::unknown;
  if (o.sense != "1" && o.sense != "-1" && o.sense != "auto")
    throw InvalidInput(fmt::format("--sense: found \"{}\"; expected 1, -1 or auto", o.sense));
  pin.signals.sense = o.sense == "auto" ? 0 : o.sense == "1" ? 1 : -1;
  pin.model.reservoir = kind_or_auto<ReservoirKind>(o.reservoir, "--reservoir", kReservoirKindNames);
  pin.model.direction = kind_or_auto<DirectionKind>(o.direction, "--direction", kDirectionKindNames);
  const Axes axes = parse_axes(o.axes);
  pin.model.axes = axes.kind;
  pin.model.angle = axes.angle;
  const auto offset = angle_or_auto(o.offset, "--offset", "90"),
             misalignment = angle_or_auto(o.misalignment, "--misalignment", "0.5");
  pin.find_offset = !offset;
  pin.find_misalignment = !misalignment;
  pin.signals.offset = offset.value_or(0);
  pin.signals.misalignment = misalignment.value_or(0);
  pin.fit.seed = o.machine.seed;
  return pin;
}

std::optional<PathFitOptions> path_options(const IdentifyOptions& o, const SlideOptions& slide) {
  if (o.no_fit) return std::nullopt;
  const auto refuse = [](const char* flag, const std::string& text) {
    throw InvalidInput(
        fmt::format("{}: found \"{}\"; paths are fitted with disk, ellipse, superellipse (and associated as direction)",
                    flag, text));
  };
  PathFitOptions fit;
  fit.slide = slide;
  fit.model.reservoir =
      kind_or_auto<ReservoirKind>(o.reservoir, "--reservoir", kReservoirKindNames).value_or(ReservoirKind::ellipse);
  fit.model.direction =
      kind_or_auto<DirectionKind>(o.direction, "--direction", kDirectionKindNames).value_or(DirectionKind::ellipse);
  if (fit.model.reservoir > ReservoirKind::superellipse) refuse("--reservoir", o.reservoir);
  if (fit.model.direction == DirectionKind::series) refuse("--direction", o.direction);
  const Axes axes = parse_axes(o.axes);
  fit.model.axes = axes.kind;
  fit.model.angle = axes.angle;
  return fit;
}

}  // namespace slipset::app
