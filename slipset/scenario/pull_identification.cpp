#include "slipset/scenario/pull_identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/csv.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

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

PullIdentification identify_pull(const std::filesystem::path& file, std::span<const double> friction) {
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
  PullIdentification result;
  try {
    result.fit = calibrate_pull(data);
    if (friction.size() == 2) {
      const double per_ratio = stiffness_ratio(1, friction[0], friction[1]);  // refuses what is not positive
      if (result.fit.ratio) result.stiffness_ratio = per_ratio * *result.fit.ratio;
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", file.string(), error.what()));
  }
  return result;
}

Json pull_identification_json(const PullIdentification& result) {
  const PullCalibration& fit = result.fit;
  Json json;
  json["model"] = "elastic-interface";
  json["points"] = fit.points;
  json["lambda_ratio"] = {{"value", or_null(fit.ratio)},
                          {"sigma", or_null(fit.sigma)},
                          {"interval_95", fit.low ? Json({*fit.low, *fit.high}) : Json()}};
  json["by_maximum_rule"] = or_null(fit.by_maximum);
  json["by_published_formula"] = or_null(fit.by_published_formula);
  json["stiffness_ratio"] = or_null(result.stiffness_ratio);
  json["rms_degrees"] = fit.identifiable ? Json(degrees(fit.rms)) : Json();
  json["identifiable"] = {{"lambda_ratio", fit.identifiable}, {"lambda1", false}, {"lambda2", false}, {"why", fit.why}};
  json["report"] = {{"iterations", fit.iterations}, {"converged", fit.converged}};
  return json;
}

std::string pull_identification_text(const PullIdentification& result) {
  const PullCalibration& fit = result.fit;
  std::string text = fmt::format("{} point{}\n", fit.points, fit.points == 1 ? "" : "s");
  if (fit.ratio) {
    text += fmt::format("lambda1/lambda2   {:.10g}, least squares; angles off by {:.4g} degrees (rms)\n", *fit.ratio,
                        degrees(fit.rms));
    if (fit.low)
      text += fmt::format("  sigma {:.4g}, 95 % interval {:.6g} to {:.6g}\n", *fit.sigma, *fit.low, *fit.high);
  }
  if (fit.by_maximum) text += fmt::format("  by the largest angle (Eq. 29): {:.10g}\n", *fit.by_maximum);
  if (fit.by_maximum)
    text += fit.by_published_formula ? fmt::format("  by Eq. 41 as printed: {:.10g}\n", *fit.by_published_formula)
                                     : "  by Eq. 41 as printed: no positive square\n";
  if (result.stiffness_ratio) text += fmt::format("eps1/eps2         {:.10g}\n", *result.stiffness_ratio);
  return text + fit.why + "\n";
}

}  // namespace slipset
