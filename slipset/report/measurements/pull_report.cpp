#include "slipset/report/measurements/pull_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/core/angle.hpp"
#include "slipset/report/json.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json pull_json(const PullCalibration& fit) {
  Json json;
  json["model"] = "elastic-interface";
  json["points"] = fit.points;
  json["lambda_ratio"] = {{"value", json_or_null(fit.ratio)},
                          {"sigma", json_or_null(fit.sigma)},
                          {"interval_95", fit.low ? Json({*fit.low, *fit.high}) : Json()}};
  json["by_maximum_rule"] = json_or_null(fit.by_maximum);
  json["by_published_formula"] = json_or_null(fit.by_published_formula);
  json["stiffness_ratio"] = json_or_null(fit.stiffness_ratio);
  json["rms_degrees"] = fit.identifiable ? Json(degrees(fit.rms)) : Json();
  json["identifiable"] = {{"lambda_ratio", fit.identifiable}, {"lambda1", false}, {"lambda2", false}, {"why", fit.why}};
  json["report"] = {{"iterations", fit.iterations}, {"converged", fit.converged}};
  return json;
}

std::string pull_text(const PullCalibration& fit) {
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
  if (fit.stiffness_ratio) text += fmt::format("eps1/eps2         {:.10g}\n", *fit.stiffness_ratio);
  return text + fit.why + "\n";
}

}  // namespace slipset
