#include "app/identify_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>

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
  std::optional<AxesKind> kind;  // empty: auto
  double angle = 0;              // [rad]
};
Axes parse_axes(const std::string& text) {
  if (text == "auto") return {};
  if (text == "common") return {AxesKind::common, 0};
  if (text == "separate") return {AxesKind::separate, 0};
  const std::optional<double> value = parse_number(text);
  if (!value)
    throw InvalidInput(
        fmt::format("--axes: found \"{}\"; expected auto, common, separate or an angle in degrees", text));
  return {AxesKind::fixed, radians(*value)};
}

// Values that mean something; what else is refused, with the flag's name before it.
CLI::Validator number_that(const char* expected, bool (*holds)(double)) {
  return {[=](std::string& text) -> std::string {
            const std::optional<double> value = parse_number(text);
            if (value && holds(*value)) return "";
            return fmt::format("found \"{}\"; expected {}", text, expected);
          },
          ""};
}
CLI::Validator positive() {
  return number_that("a number above 0", [](double x) { return x > 0; });
}
CLI::Validator not_negative() {
  return number_that("a number not below 0", [](double x) { return x >= 0; });
}
CLI::Validator finite() {
  return number_that("a number", [](double) { return true; });
}
CLI::Validator whole_above_0() {
  return number_that("a whole number above 0", [](double x) { return x > 0 && x == std::floor(x) && x < 1e9; });
}

constexpr const char *kPin = "pin-on-disk", *kStickSlip = "stick-slip", *kStribeck = "stribeck", *kLuGre = "lugre",
                     *kPath = "path", *kElastic = "elastic-interface";

// Adds flags, each with the models that use it: what the chosen model does not use is refused. The help lists them by
// models.
class Flags {
 public:
  Flags(CLI::App& command, IdentifyOptions& options) : command_(command), options_(options) {}

  // The models of the flags that follow.
  Flags& of(std::vector<std::string> models) {
    models_ = std::move(models);
    return *this;
  }
  template <class T>
  CLI::Option* value(const char* name, T& variable, const char* type, const std::string& text) {
    return listed(name, command_.add_option(name, variable, text)->type_name(type));
  }
  CLI::Option* flag(const char* name, bool& variable, const std::string& text) {
    return listed(name, command_.add_flag(name, variable, text));
  }

 private:
  CLI::Option* listed(const char* name, CLI::Option* option) {
    options_.flags.push_back({name, models_, option});
    return option->group(fmt::format("Used by {}", fmt::join(models_, ", ")));
  }

  CLI::App& command_;
  IdentifyOptions& options_;
  std::vector<std::string> models_;
};

void add_pin_options(Flags& flags, IdentifyOptions& o) {
  flags.of({kPin});
  flags.value("--rpm", o.rpm, "N", "Speed of the disk [revolutions per minute], where the file has only the time")
      ->check(number_that("a speed that is not zero, negative if it turns back", [](double x) { return x != 0; }));
  flags.value("--compensation", o.compensation, "FILE", "File with the 3x3 matrix that compensates crosstalk");
  flags.value("--loads", o.loads, "FILE", "File with known loads and readings: the matrix is computed from them");
  CLI::Option* const lowpass =
      flags.value("--lowpass", o.pin.signals.lowpass, "F", "Zero-phase Butterworth low-pass [cycles per revolution]")
          ->check(positive());
  flags.value("--order", o.pin.signals.order, "N", "Order of the low-pass, 1 to 20; default 4")
      ->check(CLI::Range(1, 20))
      ->needs(lowpass);
  CLI::Option* const detrend = flags.flag("--detrend", o.pin.signals.detrend, "Remove linear drift from the forces");
  flags.value("--zero-at", o.zero_at, "WHEN", "With --detrend: when the zero was right: start, middle or end")
      ->check(CLI::IsMember({"start", "middle", "end"}))
      ->needs(detrend);
  flags.value("--sense", o.sense, "S", "1 or -1: the slip angle increases or decreases with the angle; or auto");
  flags.value("--offset", o.offset, "DEG", "Angle of the grooves' frame at angle zero [degrees], or auto");
  flags.value("--misalignment", o.misalignment, "DEG", "Angle from the tangent to the sensor [degrees], or auto");
  flags
      .value("--outliers", o.pin.signals.outliers, "X",
             "Reject samples beyond this many robust deviations; 0: keep all; default 6")
      ->check(not_negative());
  flags.flag("--hull", o.pin.hull, "D is the convex hull of the data, smoothed");
  flags.value("--bootstrap", o.pin.fit.bootstrap, "N", "Replications for the bands; default 400")
      ->check(CLI::Range(0, 100000));
  flags.value("--seed", o.machine.seed, "N", "Seed of the bands' replications and of simulated noise; default 1");
}

void add_machine_options(Flags& flags, IdentifyOptions& o) {
  CLI::Option* const simulate =
      flags.value("--simulate", o.simulate, "LAW.toml",
                  "Virtual tribometer: simulate signals of this law and identify it from them; writes signals.csv");
  flags.value("--revolutions", o.machine.revolutions, "N", "Revolutions of the virtual tribometer; default 20")
      ->check(positive())
      ->needs(simulate);
  flags.value("--samples", o.machine.samples, "N", "Samples per revolution; default 3600")
      ->check(whole_above_0())
      ->needs(simulate);
  flags.value("--noise", o.machine.noise, "X", "Noise over the mean force; default 0.01")
      ->check(not_negative())
      ->needs(simulate);
  flags.value("--crosstalk", o.machine.crosstalk, "X", "Crosstalk between the channels; default 0")
      ->check(finite())
      ->needs(simulate);
  flags
      .value("--wobble", o.machine.wobble, "X",
             "Variation of the normal force, once per revolution, over its mean; default 0")
      ->check(not_negative())
      ->needs(simulate);
  flags.value("--quantum", o.machine.quantum, "N", "Step of the converter [N]; default 0")
      ->check(not_negative())
      ->needs(simulate);
  flags.value("--turned-sensor", o.turned_sensor, "DEG", "Misalignment of the virtual sensor [degrees]; default 0")
      ->check(finite())
      ->needs(simulate);
  flags.value("--turned-surface", o.turned_surface, "DEG", "Slip angle at angle zero [degrees]; default 0")
      ->check(finite())
      ->needs(simulate);
  for (const IdentifyFlag& flag : o.flags)
    if (flag.name == "--columns" || flag.name == "--units" || flag.name == "--skip-bad-rows" || flag.name == "--rpm" ||
        flag.name == "--compensation" || flag.name == "--loads")
      flag.option->excludes(simulate);
}

}  // namespace

void add_identify_options(CLI::App& command, IdentifyOptions& o) {
  const std::vector<std::string> models = {kPin, kStickSlip, kStribeck, kLuGre, kPath, kElastic};
  command.add_option("FILE", o.files, "Record (CSV and the like, or MATLAB's .mat); several for --model path");
  command
      .add_option("--model", o.model,
                  fmt::format("pin-on-disk (default), {}", fmt::join(models.begin() + 1, models.end(), ", ")))
      ->check(CLI::IsMember(models));
  Flags flags(command, o);
  flags.of(models);
  flags
      .value("--columns", o.choice.columns, "ROLE=NAME",
             "Which column is what, by name or number: angle=..,tangential=..,radial=-NAME (its negative),normal=..")
      ->delimiter(',')
      ->allow_extra_args(false);
  flags.value("--units", o.choice.units, "KIND=UNIT", "Units, where the file does not give them: angle=rad,force=mN")
      ->delimiter(',')
      ->allow_extra_args(false);
  flags.flag("--skip-bad-rows", o.choice.skip_bad_rows,
             "Leave out rows that are no numbers (gaps, NaN, a footer); the report counts them");
  flags.of({kPin, kStribeck, kLuGre})
      .value("--normal-force", o.sensor.normal_force, "N", "A constant normal force [N], where the file has no column")
      ->check(positive());
  flags.of({kPin, kPath});
  CLI::Option* const shapes[] = {
      flags.value("--reservoir", o.reservoir, "SHAPE", "auto, disk, ellipse, superellipse, fourier, spline"),
      flags.value("--direction", o.direction, "SHAPE", "auto, disk, ellipse, superellipse, series, associated"),
      flags.value("--axes", o.axes, "AXES", "auto (default), common, separate, or a fixed angle [degrees]")};
  add_pin_options(flags, o);
  add_machine_options(flags, o);
  flags.of({kStickSlip});
  flags.value("--stiffness", o.stick.stiffness, "K", "Stiffness of the spring [N/m]")->check(positive());
  flags.value("--speed", o.stick.speed, "V", "Speed of the drive [m/s]")->check(positive());
  flags.value("--weight", o.stick.weight, "W", "Normal force of the slider [N]")->check(positive());
  flags.value("--mass", o.stick.mass, "M", "Moving mass [kg]; default weight/9.81")->check(positive());
  flags
      .value("--prominence", o.stick.prominence, "X",
             "Smallest rise and fall of an event, over the weight; default from noise and spread")
      ->check(positive());
  flags.of({kPath});
  flags.value("--law", o.laws, "LAW.toml", "A law to compare with; may be repeated")->allow_extra_args(false);
  CLI::Option* const no_fit = flags.flag("--no-fit", o.no_fit, "Compare only");
  for (CLI::Option* const shape : shapes) shape->excludes(no_fit);
  flags.value("--gravity", o.gravity, "G", "[m/s2]; 9.81")->check(positive());
  flags.of({kElastic})
      .value("--friction", o.friction, "MU1,MU2",
             "Friction coefficients from force readings: the ratio of stiffnesses follows")
      ->delimiter(',')
      ->expected(2)
      ->check(positive());
  add_set_option(command, o.common);
  add_common_options(command, o.common);
}

void require_used(const IdentifyOptions& o) {
  for (const IdentifyFlag& flag : o.flags)
    if (flag.option->count() > 0 && std::find(flag.models.begin(), flag.models.end(), o.model) == flag.models.end())
      throw InvalidInput(fmt::format("{}: --model {} does not use it, but --model {} does; remove it", flag.name,
                                     o.model, fmt::join(flag.models, ", ")));
}

PinSensor pin_sensor(const IdentifyOptions& o) {
  PinSensor sensor = o.sensor;
  sensor.compensation = o.compensation;
  sensor.loads = o.loads;
  if (o.rpm) sensor.rotation = *o.rpm * 2 * kPi / 60;
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
  fit.model.axes = axes.kind.value_or(AxesKind::common);
  fit.choose_axes = !axes.kind;
  fit.model.angle = axes.angle;
  return fit;
}

}  // namespace slipset::app
