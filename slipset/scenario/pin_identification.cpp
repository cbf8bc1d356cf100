#include "slipset/scenario/pin_identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/names.hpp"
#include "slipset/io/csv.hpp"
#include "slipset/laws/friction_law.hpp"
#include "slipset/scenario/measured_columns.hpp"
#include "slipset/scenario/shape_text.hpp"

namespace slipset {
namespace {

// Names that instruments and people give them.
const std::vector<MeasuredRole> kRoles = {
    {"angle", "angle", "deg", {"phi", "rotation", "position", "winkel", "phi_deg"}},
    {"tangential", "force", "N", {"ft", "f_t", "lambda_t", "fy", "f_y", "friction"}},
    {"radial", "force", "N", {"fr", "f_r", "lambda_r", "fx", "f_x", "lateral"}},
    {"normal", "force", "N", {"fn", "f_n", "lambda_n", "fz", "f_z", "load"}}};

double number(const std::string& text, const char* option, const char* example) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw InvalidInput(
        fmt::format("{}: found \"{}\"; expected auto or a number, as in {} {}", option, text, option, example));
  return value;
}

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

template <class Kind, std::size_t N>
std::optional<Kind> kind_of(const std::string& text, const char* option, const std::array<std::string_view, N>& names) {
  if (text == "auto") return std::nullopt;
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) {
    const std::string nearest = nearest_name(text, names);
    throw InvalidInput(fmt::format("{}: found \"{}\"; {}expected auto, {}", option, text,
                                   nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                   fmt::join(names, ", ")));
  }
  return static_cast<Kind>(at - names.begin());
}

ChoiceOptions choice_of(const PinOptions& o) {
  constexpr std::array<std::string_view, 5> reservoirs = {"disk", "ellipse", "superellipse", "fourier", "spline"};
  constexpr std::array<std::string_view, 5> directions = {"disk", "ellipse", "superellipse", "series", "associated"};
  ChoiceOptions choice;
  choice.fit = o.fit;
  choice.reservoir = kind_of<ReservoirKind>(o.reservoir, "--reservoir", reservoirs);
  choice.direction = kind_of<DirectionKind>(o.direction, "--direction", directions);
  if (o.axes == "common" || o.axes == "separate") {
    choice.axes = o.axes == "common" ? AxesKind::common : AxesKind::separate;
  } else {
    choice.axes = AxesKind::fixed;
    double value = 0;
    const auto [end, error] = std::from_chars(o.axes.data(), o.axes.data() + o.axes.size(), value);
    if (error != std::errc{} || end != o.axes.data() + o.axes.size())
      throw InvalidInput(fmt::format("--axes: found \"{}\"; expected common, separate or an angle in degrees", o.axes));
    choice.angle = radians(value);
  }
  return choice;
}

}  // namespace

PinRecord read_pin_record(const std::filesystem::path& file, const PinOptions& o) {
  std::vector<MeasuredRole> roles = kRoles;
  if (o.normal_force) roles.pop_back();
  roles.back().hint = o.normal_force ? "" : ", or give a constant force with --normal-force";
  std::vector<std::vector<double>> data = read_measured(file, roles, o.columns, o.units);
  PinRecord record;
  if (!o.normal_force) {
    record.normal = std::move(data[3]);
  } else {
    require_positive(*o.normal_force, "--normal-force");
    record.normal_force = *o.normal_force;
  }
  record.angle = std::move(data[0]);
  record.tangential = std::move(data[1]);
  record.radial = std::move(data[2]);
  if (!o.compensation.empty() && !o.loads.empty()) throw InvalidInput("give --compensation or --loads, not both");
  if (!o.compensation.empty()) compensate(record, matrix_of(o.compensation));
  if (!o.loads.empty()) compensate(record, compensation_from_loads(read_number_table(o.loads).columns));
  return record;
}

PinIdentification identify_pin(PinRecord record, const PinOptions& o) {
  SignalOptions signal_options = o.signals;
  if (o.sense != "1" && o.sense != "-1" && o.sense != "auto")
    throw InvalidInput(fmt::format("--sense: found \"{}\"; expected 1, -1 or auto", o.sense));
  signal_options.sense = o.sense == "auto" ? 0 : o.sense == "1" ? 1 : -1;
  const ChoiceOptions choice_options = choice_of(o);
  const bool find_offset = o.offset == "auto", find_misalignment = o.misalignment == "auto";
  signal_options.offset = find_offset ? 0 : radians(number(o.offset, "--offset", "90"));
  signal_options.misalignment = find_misalignment ? 0 : radians(number(o.misalignment, "--misalignment", "0.5"));
  FoldedSignals signals = fold(record, signal_options);
  record = {};
  double offset = signal_options.offset, misalignment = signal_options.misalignment;
  if (find_misalignment) {
    FitOptions quick = o.fit;
    quick.bootstrap = 0;
    for (int i = 0; i < 2; ++i) {  // the flow that is taken off changes a little
      const FlowFit fit = fit_flow(signals, make_flow_model({}), quick);
      const double angle = sets_from_data(signals, fit).misalignment;
      turn_forces(signals, -angle);
      misalignment += angle;
    }
  }
  ModelChoice choice = choose_model(signals, choice_options);
  if (find_offset) {
    for (const FittedParameter& p : choice.fits[choice.best].parameters)
      if (p.name == "reservoir.angle" || p.name == "direction.angle") {
        shift_angle(signals, -radians(p.value));
        offset -= radians(p.value);
        choice = choose_model(signals, choice_options);
        break;
      }
  }
  FlowFit fit = fit_flow(signals, choice.fits[choice.best].model, o.fit);
  SetsFromData sets = sets_from_data(signals, fit);
  AssociatedTest associated = test_associated(signals);
  std::vector<std::string> warnings = signals.warnings;
  const PlanarSet reservoir = fit.reservoir();
  std::optional<PlanarSet> direction;
  if (!o.hull) {
    try {
      direction = fit.direction();
    } catch (const InvalidInput& error) {
      warnings.push_back(fmt::format("{}: the law has its convex hull, smoothed", error.what()));
    }
  }
  if (!direction) {
    std::vector<Vec2> points;
    for (const DataPoint& p : sets.points) points.push_back(p.direction);
    direction = convex_smoothing(points);
  }
  if (!fit.not_identified.empty())
    warnings.push_back(
        fmt::format("the data do not tell: {}; no intervals are given. Fix a parameter (--axes ANGLE) or take a "
                    "simpler shape",
                    fmt::join(fit.not_identified, "; ")));
  if (fit.lack_of_fit > 1.3)
    warnings.push_back(
        fmt::format("the model leaves {:.3g} times the variance of the noise: the surface has structure that this "
                    "shape has not (try --reservoir spline --direction series)",
                    fit.lack_of_fit));
  if (!sets.convex)
    warnings.push_back(
        fmt::format("the resistance turns back against the slip near {:.4g} degrees: no convex direction set has "
                    "this flow; --hull takes the convex hull",
                    degrees(sets.smallest_turn_at)));
  if (sets.closure_p_value < 0.01) warnings.push_back(sets.verdict);
  return {std::move(signals), std::move(choice), std::move(fit), std::move(sets), std::move(associated),
          reservoir,          *direction,        offset,         misalignment,    std::move(warnings)};
}

std::string PinIdentification::law_toml() const {
  const bool same = fit.model.name().ends_with("associated");
  return fmt::format("[law]\nreservoir = {}\n{}", shape_toml(reservoir),
                     same ? "" : fmt::format("direction = {}\n", shape_toml(direction)));
}

std::string pin_record_csv(const PinRecord& r) {
  std::string text = "angle [deg],tangential [N],radial [N],normal [N]\n";
  fmt::memory_buffer buffer;
  for (std::size_t i = 0; i < r.size(); ++i)
    fmt::format_to(std::back_inserter(buffer), "{},{},{},{}\n", degrees(r.angle[i]), r.tangential[i], r.radial[i],
                   r.normal.empty() ? r.normal_force : r.normal[i]);
  text.append(buffer.data(), buffer.size());
  return text;
}

}  // namespace slipset
